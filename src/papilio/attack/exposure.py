"""How exposed people are to somebody who knows some columns: all measures at one glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papilio.attack.chances import THRESHOLD, Chances
from papilio.attack.class_counts import ClassCounts
from papilio.attack.journalist import journalist
from papilio.attack.marketer import Matched, marketer
from papilio.attack.population_uniqueness import PopulationUniqueness, population_uniqueness
from papilio.attack.prosecutor import prosecutor
from papilio.attack.sample_uniqueness import sample_uniqueness

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
class Exposure:
    """What is known of the people in a table to somebody who knows some of its columns.

    Attributes
    ----------
    people, classes, smallest
        Rows, classes, and rows of the smallest class.
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
        People by the size of their class.
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


def bands_of(counts: ClassCounts) -> tuple[Band, ...]:
    """Count people by the size of their class."""
    people = counts.sizes * counts.classes
    ends = [*(first - 1 for first in BANDS[1:]), None]
    found = []
    for first, last in zip(BANDS, ends, strict=True):
        inside = (counts.sizes >= first) & (counts.sizes <= (last or counts.sizes.max(initial=0)))
        found.append(Band(first, last, int(people[inside].sum())))
    return tuple(found)
