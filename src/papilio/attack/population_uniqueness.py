"""Uniqueness in the table, and in the population: which of the estimates to go by."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from papilio.attack.class_counts import ClassCounts
from papilio.attack.holdings import Holdings, people_counts
from papilio.attack.uniqueness_models import (
    UniquenessEstimate,
    pitman,
    slide_negative_binomial,
    zayatz,
)

SAMPLE, NAME = "sample_uniqueness", "population_uniqueness"
#: Sampling fraction up to which Pitman's estimate is taken.
SMALL = 0.1
_COUNTED = "The table is the whole population, so that nothing has to be estimated."
_NOBODY = "Nobody is alone in the table, so that nobody in it can be alone in the population."
#: Why nothing is estimated over people whose rows are spread.
SPREAD = (
    "Not defined over people who have rows in several classes: the models take everybody for one "
    "unit in one class."
)


def sample_uniqueness(counts: ClassCounts) -> int:
    """People whose class has one row.

    It needs no assumption about the population, and is an upper bound on how many people of the
    table can be alone in it. Under k-anonymity with k of at least 2 there are none in a release.
    Source: Bethlehem, Keller and Pannekoek, "Disclosure control of microdata", JASA 1990.
    """
    return counts.of_size(1)


def unique_over_people(held: Holdings) -> int:
    """People of whom some row is like no row of anybody else: a class that is theirs alone.

    It may have several rows. With one row a person it is :func:`sample_uniqueness`; under
    k-anonymity over people with k of at least 2 there are none in a release.
    """
    return int((held.chances >= 1).sum())


def unique_together(lines: pl.DataFrame) -> int:
    """People whose rows, all together, are like those of nobody else.

    Everybody who has equally many rows in each of the same classes is alike. It takes somebody who
    knows all rows of a person and can tell which rows are one person's: a release of spread rows
    does not say that, so in a release it is an upper bound on what anybody could reach.

    Parameters
    ----------
    lines
        ``person``, ``class`` and ``rows``; one line for each person and class.

    Notes
    -----
    Cost: a sort and two groupings of the lines.
    """
    one = pl.concat_str(
        pl.col("class").cast(pl.String), pl.col("rows").cast(pl.String), separator=":"
    )
    ordered = lines.sort("person", "class").with_columns(one.alias("one"))
    every = ordered.group_by("person").agg(pl.col("one").str.join(" "))
    return every.group_by("one").len("alike").filter(pl.col("alike") == 1).height


@dataclass(frozen=True)
class PopulationUniqueness:
    """All estimates for one population, and the one to go by.

    Attributes
    ----------
    population
        People the table was drawn from.
    fraction
        Share of them who are in the table.
    chosen
        The estimate the decision rule takes.
    rule
        Why it is that one, in a sentence.
    estimates
        All of them, also those that failed; empty if nothing has to be estimated.
    """

    population: int
    fraction: float
    chosen: UniquenessEstimate
    rule: str
    estimates: tuple[UniquenessEstimate, ...] = ()


def population_uniqueness(counts: ClassCounts, population: int) -> PopulationUniqueness:
    """Estimate by all models, and choose one by the rule of Dankar et al.

    Up to a tenth of the population in the table: Pitman. More: the smaller one of Zayatz and the
    slide negative binomial. Where the model to be taken has no estimate, Zayatz stands in, which
    nearly always has one and is rather too high. If nobody is alone in the table, or the table is
    the whole population, that is counted and not estimated.

    The estimates err by half and more when a sample is small; take them for an order of magnitude.
    Source: Dankar, El Emam, Neisa and Roffey, "Estimating the re-identification risk of clinical
    data sets", BMC Medical Informatics and Decision Making 12:66, 2012.
    """
    fraction, alone = counts.people / population, counts.of_size(1)
    if alone == 0 or fraction >= 1:
        return _counted(alone, population, fraction)
    estimates = (
        pitman(counts, population),
        zayatz(counts, population),
        slide_negative_binomial(counts, population),
    )
    chosen, rule = choose_estimate(estimates, fraction)
    return PopulationUniqueness(population, fraction, chosen, rule, estimates)


def uniqueness_over_people(held: Holdings, population: int) -> PopulationUniqueness:
    """Estimate how many people are alone in the population by some row of theirs.

    The models divide people into classes, so that they are asked only where each person is in one
    class; otherwise there is no estimate, and the rule says why. That nobody is, if nobody is in
    the table, holds in any case.
    """
    fraction, alone = held.people / population, unique_over_people(held)
    counts = people_counts(held)
    if alone == 0 or fraction >= 1:
        return _counted(alone, population, fraction)
    if counts is not None:
        return population_uniqueness(counts, population)
    missing = UniquenessEstimate("none", population, None, None, "", SPREAD)
    return PopulationUniqueness(population, fraction, missing, SPREAD)


def _counted(alone: int, population: int, fraction: float) -> PopulationUniqueness:
    why = _COUNTED if fraction >= 1 else _NOBODY
    counted = UniquenessEstimate("count", population, float(alone), float(alone), why)
    return PopulationUniqueness(population, fraction, counted, why)


def choose_estimate(
    estimates: tuple[UniquenessEstimate, ...], fraction: float
) -> tuple[UniquenessEstimate, str]:
    """Choose one of Pitman's, Zayatz's and the slide negative binomial estimate, and say why."""
    by_pitman, by_zayatz, by_binomial = estimates
    wanted = (by_pitman,) if fraction <= SMALL else (by_binomial, by_zayatz)
    found = [each for each in wanted if each.unique is not None]
    if not found or (fraction > SMALL and by_binomial.unique is None):
        first = wanted[0]
        end = "" if by_zayatz.unique is None else " Zayatz stands in, which is rather high."
        return by_zayatz, f"No estimate by {first.model}: {first.why_not}.{end}"
    if fraction <= SMALL:
        return by_pitman, "At most a tenth of the population is in the table: Pitman."
    smaller = min(found, key=lambda each: each.unique or 0.0)
    return smaller, "More than a tenth of the population is in the table: the smaller one is taken."
