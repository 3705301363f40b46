"""Somebody who knows how many links people have, against every way entities can be nodes."""

from dataclasses import replace

import numpy as np
import pytest

from graph_arrays import EXAMPLE, bare, frames, graph_policy, random_pairs
from oracles import degrees as oracle
from papilio import publish
from papilio.attack.known_degrees import degree_beliefs, degree_cells, known_degrees
from papilio.errors import InfeasibleError
from papilio.families.graph.family import GRAPH
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, grouped_graph
from papilio.workflow.risk import attack
from sizes import COMPILED, tries
from tiny_graphs import tiny

CASES = range(tries(150 if COMPILED else 20, 4000, "PAPILIO_DEGREE_CASES"))


def test_beliefs_and_names_equal_those_of_all_worlds():
    """Whether two degrees are known or all of them makes no difference."""
    for seed in CASES:
        case = tiny(seed)
        left, right = case.left[0], case.right[0]
        all_known = oracle.worlds(case.edges, left, right, range(len(left)), range(len(right)))
        found = degree_beliefs(case.graph)
        for at, (v, w) in enumerate(case.edges):
            belief = found.links[at] / found.places[at]
            assert belief == pytest.approx(oracle.belief(case.edges, all_known, v, w))
            assert found.certain[at] == all((a[v], b[w]) in case.edges for a, b in all_known)
        for end, side in enumerate((case.graph.left, case.graph.right)):
            groups = (left, right)[end]
            expected = [
                oracle.named(all_known, end, entity) and groups.count(groups[entity]) > 1
                for entity in range(len(groups))
            ]
            assert degree_cells(side).alone.tolist() == expected


def test_two_known_degrees_say_as_much_as_all():
    for seed in list(CASES)[::4]:
        case = tiny(seed)
        found = degree_beliefs(case.graph)
        for at, (v, w) in enumerate(case.edges):
            fitting = oracle.worlds(case.edges, case.left[0], case.right[0], [v], [w])
            expected = oracle.belief(case.edges, fitting, v, w)
            assert found.links[at] / found.places[at] == pytest.approx(expected)


def test_above_compares_in_whole_numbers():
    for seed in CASES:
        case = tiny(seed)
        found = degree_beliefs(case.graph)
        for k, l in ((2, 2), (3, 1), (1, 3)):
            over = found.above(SafeGrouping(k, l)).tolist()
            assert over == [
                belief > 1 / max(k, l) + 1e-9 for belief in (found.links / found.places).tolist()
            ]


def test_equal_degrees_say_nothing():
    """Safe groups whose nodes have equally many links: what static beliefs are stays."""
    groups = np.repeat(np.arange(3), 3)
    shift = [(x, (x + 3 * step) % 9) for x in range(9) for step in (0, 1)]
    graph = _graph(groups, shift)
    assert not degree_cells(graph.left).alone.any()
    assert not degree_cells(graph.right).alone.any()
    found = degree_beliefs(graph)
    assert not found.above(SafeGrouping(3, 3)).any()
    assert set((found.links / found.places).tolist()) == {1 / 3}


def test_one_more_link_names_both_its_ends():
    """Nine people with two links each, and a tenth link that is certain."""
    groups = np.repeat(np.arange(3), 3)
    shift = [(x, (x + 3 * step) % 9) for x in range(9) for step in (0, 1)]
    graph = _graph(groups, [*shift, (0, 6)])
    assert np.flatnonzero(degree_cells(graph.left).alone).tolist() == [0]
    assert np.flatnonzero(degree_cells(graph.right).alone).tolist() == [6]
    found = degree_beliefs(graph)
    assert found.certain.tolist() == [(x, y) == (0, 6) for x, y in _edges(graph)]


def _graph(groups, edges):
    sides = [replace(each, group_of_node=groups, group_of_entity=groups) for each in _sides()]
    ends = np.array(edges, np.int64)
    sides = [replace(each, ends=ends[:, at]) for at, each in enumerate(sides)]
    return GroupedGraph(*sides, "e", ("a", "b"))


def _sides():
    case = tiny(1)
    return case.graph.left, case.graph.right


def _edges(graph):
    return list(zip(graph.left.ends.tolist(), graph.right.ends.tolist(), strict=True))


def test_a_graph_without_links():
    case = next(tiny(seed) for seed in range(999) if not tiny(seed).edges)
    assert len(degree_beliefs(case.graph).links) == 0


def test_what_is_said_of_a_release():
    """One author has one paper, and one paper one author; all others have two."""
    release = publish(EXAMPLE, graph_policy(), seed=3)
    results = attack(release, original=graph_policy(), data=EXAMPLE)
    left, right, links = (each for each in results if each.attack == "known_degrees")
    assert left.figures == {"entities": 6, "alone": 1}
    # Of their links none is believed more than promised, so that nobody is exposed by it.
    assert left.exposed[0].to_dict() == {"people": 0, "of": 6, "column": None}
    assert right.figures["alone"] == 1
    assert links.figures["bound"] == pytest.approx(1 / 3)
    assert links.figures["above"] >= links.figures["certain"]
    assert [each.of for each in links.exposed] == [6, 6]
    assert [each.column for each in links.exposed] == ["paper", "author"]
    text = " ".join(each.sentence + each.attacker for each in (left, right, links))
    assert not any(value in text for value in ("US", "SIGMOD", "a1"))


def test_exposed_are_those_who_are_alone_and_have_a_link_that_is_believed_too_much():
    seen = 0
    for seed in range(12):
        data = frames(random_pairs(np.random.default_rng(seed), 8, 8, 0.15), 8, 8)
        policy = bare(2, 2, order="random")
        try:
            release = publish(data, policy, seed=seed)
        except InfeasibleError:
            continue
        graph = grouped_graph(release)
        links = degree_beliefs(graph)
        over = (links.links / links.places) > 1 / 2 + 1e-9
        results = [r for r in known_degrees(release, None, policy) if "alone" in r.figures]
        for side, result in zip((graph.left, graph.right), results, strict=True):
            alone = degree_cells(side).alone
            expected = {node for node, much in zip(side.ends.tolist(), over, strict=True) if much}
            expected = {node for node in expected if alone[node]}
            assert result.exposed[0].people == len(expected)
            seen += len(expected)
    assert seen


def _stopped(data, policy, seed=1):
    """Policies made by following each remedy until an attack has none, and what it finds last."""
    for _ in range(4):
        release = publish(data, policy, seed=seed)
        found = attack(release, original=policy, data=data)
        lines = {each.name: each for each in GRAPH.attacks}
        remedies = [
            lines[result.attack].remedy(exposed, policy)
            for result in found
            for exposed in result.exposed
            if exposed.people
        ]
        if not remedies:
            return policy
        assert all(remedies), "an attack on a graph succeeds and nothing is said to stop it"
        policy = policy.varied(remedies[0].changes)
    raise AssertionError("the remedies do not stop the attacks")


def test_the_remedies_lead_to_a_release_that_is_silent():
    """From groups by chance, of different sizes, to levelled ones of one size."""
    degrees = [1] * 600 + [2] * 60 + [3]
    pairs, paper = [], 0
    for person, degree in enumerate(degrees):
        pairs += [(person, (paper + step) % 723) for step in range(degree)]
        paper += degree
    data = frames(pairs, len(degrees), 723)
    policy = _stopped(data, bare(5, 1, order="random"))
    assert policy.privacy.known == "degree"
    assert policy.graph.order == "level"
