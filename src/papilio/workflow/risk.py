"""The risk of a release, before and after: who could be found, what could be learnt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.attack.chances import THRESHOLD
from papilio.attack.risk import Risk, RiskView, views_of
from papilio.data.table import Table
from papilio.errors import PapilioError
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.attack import attack, attack_table, original_of
from papilio.workflow.progress import Progress, silent

#: Largest population that may be named; there are fewer people, and estimates keep their digits.
MOST_PEOPLE = 10_000_000_000

_WHOLE = (
    "The table is taken for the whole population: the journalist has the prosecutor's chances. How "
    "many are alone in a larger population is estimated as if a tenth and a hundredth of it were "
    "in the table."
)
_SAMPLE = "The table is taken for a random sample of {:,} people."
_NOTES = {
    "permuted": (
        "Quasi-identifiers are published as they were, so that people are as easy to find as in "
        "the original. What is protected is the sensitive value: it is one of those of a group."
    ),
    "disguised": (
        "Quasi-identifiers are published as they were, so that people are as easy to find as in "
        "the original. What is protected is the sensitive value: each is a range, and which range "
        "of the group is whose is not published."
    ),
    "projected": (
        "Each published table is looked at by itself: finding a row in one of them does not tell "
        "which rows of the others are the person's."
    ),
    "linked": (
        "A person has rows in several tables, so that there are no classes of rows, and "
        "prosecutor, journalist and marketer are not defined. The attacks count people who fit "
        "known rows."
    ),
    "graph": (
        "The entities of both sides are published, and who they are is no secret. What is "
        "protected is who is linked to whom, so that prosecutor, journalist and marketer are not "
        "defined."
    ),
}


def risk(
    release: Release | str | Path,
    *,
    original: Policy,
    population: int | None = None,
    threshold: float = THRESHOLD,
    data: Any = None,
    progress: Progress | None = None,
) -> Risk:
    """Measure how exposed people were and are, and run every attack there is.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with.
    population
        People the table was drawn from; left out, the table is taken for all of them, and
        uniqueness in the population is estimated for a tenth and a hundredth.
    threshold
        Chance above which somebody counts as at risk, more than 0 and at most 1.
    data
        The original as a frame, instead of the policy's source.
    progress
        Told of each measure and attack.

    Raises
    ------
    PapilioError
        If the population is smaller than the table or the threshold is no chance.
    ReleaseError
        If the release was made with another policy.
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    check_threshold(threshold)
    tell, kind = progress or silent, opened.manifest.kind
    if kind in ("graph", "linked"):
        found = attack(opened, original=original, data=data, progress=tell)
        return _risk(kind, population, threshold, (), found)
    table = original_of(opened, original, data, tell)
    check_population(population, table)
    tell("measuring", 0.05)
    views = views_of(opened, table, original, population, threshold)
    attacks = attack_table(opened, table, original, tell)
    return _risk(kind, population, threshold, views, attacks)


def check_population(population: int | None, table: Table) -> None:
    """Refuse a population that is smaller than the table drawn from it, or beyond all people."""
    if population is None or table.height <= population <= MOST_PEOPLE:
        return
    raise PapilioError(
        f"the population has to be at least as large as the table, which has {table.height:,} "
        f"rows, and at most {MOST_PEOPLE:,}; {population:,} is not",
        reason="bad-population",
    )


def check_threshold(threshold: float) -> None:
    """Refuse a threshold that is no chance."""
    if not 0 < threshold <= 1:
        raise PapilioError(
            "the threshold has to be a chance above 0 and at most 1, such as 0.2",
            reason="bad-threshold",
        )


def _risk(
    kind: str,
    population: int | None,
    threshold: float,
    views: tuple[RiskView, ...],
    attacks: tuple[Any, ...],
) -> Risk:
    return Risk(
        kind=kind,
        population=population,
        assumption=assumption_of(population) if views else "",
        threshold=threshold,
        views=views,
        attacks=attacks,
        notes=(_NOTES[kind],) if kind in _NOTES else (),
    )


def assumption_of(population: int | None) -> str:
    """Say what is taken for granted about the population."""
    return _WHOLE if population is None else _SAMPLE.format(population)
