"""Attacks on graphs against enumeration, and what they say of a release."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from graph_arrays import EXAMPLE, graph_policy
from oracles.grouped_graph import both
from papilio import publish
from papilio.attack.learned_links import (
    LinkIndex,
    TooManyError,
    belief,
    conclusions,
    placements,
    strongest_beliefs,
)
from papilio.attack.signature import class_sizes, signatures
from papilio.attack.static_edge import link_beliefs
from papilio.errors import ReleaseError
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import grouped_graph
from papilio.randomness import Randomness
from papilio.workflow.risk import attack
from sizes import COMPILED
from tiny_graphs import tiny

CASES = range(120 if COMPILED else 20)


def enumerated(case, learnt, pair):
    """Belief by enumeration: entities are called by the nodes they truly are."""
    edges = set(case.edges)
    groups = [(case.left[0], case.left[0]), (case.right[0], case.right[0])]
    fitting = [
        (left.index, right.index)
        for left, right in both(*groups)
        if all((left.index(v), right.index(w)) in edges for v, w in learnt)
    ]
    hits = [(at(pair[0]), to(pair[1])) in edges for at, to in fitting]
    return sum(hits) / len(hits)


def test_beliefs_after_learnt_links_equal_enumeration():
    for seed in CASES:
        case = tiny(seed)
        random = np.random.default_rng(seed)
        if not case.edges:
            continue
        index = LinkIndex(case.graph)
        picked = random.permutation(len(case.edges))[: random.integers(0, 3)]
        learnt = [case.edges[at] for at in picked]
        ways = placements(index, learnt, 10_000)
        for v in range(len(case.left[0])):
            for w in range(len(case.right[0])):
                expected = enumerated(case, learnt, (v, w))
                assert belief(index, ways, (v, w)) == pytest.approx(expected)


def test_no_untouched_pair_passes_theorem_7():
    for seed in CASES:
        case = tiny(seed, safe=True)
        sizes = case.graph.left.sizes.min(), case.graph.right.sizes.min()
        demanded = SafeGrouping(*map(int, sizes))
        if not case.edges or min(sizes) < 2:
            continue
        index = LinkIndex(case.graph)
        for edge in case.edges:
            untouched, _ = strongest_beliefs(index, [edge])
            assert untouched <= demanded.posterior(1) + 1e-9


def test_static_beliefs_equal_enumeration():
    for seed in CASES:
        case = tiny(seed)
        if case.edges:
            expected = sorted(enumerated(case, [], edge) for edge in case.edges)
            assert sorted(link_beliefs(case.graph)) == pytest.approx(expected)


def test_too_many_placements_are_given_up():
    case = next(tiny(seed) for seed in range(99) if len(tiny(seed).edges) > 3)
    with pytest.raises(TooManyError):
        placements(LinkIndex(case.graph), case.edges[:1] * 1, 0)


def slow_signatures(case, steps):
    """Signatures as nested tuples."""
    mine = [0] * len(case.left[0]), [0] * len(case.right[0])
    for _ in range(steps):
        mine = tuple(
            [
                (
                    mine[s][x],
                    tuple(sorted(repr(mine[1 - s][e[1 - s]]) for e in case.edges if e[s] == x)),
                )
                for x in range(len(mine[s]))
            ]
            for s in (0, 1)
        )
    return mine


def test_signatures_equal_the_slow_ones():
    for seed in CASES:
        case = tiny(seed)
        fast = signatures(case.graph, 3)
        for step in range(4):
            slow = slow_signatures(case, step)
            for side in (0, 1):
                assert Counter(Counter(map(repr, slow[side])).values()) == Counter(
                    np.bincount(fast[step][side])[np.bincount(fast[step][side]) > 0].tolist()
                )


def test_class_sizes_count_equal_signatures():
    assert class_sizes(np.array([0, 1, 1, 2])).tolist() == [1, 2, 2, 1]


def test_attacks_on_a_release():
    release = publish(EXAMPLE, graph_policy(), seed=3)
    results = attack(release, original=graph_policy(), data=EXAMPLE)
    names = [each.attack for each in results]
    assert list(dict.fromkeys(names)) == [
        "static_edge", "known_degrees", "chosen_link", "learned_links", "signature",
    ]  # fmt: skip
    static = results[0]
    assert static.figures["strongest"] <= static.figures["bound"] == pytest.approx(1 / 3)
    assert static.figures["certain"] == 0
    learnt = results[names.index("learned_links")]
    assert learnt.figures["untouched"] <= learnt.figures["bound"] == 0.5
    assert learnt.sentence.endswith("20 of them were drawn, the same in every run.")
    assert results[-1].figures["entities"] == 6
    # a4 is the only author with one paper.
    assert results[-2].figures["step 1"] == 1
    text = " ".join(each.sentence + each.attacker for each in results)
    assert not any(value in text for value in ("US", "SIGMOD", "a1"))


def test_conclusions_follow_the_bound():
    release = publish(EXAMPLE, graph_policy(), seed=3)
    found = conclusions(grouped_graph(release), SafeGrouping(3, 3), Randomness(1))
    assert [each.learnt for each in found] == [1, 2, 3]
    assert [each.bound for each in found] == [1 / 2, 1, 1]


def test_a_policy_of_a_table_is_refused():
    from papilio import K, Policy

    release = publish(EXAMPLE, graph_policy(), seed=3)
    with pytest.raises(ReleaseError, match="another kind of release"):
        attack(release, original=Policy(columns={"age": "quasi"}, privacy=K(2)))
