"""The risk of a release: how exposed people were, how exposed they are, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import polars as pl

from papilio.attack.class_counts import THRESHOLD, counts_after, counts_before
from papilio.attack.exposure import (
    Exposure,
    exposure_of,
    exposure_over_people,
    populations_of,
)
from papilio.attack.holdings import holdings_after, holdings_before
from papilio.attack.lights import Lights
from papilio.attack.people_rows import people_rows
from papilio.attack.population_uniqueness import unique_together
from papilio.attack.result import AttackResult, recipients_of, someone_knowing, together
from papilio.attack.risk_words import results_of
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release


@dataclass(frozen=True)
class RiskView:
    """One attacker, before and after.

    Attributes
    ----------
    table
        The published table they look at.
    recipient
        Who they are.
    attacker
        Who they are and what they know, in words.
    columns
        Quasi-identifiers they know.
    before, after
        How exposed people are in the original and in the release.
    results
        The same in sentences: prosecutor, journalist, marketer, uniqueness in the table and in
        the population.
    """

    table: str
    recipient: str
    attacker: str
    columns: tuple[str, ...]
    before: Exposure
    after: Exposure
    results: tuple[AttackResult, ...]


@dataclass(frozen=True)
class Risk:
    """All that can be said about the risk of a release.

    Attributes
    ----------
    kind
        Family of the release.
    population
        People the table was drawn from, if that was said.
    assumption
        What is taken for granted about the population, in a sentence.
    threshold
        Chance above which somebody counts as at risk.
    views
        Attackers who look for people; empty for kinds of releases without classes of rows.
    attacks
        What simulated attacks found.
    notes
        What the measures mean for this kind of release.
    lights
        What verdict and attacks come to.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> risk = pp.risk(release, original=policy, data=people)
    >>> risk.kind, risk.threshold, len(risk.views)
    ('generalised', 0.2, 1)
    """

    kind: str
    population: int | None
    assumption: str
    threshold: float
    views: tuple[RiskView, ...]
    attacks: tuple[AttackResult, ...] = ()
    notes: tuple[str, ...] = ()
    lights: Lights | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        lights = None if self.lights is None else self.lights.to_dict()
        return {**asdict(replace(self, lights=None)), "lights": lights}


def views_of(
    release: Release,
    original: Table,
    policy: Policy,
    population: int | None = None,
    threshold: float = THRESHOLD,
) -> tuple[RiskView, ...]:
    """Look at a release as each recipient does, and as all of them together.

    Parameters
    ----------
    release
        A release whose rows are people: generalised, projected, permuted or disguised.
    original, policy
        The table it was made from, and how.
    population
        People the table was drawn from.
    threshold
        Chance above which somebody counts as at risk.

    Notes
    -----
    Cost: two groupings of the rows per recipient and published table. If the original says whose
    rows they are, besides, finding out which rows fit which classes, twice.
    """
    return tuple(
        _view(release, original, table, attacker, population, threshold)
        for table in _about_people(release)
        for attacker in _attackers(policy)
    )


@dataclass(frozen=True)
class _Attacker:
    recipient: str
    called: str
    columns: tuple[str, ...]


def _view(
    release: Release,
    original: Table,
    table: PublishedTable,
    attacker: _Attacker,
    population: int | None,
    threshold: float,
) -> RiskView:
    known = tuple(each.name for each in table.columns if each.name in attacker.columns)
    if original.people is None:
        among = populations_of(original.height, population)
        frame = release.frames[table.name]
        counts = counts_before(original, known), counts_after(frame, table, known)
        before, after = (exposure_of(each, population, threshold, among) for each in counts)
    else:
        before, after = _over_people(release, original, table, known, population, threshold)
    words = someone_knowing(attacker.called, attacker.columns)
    results = tuple(results_of(words, before, after, population))
    return RiskView(table.name, attacker.recipient, words, known, before, after, results)


def _over_people(
    release: Release,
    original: Table,
    table: PublishedTable,
    known: tuple[str, ...],
    population: int | None,
    threshold: float,
) -> tuple[Exposure, Exposure]:
    """Look at people who may have several rows, before and after."""
    once = holdings_before(original, known)
    now = holdings_after(release, table, original, known)
    lines = {"person": once.person, "class": once.group, "rows": once.most}
    seen = people_rows(release, original, known, ())
    together = unique_together(pl.DataFrame(lines)), unique_together(seen.lines)
    among = populations_of(once.people, population)
    before, after = (
        exposure_over_people(held, alone, population, threshold, among)
        for held, alone in zip((once, now), together, strict=True)
    )
    return before, after


def _about_people(release: Release) -> Iterator[PublishedTable]:
    """Published tables with quasi-identifiers."""
    for table in release.manifest.tables:
        if any(column.role == "quasi" for column in table.columns):
            yield table


def _attackers(policy: Policy) -> Iterator[_Attacker]:
    recipients = recipients_of(policy)
    for name, columns in recipients.items():
        yield _Attacker(name, name, columns)
    if len(recipients) > 1:
        called = " and ".join(recipients) + " together"
        yield _Attacker(ALL_RECIPIENTS, called, together(recipients, policy))
