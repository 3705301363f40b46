"""Estimates of uniqueness in the population: formulas by hand, and populations that are known."""

from __future__ import annotations

import sys
from math import exp, fsum

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_risk_measures import of_sizes, pitman_people

from oracles import reidentification as oracle
from papilio.attack.class_counts import ClassCounts, counts_of
from papilio.attack.population_uniqueness import choose_estimate, population_uniqueness
from papilio.attack.uniqueness_models import (
    UniquenessEstimate,
    classes_of_population,
    estimate,
    expected_alone,
    fit,
    harmonic,
    pitman,
    slide_negative_binomial,
    zayatz,
)

HISTOGRAMS = st.dictionaries(st.integers(1, 12), st.integers(1, 30), min_size=1)


def counts(histogram: dict[int, int]) -> ClassCounts:
    sizes = sorted(histogram)
    return ClassCounts(np.array(sizes), np.array([histogram[size] for size in sizes]))


def sample_of(rng, people, fraction):
    """Classes of a sample, and how many of all people are alone."""
    drawn = rng.choice(people, int(fraction * len(people)), replace=False)
    sizes = np.bincount(drawn)
    return counts_of(pl.Series(sizes[sizes > 0])), int((np.bincount(people) == 1).sum())


@given(HISTOGRAMS, st.integers(2, 50))
def test_zayatz_is_bayes_rule_with_exact_coefficients(histogram, times):
    some = counts(histogram)
    population = some.people * times
    found = zayatz(some, population)
    truth = oracle.zayatz(histogram, population)
    if truth > population:
        assert found.unique is None
        return
    assert found.unique == pytest.approx(float(truth), rel=1e-6, abs=1e-9)


@given(HISTOGRAMS)
def test_pitman_is_where_the_likelihood_is_largest(histogram):
    some = counts(histogram)
    assume(1 < some.total < some.people)
    fitted = fit(some)
    assume(not isinstance(fitted, str))
    theta, alpha = fitted
    best = oracle.pitman_log_likelihood(histogram, theta, alpha)
    rng = np.random.default_rng(1)
    for near in (0.01, 0.3, 2.0):
        for _ in range(20):
            other = alpha + near * rng.normal()
            far = (theta + alpha) * exp(near * rng.normal()) - other
            if 1e-4 <= other < 1 and far > -other:
                assert oracle.pitman_log_likelihood(histogram, far, other) <= best + 1e-6


@pytest.mark.parametrize(("theta", "alpha"), [(-0.2, 0.5), (3.0, 0.1), (1000.0, 0.9)])
def test_pitman_expects_as_many_alone_as_its_urn(theta, alpha):
    assert expected_alone(theta, alpha, 5_000) == pytest.approx(
        oracle.pitman_alone(theta, alpha, 5_000), rel=1e-8
    )


@pytest.mark.parametrize("theta", [50.0, 2e6])
def test_pitman_keeps_its_digits_in_huge_populations(theta):
    """There E[S_1] is N ** alpha times a constant, so that it grows by a power of ten."""
    alpha = 0.7
    ratio = expected_alone(theta, alpha, 10**13) / expected_alone(theta, alpha, 10**10)
    assert ratio == pytest.approx(10 ** (3 * alpha), rel=1e-3)


@pytest.mark.parametrize("start", [1e-9, 0.3, 17.0, 999_999.0, 1e6, 3e9, 1e15])
def test_a_sum_of_inverses_is_that_of_adding_up(start):
    assert harmonic(start, 500) == pytest.approx(
        fsum(1 / (start + i) for i in range(500)), rel=1e-10
    )


def test_even_classes_are_fitted_as_well():
    """Twelve classes of four to six rows once had no fit, for want of digits."""
    theta, alpha = fit(of_sizes(_4=4, _5=4, _6=4))
    assert alpha < 0.001
    assert theta == pytest.approx(4.2, abs=0.1)


@pytest.mark.parametrize(("alpha", "q"), [(0.5, 0.9), (2.0, 0.6), (0.2, 0.97)])
@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.9])
def test_slide_negative_binomial_finds_its_own_parameters(alpha, q, fraction, monkeypatch):
    """Counts that are exactly those expected lead back to the number alone."""
    classes = 1_000_000
    sizes = oracle.slid_sizes(alpha, q, 1_000)
    expected = {
        size: round(classes * oracle.sampled(sizes, fraction, size)) for size in range(1, 60)
    }
    some = counts({size: count for size, count in expected.items() if count})
    module = sys.modules[slide_negative_binomial.__module__]
    monkeypatch.setattr(module, "classes_of_population", lambda *_: float(classes))
    found = slide_negative_binomial(some, round(some.people / fraction))
    assert found.unique == pytest.approx(classes * (1 - q) ** alpha, rel=0.02)


