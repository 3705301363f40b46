"""The risk of a release, before and after: who could be found, what could be learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import polars as pl

from papilio.attack.class_counts import THRESHOLD
from papilio.attack.lights import ALONE, Tried, lights_of
from papilio.attack.looks import keeping_looks
from papilio.attack.outside_file import NAME as OUTSIDE_FILE
from papilio.attack.outside_file import OutsideFile, outside_file
from papilio.attack.releases import NAME as RELEASES
from papilio.attack.releases import releases
from papilio.attack.result import AttackResult, Exposed
from papilio.attack.risk import Risk, RiskView, views_of
from papilio.attack.risk_words import notes_over_people
from papilio.data.io.frames import from_native
from papilio.data.io.read import header, read
from papilio.data.source import parse_source
from papilio.data.table import Table
from papilio.errors import PapilioError, ReleaseError
from papilio.families import family_of_release
from papilio.families.family import Attack, Original
from papilio.policy.policy import Policy
from papilio.policy.remedy import Remedy
from papilio.progress import Progress, silent
from papilio.randomness import sampling
from papilio.release.release import Release
from papilio.workflow.publish import run_method
from papilio.workflow.verify import (
    called_as,
    check_as_described,
    frame_name,
    judge_beside,
    opened_release,
    read_original,
    verify,
)


def attack(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    external: Any = None,
    who: str | None = None,
    key: str | None = None,
    also: Sequence[Release | str | Path] = (),
    learn: bool = False,
    limit: float | None = None,
    progress: Progress | None = None,
) -> tuple[AttackResult, ...]:
    """Run every attack there is on this kind of release.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; the attacks need the original to tell who is right.
    data
        The original as a frame, instead of the policy's source.
    external
        A list of people from elsewhere, as a frame or a file, to be joined with the release.
    who
        The recipient who has the list; left out, anybody.
    key
        A column that names people in the list and in the original, identifiers included.
    also
        Further releases of the same people, or their directories.
    learn
        Whether to make the release once more without a tenth of the people, and to try attackers
        who learn from it; see :func:`papilio.attack.learned_values.learned_values`.
    limit
        Seconds after which no further attack is begun; those who learn are then tried as well. None
        is ended that was begun.
    progress
        Told of each attack.

    Raises
    ------
    ReleaseError
        If no attack is known for this kind of release, or it was made with another policy.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> results = pp.attack(release, original=policy, data=people)
    >>> [result.attack for result in results]
    ['linkage', 'homogeneity', 'collusion', 'dependency', 'certain_rows', 'singling_out', \
'refinement']
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    tell = progress or silent
    made_of = original_of(opened, original, data, tell)
    beside = Beside(data, external, who, key, tuple(also), learn)
    until = end_of(limit)
    return (
        *results_of(run_attacks(opened, made_of, tell, until=until)),
        *beside.attacks(opened, made_of, until),
    )


@dataclass(frozen=True, eq=False)
class Beside:
    """What somebody has beside a release: a list of people, other releases, a model of its values.

    See :func:`attack`.
    """

    data: Any = None
    external: Any = None
    who: str | None = None
    key: str | None = None
    also: tuple[Release | str | Path, ...] = ()
    learn: bool = False

    def attacks(
        self, release: Release, original: Original, until: float | None = None
    ) -> Iterator[AttackResult]:
        """Run the attacks that need it; with an end those who learn, unless it has come.

        Raises
        ------
        PapilioError
            If the list cannot be read or compared, or recipient or key are not there.
        """
        if self.external is None and (self.who, self.key) != (None, None):
            raise PapilioError(
                "a recipient or a key is about a list; give the list too", reason="no-list"
            )
        if self.external is not None:
            yield from outside_file(
                release, original.subject, original.policy, self._file(original)
            )
        if self.also:
            others = [
                each if isinstance(each, Release) else Release.open(each) for each in self.also
            ]
            yield from releases([release, *others], original.subject, original.policy)
        if is_over(until):
            yield from map(_too_late, _again(release))
        elif self.learn or until is not None:
            yield from attacks_on_another(release, original)

    def _file(self, original: Original) -> OutsideFile:
        policy, typed = original.policy, True
        if self.who is not None and self.who not in policy.recipients:
            accepted = ", ".join(policy.recipients) or "none, as the policy names no recipient"
            raise PapilioError(
                f"the policy has no such recipient; accepted: {accepted}", reason="no-recipient"
            )
        if isinstance(self.external, str | Path):
            raw = read(parse_source(str(self.external), Path()))
            frame, typed = raw.frame, raw.typed
        else:
            frame, _ = from_native(self.external)
        if not frame.height:
            raise PapilioError("the list has no line; it needs at least one", reason="empty-table")
        keys = None
        if self.key is not None:
            if self.key not in frame.columns:
                raise PapilioError("the list has no such key column", reason="no-key")
            keys = frame.get_column(self.key), self._key_of(original)
        return OutsideFile(frame, typed, self.who, keys)

    def _key_of(self, original: Original) -> pl.Series:
        """The key of each row of the original, which need not be published."""
        where = original.policy.where()
        if self.data is not None:
            frame, _ = from_native(self.data)
            names: Sequence[str] = frame.columns
        elif where is not None:
            names = header(where)
        else:
            names = ()
        if self.key not in names:
            raise PapilioError("the original has no such key column", reason="no-key")
        if self.data is None and where is not None:
            frame = read(where, [str(self.key)]).frame
        return frame.get_column(str(self.key))


