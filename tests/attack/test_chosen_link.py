"""Somebody who knows one link, the most telling one, against every way entities can be nodes."""

from dataclasses import replace

import numpy as np
import pytest

from graph_arrays import EXAMPLE, graph_policy
from oracles import degrees as oracle
from papilio import publish
from papilio.attack.chosen_link import further_links, names_both, names_left
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph
from papilio.workflow.risk import attack
from sizes import COMPILED, tries
from tiny_graphs import tiny

CASES = range(tries(100 if COMPILED else 20, 3000, "PAPILIO_CHOSEN_CASES"))


def in_worlds(case, learnt):
    return oracle.linked_worlds(case.edges, case.left[0], case.right[0], learnt)


def test_names_equal_those_of_all_worlds():
    for seed in CASES:
        case = tiny(seed)
        groups = case.left[0], case.right[0]
        named = names_left(case.graph), names_left(case.graph.flipped())
        both = names_both(case.graph)
        for at, edge in enumerate(case.edges):
            found = in_worlds(case, edge)
            expected = [oracle.named(found, end, edge[end]) for end in (0, 1)]
            assert [bool(side[at]) for side in named] == expected
            hidden = any(groups[end].count(groups[end][edge[end]]) > 1 for end in (0, 1))
            assert both[at] == (all(expected) and hidden)


def test_further_beliefs_equal_those_of_all_worlds():
    for seed in CASES:
        case = tiny(seed)
        found = further_links(case.graph)
        assert found.tried.all()
        beliefs = {
            (node, group): hits / places
            for node, group, hits, places in zip(
                *map(np.ndarray.tolist, (found.node, found.group, found.hits, found.places)),
                strict=True,
            )
        }
        expected = {}
        for v, w in case.edges:
            worlds = in_worlds(case, (v, w))
            for other in (y for x, y in case.edges if x == v and y != w):
                place = (v, case.right[0][other])
                belief = oracle.belief(case.edges, worlds, v, other)
                expected[place] = max(belief, expected.get(place, 0.0))
        assert beliefs == pytest.approx(expected)


def graph_of(groups, others, edges):
    case = tiny(1)
    ends = np.array(edges, np.int64)
    sides = [
        replace(side, group_of_node=np.array(of), group_of_entity=np.array(of), ends=ends[:, at])
        for at, (side, of) in enumerate(((case.graph.left, groups), (case.graph.right, others)))
    ]
    return GroupedGraph(*sides, "e", ("a", "b"))


def test_full_blocks_say_nothing():
    """Where three edges join two groups of three, a learnt link tells no node."""
    groups = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    edges = [(x, (x + 3 * step) % 9) for x in range(9) for step in (0, 1)]
    graph = graph_of(groups, groups, edges)
    assert not names_left(graph).any()
    found = further_links(graph)
    assert set((found.hits / found.places).tolist()) == {1 / 3}
    assert not len(found.above(SafeGrouping(3, 3)))
    assert not len(found.certain())


def test_one_link_of_a_one_sided_release_tells_all_others():
    """Three people with two products of their own each; products are known by name."""
    graph = graph_of([0, 0, 0], range(6), [(x, 2 * x + at) for x in range(3) for at in (0, 1)])
    assert names_both(graph).all()
    found = further_links(graph)
    assert found.certain().tolist() == found.above(SafeGrouping(3, 1)).tolist() == [0, 1, 2]
    assert not len(further_links(graph.flipped()).node)


def test_a_sample_of_groups_is_tried_where_there_are_too_many():
    groups = np.repeat(np.arange(4), 2)
    graph = graph_of(groups, range(16), [(x, 2 * x + at) for x in range(8) for at in (0, 1)])
    found = further_links(graph, most=16)
    assert int(found.tried.sum()) == 4
    assert set(found.node.tolist()) == set(np.flatnonzero(found.tried).tolist())
    assert not further_links(graph, most=1).tried.any()


def test_what_is_said_of_a_release():
    policy = graph_policy(3, 1)
    release = publish(EXAMPLE, policy, seed=3)
    results = attack(release, original=policy, data=EXAMPLE)
    left, right = (each for each in results if each.attack == "chosen_link")
    # All but a4 have two papers.
    assert left.figures["certain"] == left.figures["above"] == 5
    assert left.exposed[0].to_dict() == {"people": 5, "of": 6, "column": "paper"}
    assert right.figures["named"] == 0
    assert left.figures["both"] == left.figures["links"] == 11
    text = " ".join(each.sentence + each.attacker for each in (left, right))
    assert not any(value in text for value in ("US", "SIGMOD", "a1"))