def test_the_number_of_classes_is_estimated_well_from_half_of_the_people():
    rng = np.random.default_rng(2)
    sizes = 1 + rng.negative_binomial(0.5, 0.1, 20_000)
    people = np.repeat(np.arange(len(sizes)), sizes)
    some, _ = sample_of(rng, people, 0.5)
    assert some.total < 0.9 * 20_000
    assert classes_of_population(some, 0.5) == pytest.approx(20_000, rel=0.03)


@pytest.mark.parametrize(("theta", "alpha"), [(100.0, 0.6), (50.0, 0.8)])
@pytest.mark.parametrize("fraction", [0.05, 0.1])
def test_pitman_tells_who_is_alone_in_a_population_of_its_kind(theta, alpha, fraction):
    rng = np.random.default_rng(3)
    some, alone = sample_of(rng, pitman_people(rng, 30_000, theta, alpha), fraction)
    found = population_uniqueness(some, 30_000)
    assert found.chosen.model == "Pitman"
    assert found.chosen.unique == pytest.approx(alone, rel=0.15)


@pytest.mark.parametrize("spread", [1.0, 2.0])
@pytest.mark.parametrize("fraction", [0.5, 0.8])
def test_the_rule_tells_who_is_alone_from_a_large_sample(spread, fraction):
    rng = np.random.default_rng(4)
    weights = rng.lognormal(0, spread, 20_000)
    people = rng.choice(len(weights), 50_000, p=weights / weights.sum())
    some, alone = sample_of(rng, people, fraction)
    found = population_uniqueness(some, len(people))
    assert found.chosen.model != "Pitman"
    assert found.chosen.unique == pytest.approx(alone, rel=0.15)
    assert found.chosen.in_table <= some.of_size(1)


def guess(model: str, unique: float | None) -> UniquenessEstimate:
    return UniquenessEstimate(model, 1000, unique, unique, "", "" if unique is not None else "no")


@pytest.mark.parametrize(
    ("fraction", "found", "chosen"),
    [
        (0.1, (30, 90, 50), "P"),
        (0.01, (90, 30, 50), "P"),
        (0.01, (None, 30, 50), "Z"),
        (0.11, (1, 30, 50), "Z"),
        (0.5, (1, 60, 50), "S"),
        (0.5, (1, 60, None), "Z"),
        (0.5, (1, None, 50), "S"),
        (0.01, (None, None, 50), "Z"),
    ],
)
def test_the_rule_of_dankar(fraction, found, chosen):
    estimates = tuple(guess(name, each) for name, each in zip("PZS", found, strict=True))
    assert choose_estimate(estimates, fraction)[0].model == chosen


def test_what_can_be_counted_is_not_estimated():
    nobody = population_uniqueness(of_sizes(_2=50), 10_000)
    assert (nobody.chosen.model, nobody.chosen.unique, nobody.estimates) == ("count", 0.0, ())
    everybody = population_uniqueness(of_sizes(_1=7, _2=50), 107)
    assert (everybody.chosen.model, everybody.chosen.unique) == ("count", 7.0)


def test_a_table_of_strangers_says_nothing_to_models():
    some = of_sizes(_1=200)
    assert pitman(some, 20_000).unique is None
    assert slide_negative_binomial(some, 20_000).unique is None
    assert population_uniqueness(some, 20_000).chosen.unique == 20_000


@given(HISTOGRAMS, st.sampled_from([1.01, 1.5, 3, 9.9, 20, 1000, 10**6]))
def test_no_estimate_is_impossible(histogram, times):
    some = counts(histogram)
    population = max(some.people + 1, int(some.people * times))
    found = population_uniqueness(some, population)
    for each in (found.chosen, *found.estimates):
        assert (each.unique is None) == bool(each.why_not)
        if each.unique is not None:
            assert 0 <= each.unique <= population
            assert each.in_table <= some.of_size(1)


@pytest.mark.parametrize("impossible", [-1.0, 1001.0, float("nan"), float("inf")])
def test_a_number_that_cannot_be_is_no_estimate(impossible):
    found = estimate("m", impossible, people=10, alone=5, population=1000, assumption="")
    assert found.unique is None
    assert found.why_not
