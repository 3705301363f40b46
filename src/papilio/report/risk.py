"""What the report says of the risk of being found, as rows of a table and bars of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from papilio.attack.exposure import Band, Exposure
from papilio.attack.population_uniqueness import PopulationUniqueness
from papilio.attack.result import AttackResult
from papilio.attack.risk import RiskView
from papilio.report.number_text import count, percentage


@dataclass(frozen=True)
class RiskContent:
    """The part of a report about risk.

    Attributes
    ----------
    views
        Attackers who look for people.
    assumption
        What is taken for granted about the population.
    learnt
        What follows from classes that share a value.
    """

    views: tuple[RiskView, ...]
    assumption: str
    learnt: tuple[AttackResult, ...] = ()


@dataclass(frozen=True)
class RiskRow:
    """One measure in words: who, what they do, before, after; ``who`` is empty if as above."""

    who: str
    what: str
    before: str
    after: str


@dataclass(frozen=True)
class BandBar:
    """People in classes of some sizes, before and after."""

    label: str
    before: int
    after: int


def risk_rows(view: RiskView) -> list[RiskRow]:
    """All measures of one attacker."""
    return [*_chances(view.before, view.after), *_alone(view.before, view.after)]


def _chances(before: Exposure, after: Exposure) -> Iterator[RiskRow]:
    old, new = before.prosecutor, after.prosecutor
    yield RiskRow(
        "Prosecutor",
        "knows that a person is in the table; finds their row with a chance of at most",
        percentage(old.largest),
        percentage(new.largest),
    )
    yield RiskRow("", "… on average", percentage(old.average), percentage(new.average))
    yield RiskRow(
        "",
        f"… with a chance above {100 * new.threshold:g}%: people",
        people(old.at_risk, before),
        people(new.at_risk, after),
    )
    yield RiskRow(
        "Journalist",
        "does not know who is in the table; names the right person with a chance of at most",
        percentage(before.journalist.largest),
        percentage(after.journalist.largest),
    )
    yield RiskRow(
        "Marketer",
        "matches all rows with a register, and is right about so many people",
        people(before.marketer.expected, before),
        people(after.marketer.expected, after),
    )


def _alone(before: Exposure, after: Exposure) -> Iterator[RiskRow]:
    yield RiskRow(
        "Alone",
        "people who are like nobody else in the table",
        people(before.unique, before),
        people(after.unique, after),
    )
    for old, new in zip(before.population, after.population, strict=False):
        yield RiskRow(
            "",
            f"… and among {count(old.population)} people it was drawn from, estimated",
            _estimate(old, before),
            _estimate(new, after),
        )


def people(number: float, exposure: Exposure) -> str:
    """Write a number of people with their share: ``31 (15.5%)``."""
    if number < 0.5:
        return "nobody"
    return f"{count(round(number))} ({percentage(number / exposure.people)})"


def _estimate(found: PopulationUniqueness, exposure: Exposure) -> str:
    number = found.chosen.in_table
    return "unknown" if number is None else people(number, exposure)


def band_bars(view: RiskView) -> list[BandBar]:
    """People by the size of their class, before and after."""
    pairs = zip(view.before.bands, view.after.bands, strict=True)
    return [BandBar(band_label(old), old.people, new.people) for old, new in pairs]


def band_label(band: Band) -> str:
    """Write the sizes of a band: ``alone``, ``3–4``, ``≥ 100``."""
    if band.largest == 1:
        return "alone"
    if band.largest is None:
        return f"≥ {band.smallest}"
    return (
        str(band.smallest) if band.smallest == band.largest else f"{band.smallest}–{band.largest}"
    )
