"""The risk of a release, before and after: who could be found, what could be learnt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.attack.chances import THRESHOLD
from papilio.attack.risk import Risk, RiskView, views_of
from papilio.errors import PapilioError
from papilio.families import family_of_release
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.release import Release
from papilio.workflow.attack import original_of, run_attacks

#: Largest population that may be named; there are fewer people, and estimates keep their digits.
MOST_PEOPLE = 10_000_000_000

_WHOLE = (
    "The table is taken for the whole population: the journalist has the prosecutor's chances. How "
    "many are alone in a larger population is estimated as if a tenth and a hundredth of it were "
    "in the table."
)
_SAMPLE = "The table is taken for a random sample of {:,} people."


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

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> view = pp.risk(release, original=policy, data=people).views[0]
    >>> view.before.unique, view.after.unique
    (8, 0)
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    check_threshold(threshold)
    tell = progress or silent
    family = family_of_release(opened.manifest)
    made_of = original_of(opened, original, data, tell)
    views: tuple[RiskView, ...] = ()
    if family.classes:
        check_population(population, made_of.size)
        tell("measuring", 0.05)
        views = views_of(opened, made_of.subject, original, population, threshold)
    attacks = run_attacks(opened, made_of, tell)
    notes = () if family.risk_note is None else (family.risk_note,)
    assumption = assumption_of(population) if views else ""
    return Risk(family.kind, population, assumption, threshold, views, attacks, notes)


def check_population(population: int | None, people: int) -> None:
    """Refuse a population that is smaller than the table drawn from it, or beyond all people."""
    if population is None or people <= population <= MOST_PEOPLE:
        return
    raise PapilioError(
        f"the population has to be at least as large as the table, which has {people:,} "
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


def assumption_of(population: int | None) -> str:
    """Say what is taken for granted about the population."""
    return _WHOLE if population is None else _SAMPLE.format(population)
