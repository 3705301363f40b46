"""Answers over released graphs against enumeration of every original that fits."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from oracles.grouped_graph import example_7, figures
from papilio.query.graph.edge_sums import count_edges, sum_edges
from papilio.query.graph.extremes import (
    average_links,
    average_value,
    largest_links,
    largest_value,
    smallest_links,
    smallest_value,
)
from papilio.query.graph.grouped import GroupedSide
from papilio.query.graph.question import count_distinct, sum_bounds
from papilio.query.graph.urns import (
    average_drawn,
    count_drawn,
    entity_urns,
    largest_drawn,
    node_urns,
    smallest_drawn,
    sum_drawn,
)
from sizes import COMPILED
from tiny_graphs import tiny

MANY = range(400 if COMPILED else 60)
SOME = range(200 if COMPILED else 30)


def check(bounds, answers, *, tight=False, mean=True):
    """Bounds hold every answer; mean and variance are exact, ends if they must be."""
    truth = figures(answers)
    if truth is None:
        assert bounds.hi is None or bounds.lo is None or not any(a is not None for a in answers)
        return
    low, high, average, variance = truth
    assert bounds.lo - 1e-9 <= low
    assert high <= bounds.hi + 1e-9
    assert bounds.exact == (bounds.lo == bounds.hi)
    if tight:
        assert (bounds.lo, bounds.hi) == (pytest.approx(low), pytest.approx(high))
    if mean and bounds.estimate is not None:
        assert bounds.estimate == pytest.approx(average, abs=1e-9)
    if mean and bounds.std is not None:
        assert bounds.std**2 == pytest.approx(variance, abs=1e-9)


@pytest.mark.parametrize("safe", [True, False])
def test_count_distinct_equals_enumeration(safe):
    sharp = 0
    for seed in MANY:
        case = tiny(seed, safe=safe)
        answers = [len({y for _, y, _, _ in rows}) for _, _, rows in case.worlds()]
        bounds = count_distinct(case.selection)
        check(bounds, answers)
        assert bounds.estimate is not None
        assert bounds.std is not None
        low, high = sum_bounds(case.selection)
        assert low <= bounds.lo
        assert bounds.hi <= high
        sharp += (bounds.lo, bounds.hi) == (min(answers), max(answers))
    assert sharp >= 0.97 * len(MANY)


def test_count_distinct_is_never_weaker_than_example_7():
    better = 0
    for seed in MANY:
        case = tiny(seed, safe=True)
        edges = [(x, y) for x, y in case.edges if case.ok[0][x] and case.ok[1][y]]
        low, high = example_7(edges, case.left, case.right, *case.wanted)
        found = sum_bounds(case.selection)
        assert low <= found[0]
        assert found[1] <= high
        better += found != (low, high)
    assert better


@pytest.mark.parametrize("safe", [True, False])
def test_count_of_edges_equals_enumeration(safe):
    sharp = 0
    for seed in MANY:
        case = tiny(seed, safe=safe)
        answers = [len(rows) for _, _, rows in case.worlds()]
        bounds = count_edges(case.selection)
        check(bounds, answers)
        assert bounds.std is not None
        plain = count_edges(case.selection, program=False)
        assert plain.lo <= bounds.lo <= bounds.hi <= plain.hi
        sharp += (bounds.lo, bounds.hi) == (min(answers), max(answers))
    assert sharp >= 0.85 * len(MANY)


def test_count_of_edges_is_tight_with_one_attribute():
    for seed in SOME:
        case = tiny(seed, trivial=True)
        answers = [len(rows) for _, _, rows in case.worlds()]
        check(count_edges(case.selection, program=False), answers, tight=True)


@pytest.mark.parametrize("trivial", [True, False])
def test_sum_over_edges_equals_enumeration(trivial):
    for seed in SOME:
        case = tiny(seed, trivial=trivial)
        answers = [sum(case.values[a] for a, *_ in rows) for _, _, rows in case.worlds()]
        bounds = sum_edges(case.selection, np.array(case.values))
        check(bounds, answers, tight=trivial)
        assert bounds.std is not None


def aggregated(case, how):
    return [
        how([case.values[a] for a, *_ in rows]) if rows else None for _, _, rows in case.worlds()
    ]


@pytest.mark.parametrize("trivial", [True, False])
def test_extremes_and_averages_over_edges(trivial):
    for seed in SOME:
        case = tiny(seed, trivial=trivial)
        values = np.array(case.values)
        for answer, how in (
            (largest_value, max),
            (smallest_value, min),
            (average_value, lambda found: sum(found) / len(found)),
        ):
            answers = aggregated(case, how)
            if any(each is not None for each in answers):
                sharp = trivial and how in (max, min)
                check(answer(case.selection, values), answers, tight=sharp)


def links(case, left, rows):
    """Selected links of each selected left entity that sits on a node that counts."""
    count = {x: 0 for x in range(len(left)) if case.wanted[0][left[x]] and case.ok[0][x]}
    for _, _, x, _ in rows:
        count[x] += 1
    return list(count.values())


@pytest.mark.parametrize("trivial", [True, False])
def test_links_of_entities(trivial):
    for seed in SOME:
        case = tiny(seed, trivial=trivial)
        for answer, how in (
            (largest_links, max),
            (smallest_links, min),
            (average_links, lambda found: sum(found) / len(found)),
        ):
            worlds = [(left, rows) for left, _, rows in case.worlds()]
            counts = [links(case, left, rows) for left, rows in worlds]
            answers = [how(found) if found else None for found in counts]
            if any(each is not None for each in answers):
                check(answer(case.selection), answers, tight=trivial)


@pytest.mark.parametrize("kind", ["entities", "nodes"])
def test_one_attribute_is_answered_exactly(kind):
    hows = [
        (count_drawn, len),
        (sum_drawn, sum),
        (average_drawn, lambda found: sum(found) / len(found) if found else None),
        (largest_drawn, lambda found: max(found, default=None)),
        (smallest_drawn, lambda found: min(found, default=None)),
    ]
    for seed in SOME:
        case = tiny(seed)
        side, wanted, ok = case.graph.left, case.wanted[0], case.ok[0]
        values = np.array(case.values)
        make = entity_urns if kind == "entities" else node_urns
        urns = make(side, wanted, ok, values)
        drawn = [
            [
                case.values[left[x] if kind == "entities" else x]
                for x in range(len(left))
                if wanted[left[x]] and ok[x]
            ]
            for left, _, _ in case.worlds()
        ]
        for answer, how in hows:
            answers = [how(found) for found in drawn]
            if any(each is not None for each in answers):
                check(answer(urns), answers, tight=True)


def test_sums_of_fractions_that_are_known_are_exact():
    random = np.random.default_rng(2)
    values = random.random(400) * 10.0 ** random.integers(-8, 8, 400)
    groups = np.repeat(np.arange(100), 4)
    side = GroupedSide(
        "s", "id", pl.DataFrame({"v": values}), groups, random.permutation(groups), np.arange(0)
    )
    everything = np.ones(400, bool)
    for answer in (sum_drawn, average_drawn, largest_drawn, smallest_drawn):
        assert answer(entity_urns(side, everything, everything, values)).exact