def original_of(release: Release, policy: Policy, data: Any, tell: Progress) -> Original:
    """Read what a release was made of; refuse the policy of another release."""
    family = family_of_release(release.manifest)
    if policy.family.kind != family.kind:
        raise another_policy()
    if not family.classes:
        # Keys that lead nowhere would lead an attack astray.
        check_as_described(verify(release.directory or release), "attacked")
    tell("reading", 0.0)
    original = read_original(policy, data, frame_name(policy, release.manifest))
    original = original if data is None else called_as(original, release.manifest)
    family.check_policy(release, policy, original)
    return original


def another_policy() -> ReleaseError:
    """Build the error for a policy that orders another kind of release."""
    return ReleaseError(
        "the policy orders another kind of release; give the policy the release was made with",
        reason="another-policy",
    )


def end_of(limit: float | None) -> float | None:
    """When a number of seconds from now is over.

    Raises
    ------
    PapilioError
        If the limit is not positive.
    """
    if limit is None:
        return None
    if not limit > 0:
        raise PapilioError(
            "the time limit has to be a positive number of seconds, such as 60", reason="bad-limit"
        )
    return monotonic() + limit


def is_over(until: float | None) -> bool:
    """Whether no further attack is begun."""
    return until is not None and monotonic() >= until


def _too_late(attack: Attack) -> AttackResult:
    return AttackResult(attack.name, "nobody", "Not tried: the time limit was over.")


def _again(release: Release) -> list[Attack]:
    return [each for each in family_of_release(release.manifest).attacks if each.again]


@keeping_looks()
def run_attacks(
    release: Release,
    original: Original,
    tell: Progress,
    policy: Policy | None = None,
    until: float | None = None,
) -> tuple[Tried, ...]:
    """Run every attack of the family of a release, one after the other, until an end has come.

    Remedies are changes of ``policy``, the one the owner wrote, which a family may read as another.
    """
    attacks = [each for each in family_of_release(release.manifest).attacks if not each.again]
    tried: list[Tried] = []
    for number, each in enumerate(attacks):
        tell(each.name, 0.1 + 0.9 * number / len(attacks))
        if is_over(until):
            tried.append(Tried(each.name, each.light, (_too_late(each),), begun=False))
            continue
        results, remedy = tuple(each.run(release, original)), each.remedy
        closed = partial(_closed, remedy, policy or original.policy)
        tried.append(Tried(each.name, each.light, results, each.beyond, closed, each.otherwise))
    return tuple(tried)


#: What helps against whom somebody finds beside a release, and no line of its policy closes.
_OTHERWISE = {
    OUTSIDE_FILE: "Make all columns that such a list may have quasi, or demand a larger k.",
    RELEASES: "Publish these people once, and give everybody the same release.",
}


def _tried_beside(results: Iterable[AttackResult], tried: Iterable[Tried]) -> Iterator[Tried]:
    """What was found with a list or with other releases, which the owner says that there are.

    Kinds of releases in which nobody counts as found, as they publish who is in them on purpose,
    are not blamed for that here either.
    """
    identities = any(
        found.column is None
        for each in tried
        for result in each.results
        for found in result.exposed
    )
    for each in results:
        if each.attack in _OTHERWISE:
            exposed = tuple(f for f in each.exposed if identities or f.column is not None)
            counted = (replace(each, exposed=exposed),)
            yield Tried(each.attack, ALONE, counted, otherwise=_OTHERWISE[each.attack])


def _closed(
    remedy: Callable[[Exposed, Policy], Remedy | None], policy: Policy, exposed: Exposed
) -> Remedy | None:
    return remedy(exposed, policy)


