"""Levelled groups: one degree each, few links lost, and losses that name nobody."""

from __future__ import annotations

import numpy as np
import pytest

from graph_arrays import bare, frames, random_pairs
from oracles import degrees as known_to_all
from oracles import lost_links as oracle
from papilio import publish
from papilio.data.bipartite import adjacency
from papilio.errors import InfeasibleError
from papilio.families.graph.level import Levelled, _in_bands, dropped_links, level
from papilio.families.graph.make import graph_order_of
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.randomness import Randomness
from sizes import COMPILED, tries

CASES = range(tries(60 if COMPILED else 15, 2000, "PAPILIO_LEVEL_CASES"))


def pairs_of(seed, most=8):
    random = np.random.default_rng(seed)
    n, m = (int(each) for each in random.integers(2, most, 2))
    return random_pairs(random, n, m, random.choice([0.05, 0.1, 0.2])), n, m


def graph_of(pairs, n, m):
    return graph_order_of(frames(pairs, n, m), bare(2, 2))[0].graph


def levelled(seed, k, l, most=8):
    pairs, n, m = pairs_of(seed, most)
    graph = graph_of(pairs, n, m)
    try:
        return graph, level(graph, SafeGrouping(k, l), 0.999, 5, Randomness(seed))
    except InfeasibleError:
        return graph, None


def links(graph):
    tails = np.repeat(np.arange(graph.left.count), graph.forward.degrees)
    return set(zip(tails.tolist(), graph.forward.links.tolist(), strict=True))


def is_level(side, groups):
    return all(len(set(side.degrees[groups.group_of_node == g])) == 1 for g in range(groups.count))


def test_one_side_is_level_no_link_is_new_and_losses_are_spread():
    made = 0
    for seed in CASES:
        for k, l in ((2, 2), (3, 2), (1, 2), (3, 1)):
            graph, found = levelled(seed, k, l, 12)
            if found is None:
                continue
            made += 1
            sides = ((found.graph.forward, found.left, k), (found.graph.backward, found.right, l))
            assert all(groups.complete and groups.sizes.min() >= size for _, groups, size in sides)
            assert any(is_level(s, g) and size == max(k, l) for s, g, size in sides)
            assert links(found.graph) <= links(graph)
            lost = sorted(links(graph) - links(found.graph))
            if lost:
                ends = [np.bincount(end).max() for end in zip(*lost, strict=True)]
                assert max(k, l) * ends[0] * ends[1] <= len(lost)
    assert made > len(CASES) // 2


def test_what_is_published_is_believed_by_nobody_who_knows_degrees():
    """Over every way entities can be nodes, with the degrees of both ends or of everybody known."""
    looked = 0
    for seed in CASES:
        _, n, m = pairs_of(seed, 7)
        found = levelled(seed, 2, 2, 7)[1]
        if found is None:
            continue
        edges = sorted(links(found.graph))
        groups = [side.group_of_node.tolist() for side in (found.left, found.right)]
        worlds = known_to_all.worlds(edges, *groups, range(n), range(m))
        looked += 1
        for v in range(n):
            for w in range(m):
                assert known_to_all.belief(edges, worlds, v, w) <= 1 / 2 + 1e-9
    assert looked > len(CASES) // 10


def test_true_degrees_of_everybody_say_no_more_of_what_is_published():
    """Over all originals with links that were left out, which have the degrees that are known."""
    looked = 0
    for seed in range(4 * len(CASES)):
        pairs, n, m = pairs_of(seed, 6)
        forward, backward, _ = adjacency(*np.array([*pairs, (0, 0)]).T, n, m)
        groups = _in_bands(forward, 2, 1, Randomness(seed))
        if not groups.complete or not 0 < Levelled(forward, groups).losses.sum() <= 3:
            continue
        gone = dropped_links(Levelled(forward, groups), 2, Randomness(seed))
        tails = np.repeat(np.arange(n), forward.degrees)
        shown = list(zip(tails[~gone].tolist(), forward.links[~gone].tolist(), strict=True))
        if gone.sum() > 4 or not shown:
            continue
        known = (forward.degrees.tolist(), backward.degrees.tolist())
        left = groups.group_of_node.tolist()
        found = list(oracle.originals(shown, left, list(range(m)), int(gone.sum()), known))
        assert found
        looked += 1
        for v in range(n):
            for w in range(m):
                assert oracle.belief_in_published(found, v, w) <= 1 / 2 + 1e-9
    assert looked


def test_the_loss_is_never_below_the_least_and_mostly_it():
    least, taken = 0, 0
    for seed in CASES:
        pairs, n, m = pairs_of(seed, 8)
        forward, _, _ = adjacency(*np.array([*pairs, (0, 0)]).T, n, m)
        best = oracle.least_loss(sorted({*pairs, (0, 0)}), n, 2)
        groups = _in_bands(forward, 2, 1, Randomness(seed))
        if not groups.complete:
            continue
        assert best is not None
        loss = int(Levelled(forward, groups).losses.sum())
        assert loss >= best
        least, taken = least + best, taken + loss
    assert 0 < least <= taken <= 1.6 * least


def test_nothing_is_lost_where_degrees_are_equal_already():
    pairs = [(x, (x + 3 * step) % 9) for x in range(9) for step in (0, 1)]
    found = level(graph_of(pairs, 9, 9), SafeGrouping(3, 3), 0.0, 5, Randomness(1))
    assert links(found.graph) == set(pairs)


def test_one_loss_would_name_its_ends_so_that_others_join_it():
    """Two of four have a link more: the group loses it, and another group is lowered beside."""
    pairs = [(x, x) for x in range(8)] + [(0, 8)]
    found = level(graph_of(pairs, 8, 9), SafeGrouping(2, 1), 0.9, 5, Randomness(1))
    lost = set(pairs) - links(found.graph)
    assert len(lost) >= 3
    assert len({v for v, _ in lost}) == len({w for _, w in lost}) == len(lost)


def test_what_is_said_to_be_enough_is_enough():
    pairs = [(x, x) for x in range(20)] + [(0, 20), (1, 21)]
    data, policy = frames(pairs, 20, 22), bare(4, 1)
    demanded = policy.varied([(("privacy", "known"), "degree")])
    with pytest.raises(InfeasibleError, match="% would do") as error:
        publish(data, demanded, seed=1)
    assert error.value.reason == "too-many-links"
    share = error.value.nearest.split()[1]
    enough = demanded.varied([(("privacy", "suppress"), share)])
    release = publish(data, enough, seed=1)
    assert [claim.claim for claim in release.manifest.claims] == ["safe-grouping", "known-degree"]
    safe, known = release.manifest.claims
    assert known.parameters == {"s": 4}
    assert safe.parameters["dropped"] == 22 - release.frames["edges"].height > 0
