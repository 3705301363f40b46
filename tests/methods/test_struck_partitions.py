"""Groups that hold though rows are known, or values nearly, against a look at all partitions."""

import math
import random

import numpy as np
import polars as pl
import pytest

from oracles import ke_partition as oracle
from papilio.errors import InfeasibleError
from papilio.families.permutation.methods import struck
from papilio.families.permutation.methods.partition import ke_partition
from papilio.families.permutation.methods.value_counts import sort_values
from papilio.privacy.ke_anonymity import KeAnonymity, Near
from papilio.randomness import Randomness
from sizes import COMPILED, tries


def groups_of(values, demanded, minimise):
    kind = pl.Float64 if any(isinstance(value, float) for value in values) else pl.Int64
    column = sort_values(pl.Series(values, dtype=kind))
    classes = ke_partition(column, demanded, minimise, Randomness(1))
    assert sorted(classes.rows.tolist()) == list(range(len(values)))
    ends = classes.starts.tolist()
    return [
        [values[row] for row in classes.rows[a:b]] for a, b in zip(ends, ends[1:], strict=False)
    ]


def nearly(found, wanted):
    return math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-12)


def drawn(seed, longest=7):
    """A tiny column and demands on it, which may be too much."""
    draw = random.Random(seed)
    pool = draw.choice((3, 5, 9))
    unit = draw.choice((1, 1, 0.1, 0.25))
    values = [draw.randint(0, pool) * unit for _ in range(draw.randint(3, longest))]
    values = [float(v) if unit != 1 else v for v in values]
    k, e = draw.choice((1, 2, 2, 3)), draw.choice((0, 1, 2))
    known = draw.choice((0, 1, 1, 2))
    if (k, e) == (1, 0):
        known = 0
    near = None
    if not known or draw.random() < 0.5:
        near = draw.choice((0, 0.1, 0.2, 1, 2)), draw.choice((0.25, 0.34, 0.5, 0.5, 0.6, 0.75))
    return values, k, e, known, near


@pytest.mark.searches
def test_partitions_equal_exhaustive_search():
    met = 0
    for seed in range(tries(80, 3000) if COMPILED else 20):
        values, k, e, known, near = drawn(seed)
        demanded = KeAnonymity("x", k, e, known, near and Near(*near))
        wanted = oracle.bests(values, k, e, known, near)
        if wanted is None:
            with pytest.raises(InfeasibleError):
                groups_of(values, demanded, "sum")
            continue
        met += 1
        found = {goal: groups_of(values, demanded, goal) for goal in ("sum", "max", "groups")}
        for groups in found.values():
            assert all(oracle.meets(group, k, e, known, near) for group in groups), seed
        sums = {goal: sum(map(oracle.width, groups)) for goal, groups in found.items()}
        assert nearly(sums["sum"], wanted[0]), seed
        assert nearly(max(map(oracle.width, found["max"])), wanted[1]), seed
        assert len(found["groups"]) == wanted[2], seed
        assert nearly(sums["groups"], wanted[3]), seed
    assert met > (20 if COMPILED else 3)


@pytest.mark.parametrize("known", [0, 2])
@pytest.mark.parametrize("minimise", ["sum", "max", "groups"])
def test_what_is_demanded_holds_where_cuts_are_left_out(known, minimise, monkeypatch):
    monkeypatch.setattr(struck, "UNITS", 60)
    monkeypatch.setattr(struck, "_PAIRS", 900)
    values = np.random.default_rng(3).integers(0, 100, 500).tolist()
    demanded = KeAnonymity("x", 3, 5, known, Near(4, 0.4))
    groups = groups_of(values, demanded, minimise)
    assert len(groups) > 1
    assert all(oracle.meets(group, 3, 5, 0, (4, 0.4)) for group in groups)
    # Any two known rows are those of the rarest values, or the ends.
    for group in groups:
        ordered = sorted(group)
        ends = [ordered[a : len(ordered) - known + a] for a in range(known + 1)]
        assert all(oracle.is_ke_anonymous(left, 3, 5) for left in ends)


def test_many_copies_are_shared_where_both_sides_have_enough():
    values = [0] * 3 + [5] * 40 + [9] * 3
    groups = groups_of(values, KeAnonymity("x", 2, 1, 2), "sum")
    assert sorted(map(sorted, groups)) == [[0] * 3 + [5] * 20, [5] * 20 + [9] * 3]


@pytest.mark.parametrize(
    ("demanded", "nearest"),
    [
        ({"known": 3}, "a known of at most 1 is accepted"),
        ({"known": 3, "k": 4}, "no known is accepted; with a smaller k or e one may be"),
        ({"near": Near(1, 0.25)}, "an at_most of at least 0.5 is accepted"),
        ({"near": Near(10, 0.25)}, "a smaller width is accepted"),
    ],
)
def test_what_cannot_be_met_says_what_can(demanded, nearest):
    demanded = KeAnonymity("x", demanded.pop("k", 3), 1, **demanded)
    with pytest.raises(InfeasibleError) as caught:
        groups_of([1, 2, 2, 7, 9, 9], demanded, "sum")
    assert caught.value.nearest == nearest