#: Share of the people who are held out, and how many at most; with fewer nothing can be told.
_HELD_OUT, _MOST_HELD_OUT, _FEWEST_HELD_OUT = 0.1, 4_000, 20
_LEARNED = "learned_values"


def attacks_on_another(release: Release, original: Original) -> Iterator[AttackResult]:
    """Hold people out, make the release once more without them, and run what attacks such a one.

    Attacks may not ask the methods, so what they need is made here: by the same policy and method,
    of all people but control people, who are drawn by chance, the same in every run. It is neither
    verified nor kept: nobody gets it.
    """
    attacks = _again(release)
    reason = "no such attack is known for this kind of release" if not attacks else ""
    held_out = min(int(_HELD_OUT * original.size), _MOST_HELD_OUT)
    if original.only is None:
        reason = reason or "people have several rows"
    elif held_out < _FEWEST_HELD_OUT:
        reason = f"it takes at least {_FEWEST_HELD_OUT / _HELD_OUT:,.0f} people to hold some out"
    if reason or original.only is None:
        yield AttackResult(_LEARNED, "someone who learns from the release", f"Not tried: {reason}.")
        return
    held = np.zeros(original.size, bool)
    held[sampling().permutation(original.size)[:held_out]] = True
    try:
        rest = original.only(~held)
        made = run_method(rest, sampling(), silent).made.release
    except PapilioError as error:
        reason = f"without {held_out:,} people the release could not be made, as {error}"
        yield AttackResult(_LEARNED, "someone who learns from the release", f"Not tried: {reason}.")
        return
    control = replace(original.subject, frame=original.subject.frame.filter(pl.Series(held)))
    for each in attacks:
        yield from each.run(made, rest, control)


def results_of(tried: Iterable[Tried]) -> tuple[AttackResult, ...]:
    """What attacks found, one after the other."""
    return tuple(result for each in tried for result in each.results)


#: Largest population that may be named; there are fewer people, and estimates keep their digits.
MOST_PEOPLE = 10_000_000_000
_WHOLE = (
    "The table is taken for the whole population: the journalist has the prosecutor's chances. How "
    "many are alone in a larger population is estimated as if a tenth and a hundredth of it were "
    "in the table."
)
_SAMPLE = "The table is taken for a random sample of {:,} people."


@keeping_looks()
def risk(
    release: Release | str | Path,
    *,
    original: Policy,
    population: int | None = None,
    threshold: float = THRESHOLD,
    data: Any = None,
    beside: Beside | None = None,
    limit: float | None = None,
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
    beside
        What somebody has beside the release.
    limit
        Seconds after which no further attack is begun; those on request are then tried as well.
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
    until = end_of(limit)
    tell = progress or silent
    family = family_of_release(opened.manifest)
    made_of = original_of(opened, original, data, tell)
    views: tuple[RiskView, ...] = ()
    tell("measuring", 0.05)
    if family.classes:
        check_population(population, *counted_in(made_of.subject))
        views = views_of(opened, made_of.subject, original, population, threshold)
    elif family.views is not None:
        check_population(population, made_of.size, "people")
        views = family.views(opened, made_of.order, original, population, threshold)
    with opened_release(opened.directory or opened, alone=False, memory=None) as judged:
        verdict = judge_beside(judged, made_of)
    tried = run_attacks(opened, made_of, tell, original, until)
    attacks = results_of(tried)
    if beside is not None or until is not None:
        more = tuple((beside or Beside()).attacks(opened, made_of, until))
        attacks += more
        tried += tuple(_tried_beside(more, tried))
    notes: tuple[str, ...] = () if family.risk_note is None else (family.risk_note,)
    notes += notes_over_people([e for view in views for e in (view.before, view.after)])
    assumption = assumption_of(population) if views else ""
    lights = lights_of(verdict, tried, original.lights)
    return Risk(family.kind, population, assumption, threshold, views, attacks, notes, lights)


def counted_in(table: Table) -> tuple[int, str]:
    """How many people a table has, and what they are counted by: rows, or people."""
    return (table.height, "rows") if table.people is None else (table.people.count, "people")


def check_population(population: int | None, people: int, unit: str = "rows") -> None:
    """Refuse a population that is smaller than the table drawn from it, or beyond all people."""
    if population is None or people <= population <= MOST_PEOPLE:
        return
    raise PapilioError(
        f"the population has to be at least as large as the table, which has {people:,} "
        f"{unit}, and at most {MOST_PEOPLE:,}; {population:,} is not",
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
