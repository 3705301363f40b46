"""How exposed people are to somebody who knows some columns: all measures at one glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.attack.class_counts import THRESHOLD, Chances, ClassCounts
from papilio.attack.holdings import Holdings
from papilio.attack.journalist import journalist, journalist_over_people
from papilio.attack.marketer import Matched, marketer, marketer_over_people
from papilio.attack.population_uniqueness import (
    PopulationUniqueness,
    population_uniqueness,
    sample_uniqueness,
    unique_over_people,
    uniqueness_over_people,
)
from papilio.attack.prosecutor import prosecutor, prosecutor_over_people

#: Sampling fractions that uniqueness is estimated for if nobody says how large the population is.
FRACTIONS = (0.1, 0.01)
#: Smallest size of each band of classes.
BANDS = (1, 2, 3, 5, 10, 20, 100)


@dataclass(frozen=True)
class Band:
    """People in classes of some sizes; ``largest`` is ``None`` in the last band."""

    smallest: int
    largest: int | None
    people: int


@dataclass(frozen=True)
class SeveralRows:
    """What there is to say besides where a person may have several rows.

    Attributes
    ----------
    rows
        Rows in all classes.
    smallest
        People in the class that has fewest.
    together
        People whose rows, all together, are like nobody else's; in a release, to somebody who can
        tell which rows are one person's.
    uncertain
        Rows that fit several classes, so that whose a class is is known up to bounds only.
    """

    rows: int
    smallest: int
    together: int
    uncertain: int


@dataclass(frozen=True)
class Exposure:
    """What is known of the people in a table to somebody who knows some of its columns.

    Attributes
    ----------
    people, classes, smallest
        People, who are rows unless the policy says whose rows they are; classes, and rows of the
        smallest class.
    unique
        People who are alone in the table.
    prosecutor, journalist
        Chances to find a person's row.
    marketer
        Rows that are matched with the right person.
    population
        How many may be alone in the population: for the population that was named, or for some
        sampling fractions.
    bands
        People by the size of their class; of people with several rows, by the class they own most
        of, and its rows for each of theirs.
    several
        What there is to say besides where a person may have several rows.
    """

    people: int
    classes: int
    smallest: int
    unique: int
    prosecutor: Chances
    journalist: Chances
    marketer: Matched
    population: tuple[PopulationUniqueness, ...]
    bands: tuple[Band, ...]
    several: SeveralRows | None = None


def populations_of(people: int, population: int | None) -> tuple[int, ...]:
    """Populations that uniqueness is estimated for: the one that was named, or some."""
    if population is not None:
        return (population,)
    return tuple(round(people / each) for each in FRACTIONS) if people else ()


def exposure_of(
    counts: ClassCounts,
    population: int | None = None,
    threshold: float = THRESHOLD,
    among: Sequence[int] = (),
) -> Exposure:
    """Take all measures of one set of classes.

    Parameters
    ----------
    counts
        The classes.
    population
        People the table was drawn from; left out, the journalist and the marketer take the table
        for the whole population.
    threshold
        Chance above which somebody counts as at risk.
    among
        Populations that uniqueness is estimated for.
    """
    return Exposure(
        people=counts.people,
        classes=counts.total,
        smallest=counts.smallest,
        unique=sample_uniqueness(counts),
        prosecutor=prosecutor(counts, threshold),
        journalist=journalist(counts, population, threshold),
        marketer=marketer(counts, population),
        population=tuple(population_uniqueness(counts, each) for each in among if counts.people),
        bands=bands_of(counts),
    )


def exposure_over_people(
    held: Holdings,
    together: int,
    population: int | None = None,
    threshold: float = THRESHOLD,
    among: Sequence[int] = (),
) -> Exposure:
    """Take all measures over people who may have several rows.

    Parameters
    ----------
    held
        The classes, and whose rows they are.
    together
        People whose rows, all together, are like nobody else's.
    population, threshold, among
        As for :func:`exposure_of`.
    """
    fewest = int(held.people_of_classes.min(initial=held.people))
    return Exposure(
        people=held.people,
        classes=len(held.sizes),
        smallest=int(held.sizes.min(initial=held.rows)),
        unique=unique_over_people(held),
        prosecutor=prosecutor_over_people(held, threshold),
        journalist=journalist_over_people(held, population, threshold),
        marketer=marketer_over_people(held, population),
        population=tuple(uniqueness_over_people(held, each) for each in among if held.people),
        bands=_bands(*np.unique(np.floor(1 / held.chances + 1e-9), return_counts=True)),
        several=SeveralRows(held.rows, fewest, together, held.uncertain),
    )


def bands_of(counts: ClassCounts) -> tuple[Band, ...]:
    """Count people by the size of their class."""
    return _bands(counts.sizes, counts.sizes * counts.classes)


def _bands(sizes: NDArray[Any], people: NDArray[np.int64]) -> tuple[Band, ...]:
    ends = [*(first - 1 for first in BANDS[1:]), None]
    found = []
    for first, last in zip(BANDS, ends, strict=True):
        inside = (sizes >= first) & (sizes <= (last or sizes.max(initial=0)))
        found.append(Band(first, last, int(people[inside].sum())))
    return tuple(found)
