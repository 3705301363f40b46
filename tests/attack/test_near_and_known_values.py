"""Guesses that come near, and groups that a few known values open, against every world."""

import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import papilio as pp
from grouped_cases import LEAVES, reading_of, tiny
from oracles import grouped_attacks as oracle
from papilio.attack.group_reading import reach
from papilio.attack.known_values import known_figures, openings
from papilio.attack.near_value import near_figures
from papilio.attack.result import Exposed
from sizes import tries

PAY = {"id": "quasi", "pay": "sensitive"}


def attack(frame, privacy, name, pay="sensitive"):
    policy = pp.Policy(columns=PAY | {"pay": pay}, privacy=privacy)
    release = pp.publish(frame, policy, name="staff", seed=1)
    results = pp.attack(release, original=policy, data=frame)
    (result,) = (each for each in results if each.attack == name)
    return result


def staff(pay):
    return pl.DataFrame({"id": range(len(pay)), "pay": pay})


def adult():
    frame = pp.samples.adult().filter(pl.col("capital-loss") > 0)
    return staff(frame.get_column("capital-loss"))


def test_adult_is_guessed_within_a_twentieth_of_the_range():
    """Figures of (4,100) on capital losses: nearly everybody's group is one window wide."""
    result = attack(adult(), pp.KE(4, 100), "near_value")
    assert result.figures["right"] == pytest.approx(1406)
    assert result.figures["mean"] == pytest.approx(0.985, abs=5e-4)
    assert result.exposed == (Exposed(1366, 1427, "pay", verb="is guessed closely", width=210.05),)


def test_two_large_groups_of_adult_are_open_by_one_row():
    frame = adult()
    result = attack(frame, pp.KE(4, 100), "known_values")
    columns = {"id": "quasi", "pay": "sensitive"}
    release = pp.publish(frame, pp.Policy(columns=columns, privacy=pp.KE(4, 100)), name="a")
    groups = release.frames["a_values"].group_by("group").agg(pl.col("pay"))
    one = [
        pay
        for pay in groups.get_column("pay").to_list()
        if min(len(pay) - oracle.most_in_a_window(pay, 99)[0], _rarest(pay, 4)) <= 1
    ]
    assert {440, 281} <= {len(pay) for pay in one}
    assert result.exposed == (Exposed(sum(map(len, one)), 1427, "pay", verb="is laid open"),)


def _rarest(pay, k):
    counts = sorted(pay.count(value) for value in set(pay))
    return sum(counts[: len(counts) - k + 1])


@pytest.mark.searches
@pytest.mark.parametrize("ranges", [False, True])
def test_windows_are_those_of_every_world(ranges):
    above = 0
    for seed in range(tries(80, 600)):
        case = tiny(seed, ranges=ranges)
        width = random.Random(seed).choice((0, 4, 5, 10, 15, 30))
        best = oracle.best_windows(case.rows, case.cells, width)
        figures = near_figures(case.reading, Fraction(width), 0.6)
        assert figures["right"] == pytest.approx(float(sum(best))), seed
        assert figures["largest"] == pytest.approx(float(max(best))), seed
        assert figures["certain"] == sum(each == 1 for each in best), seed
        assert figures["exposed"] == sum(each > Fraction(3, 5) for each in best), seed
        above += 0 < figures["exposed"] < figures["rows"]
    assert above > 3


def test_the_limit_is_half_way_from_what_the_column_says():
    case = reading_of([(0, 1), (1, 1), (2, 2), (3, 2)], {1: [(0,), (0,)], 2: [(0,), (20,)]})
    figures = near_figures(case)
    assert (figures["width"], figures["before"], figures["limit"]) == (1, 0.75, 0.875)
    assert (figures["exposed"], figures["certain"], figures["mean"]) == (2, 2, 0.75)


@pytest.mark.searches
def test_wide_groups_of_independent_values_are_silent():
    alarms = 0
    for seed in range(tries(4, 30)):
        pay = np.random.default_rng(seed).integers(0, 10_000, 400)
        result = attack(staff(pay), pp.KE(40, 3000), "near_value")
        alarms += result.exposed[0].people
        assert result.figures["before"] < 0.15
    assert alarms == 0


def test_a_column_of_one_frequent_value_exposes_nobody_by_that():
    pay = [0] * 90 + list(range(1, 11))
    policy = pp.KE(11, 10)
    nobody = Exposed(0, 100, "pay", verb="is guessed closely", width=0.5)
    assert attack(staff(pay), policy, "near_value").exposed == (nobody,)


def test_labels_are_not_near_each_other():
    frame = pl.DataFrame({"id": range(8), "pay": list("aabbccdd")})
    labels = {"role": "sensitive", "domain": list("abcd")}
    result = attack(frame, {"target": {"pay": "uniform"}}, "near_value", labels)
    assert (result.figures, result.exposed) == ({}, ())


def test_no_cell_is_told():
    pay = [987654, 987655, 987656, 987657]
    for name in ("near_value", "known_values"):
        assert "98765" not in str(attack(staff(pay), pp.KE(2, 1), name))


@pytest.mark.searches
def test_openings_are_those_of_every_set_of_rows():
    seen = set()
    for seed in range(tries(150, 3000)):
        draw = random.Random(seed)
        sizes = [draw.randrange(1, 8) for _ in range(draw.randrange(1, 4))]
        few = draw.choice((2, 4, 7))
        cells = {
            g: [(draw.choice([None, *range(0, 3 * few, 3)]),) for _ in range(size)]
            for g, size in enumerate(sizes, 1)
        }
        rows = [(0, g) for g, size in enumerate(sizes, 1) for _ in range(size)]
        k, e = draw.randrange(1, 5), draw.choice((0, 1, 3, Fraction(7, 2), 6, 9))
        wanted = [oracle.rows_that_open([v for (v,) in cells[g]], k, e) for g in sorted(cells)]
        found = openings(reading_of(rows, cells), k, Fraction(e))
        assert found.get_column("opens").to_list() == wanted, seed
        figures = known_figures(reading_of(rows, cells), k, Fraction(e))
        assert figures["by_one"] == sum(s for s, o in zip(sizes, wanted, strict=True) if o <= 1)
        seen |= set(wanted)
    assert seen >= {0, 1, 2, 3}


@pytest.mark.parametrize("beyond", [False, True])
def test_reach_is_exact(beyond):
    for values, distance in (
        ([0.0, 0.1, 0.2, 0.3, 0.4], Fraction(1, 10)),
        ([0.1 * i for i in range(30)], Fraction(3, 10)),
        ([-(2**62), 0, 2**62 - 1, 2**62], Fraction(2**62)),
        ([1e300, 1.5e300], Fraction(5 * 10**299)),
        (list(LEAVES), Fraction(0)),
    ):
        found = reach(np.array(values), distance, beyond=beyond)
        for index, low in enumerate(values):
            apart = [Fraction(v) - Fraction(low) for v in values]
            far = [d > distance if beyond else d >= distance for d in apart]
            assert found[index] == next((at for at, yes in enumerate(far) if yes), len(values))
