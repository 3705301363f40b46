"""Prosecutor, journalist, marketer and uniqueness in the table, against their definitions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import reidentification as oracle
from papilio.attack.class_counts import ClassCounts, counts_of
from papilio.attack.exposure import BANDS, bands_of, exposure_of
from papilio.attack.journalist import expected_chances, inverse_mean, journalist
from papilio.attack.marketer import marketer
from papilio.attack.population_uniqueness import sample_uniqueness
from papilio.attack.prosecutor import prosecutor
from papilio.attack.uniqueness_models import fit

ROWS = st.lists(st.integers(0, 12), min_size=1, max_size=60)


def counts(rows) -> ClassCounts:
    return counts_of(pl.Series(list(Counter(rows).values())))


def of_sizes(**classes: int) -> ClassCounts:
    """``of_sizes(_1=3)``: three classes of one row."""
    sizes = {int(name[1:]): number for name, number in classes.items()}
    return ClassCounts(np.array([*sizes]), np.array([*sizes.values()]))


@given(ROWS, st.sampled_from([0.05, 0.09, 0.2, 0.25, 0.5, 1.0]))
def test_prosecutor_is_that_of_trying_every_row(rows, threshold):
    largest, average, above = oracle.prosecutor(rows, threshold)
    found = prosecutor(counts(rows), threshold)
    assert found.largest == pytest.approx(float(largest))
    assert found.average == pytest.approx(float(average))
    assert found.at_risk == above


@given(ROWS)
def test_alone_are_rows_like_no_other(rows):
    assert sample_uniqueness(counts(rows)) == oracle.class_of_each(rows).count(1)


@given(ROWS)
def test_marketer_without_a_population_finds_one_row_of_each_class(rows):
    assert marketer(counts(rows)).expected == pytest.approx(float(oracle.matched(rows, rows)))


@given(ROWS)
def test_bands_hold_everybody_once(rows):
    bands = bands_of(counts(rows))
    assert [band.smallest for band in bands] == list(BANDS)
    sizes = oracle.class_of_each(rows)
    for band in bands:
        last = band.largest or len(rows)
        assert band.people == sum(band.smallest <= size <= last for size in sizes)


def test_a_class_at_the_threshold_is_not_above_it():
    assert prosecutor(of_sizes(_5=2, _4=1), 0.2).at_risk == 4
    assert prosecutor(of_sizes(_10=1), 0.1).at_risk == 0


def test_without_a_population_the_journalist_is_a_prosecutor():
    some = of_sizes(_1=3, _2=4, _9=5)
    assert journalist(some) == prosecutor(some)
    assert journalist(some, some.people) == prosecutor(some)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("share", [0.01, 0.2, 0.9])
def test_the_mean_of_the_inverse_is_that_of_adding_up(share, alpha):
    sizes = np.array([1, 2, 5, 40])
    expected = [oracle.inverse_mean(int(size), share, alpha) for size in sizes]
    assert inverse_mean(sizes, share, alpha) == pytest.approx(expected, rel=1e-6)


def test_a_single_row_of_a_sample_has_the_known_risk():
    share = 0.1
    assert inverse_mean(np.array([1]), share)[0] == pytest.approx(-share * np.log(share) / 0.9)


@pytest.mark.parametrize("times", [1.5, 5, 40])
def test_chances_are_those_of_letting_the_rest_of_the_population_in(times):
    some = of_sizes(_1=600, _2=200, _3=90, _7=40)
    theta, alpha = fit(some)
    assert theta > 100
    population = int(some.people * times)
    expected = [
        oracle.inverse_mean_of_urn(int(size), some.people, theta, alpha, population)
        for size in some.sizes
    ]
    assert expected_chances(some, population) == pytest.approx(expected, rel=0.01)


def test_chances_fall_with_the_population_and_never_exceed_the_prosecutors():
    some = of_sizes(_1=60, _2=20, _3=9, _7=4)
    before = 1 / some.sizes
    for population in (200, 400, 4_000, 10**6, 10**9):
        now = expected_chances(some, population)
        assert (now < before).all()
        assert (now > 0).all()
        before = now


def test_where_everybody_is_alone_nothing_is_taken_off():
    assert expected_chances(of_sizes(_1=500), 10**6).tolist() == [1.0]


def test_one_class_has_no_risk_worth_naming():
    found = exposure_of(of_sizes(_1000=1), 10**6)
    assert found.prosecutor.largest == 0.001
    assert found.journalist.largest <= 0.001
    assert found.unique == 0


def test_an_empty_table_exposes_nobody():
    nothing = ClassCounts(np.empty(0, np.int64), np.empty(0, np.int64))
    found = exposure_of(nothing)
    assert (found.people, found.prosecutor.largest, found.marketer.expected) == (0, 0.0, 0.0)
    assert found.population == ()


@pytest.mark.parametrize(("theta", "alpha"), [(50.0, 0.6), (300.0, 0.2)])
@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_the_marketer_is_right_of_as_many_as_are_found(theta, alpha, fraction):
    """In populations of the model, what is estimated from a sample is what a register finds."""
    rng = np.random.default_rng(11)
    people = pitman_people(rng, 20_000, theta, alpha)
    drawn = rng.choice(people, int(fraction * len(people)), replace=False)
    found = marketer(counts(drawn.tolist()), len(people))
    truth = float(oracle.matched(drawn.tolist(), people.tolist()))
    assert found.expected == pytest.approx(truth, rel=0.1)


def pitman_people(rng, population, theta, alpha):
    """Class of each of some people, who come one after the other."""
    classes, sizes = np.zeros(population, int), [1]
    for there in range(1, population):
        if rng.random() < (theta + len(sizes) * alpha) / (theta + there):
            classes[there] = len(sizes)
            sizes.append(1)
            continue
        while True:
            like = classes[rng.integers(there)]
            if rng.random() < 1 - alpha / sizes[like]:
                break
        classes[there] = like
        sizes[like] += 1
    return classes
