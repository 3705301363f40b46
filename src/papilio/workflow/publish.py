"""Anonymise, verify, and return or write a release."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from papilio.attack.lights import Lights
from papilio.errors import ExposureError, PapilioError, VerificationError, shown
from papilio.families import choose
from papilio.families.family import Choice, Original
from papilio.policy.person import ROWS, identifiers_to_count, not_over_people
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.needed_paths import with_needed_paths
from papilio.release.release import Release
from papilio.release.scratch import check_target, clear
from papilio.release.store import check_format, save_release
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.judge_made import judge_made
from papilio.workflow.verify import read_original


def choice_of(policy: Policy, rows: int) -> Choice:
    """Method that a policy names, or that Papilio would choose for so many rows."""
    return choose(policy, rows)


#: Asked whether to write a release with such lights.
Agree: TypeAlias = Callable[[Lights], bool]
#: Where a release can be made.
ENGINES = ("local", "spark")


@dataclass(frozen=True, eq=False)
class Publication:
    """A release that was written, and how it came about.

    Attributes
    ----------
    release
        The release.
    verdict
        What the verifier found.
    choice
        The method and why.
    left_out
        Columns of the source that the policy does not mention.
    directory
        Where it lies.
    notes
        What else the owner should know about this run, in sentences.
    lights
        What verdict and attacks come to; grey where nobody looked.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.samples.adult().head(300).write_csv("people.csv")
    >>> columns = {"age": "quasi", "sex": "quasi"}
    >>> policy = pp.Policy(source="people.csv", columns=columns, privacy=pp.K(5), cells="safe")
    >>> publication = pp.publish_to("release", policy)
    >>> publication.verdict.holds, len(publication.left_out)
    (True, 13)
    >>> publication.lights.alone.colour.value
    'green'
    """

    release: Release
    verdict: Verdict
    choice: Choice
    left_out: tuple[str, ...]
    directory: Path
    notes: tuple[str, ...]
    lights: Lights


def publish(data: Any, policy: Policy, *, name: str = "table", seed: int | None = None) -> Release:
    """Anonymise a frame, verify the result, and return it.

    Parameters
    ----------
    data
        A pandas, Polars or Arrow frame; for a graph a mapping with the frames ``left``, ``right``
        and ``edges``, for linked tables one with a frame per table; ``None`` reads the policy's
        source.
    policy
        The order.
    name
        Name of the published table when ``data`` is a frame.
    seed
        Makes the shuffling repeatable, for tests. A seeded release says so and must not go out.

    Raises
    ------
    PolicyError, DataError
        If policy and data do not fit.
    VerificationError
        If the verifier does not confirm the release; nothing is returned then.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> policy = pp.Policy(
    ...     columns={"age": "quasi", "sex": "quasi", "occupation": "sensitive"},
    ...     privacy=[pp.K(5), pp.L("occupation", 3)],
    ... )
    >>> release = pp.publish(people, policy, name="people")
    >>> release.tables["people"].columns
    ['age_min', 'age_max', 'sex', 'occupation']
    """
    original = read_original(policy, data, name)
    made = run_method(original, Randomness(seed), silent).made
    verdict = confirm(judge_made(made.release, original, made.witness))
    return replace(made.release, _light=partial(light_made, original, policy, verdict))


def light_made(original: Original, policy: Policy, verdict: Verdict, release: Release) -> Lights:
    """Look at the lights of a release that was just made of an original."""
    from papilio.workflow.lights import lights_beside

    return lights_beside(release, original, policy, verdict)


def publish_to(
    directory: str | Path,
    policy: Policy,
    *,
    format: str = "parquet",  # noqa: A002
    seed: int | None = None,
    progress: Progress | None = None,
    engine: str = "local",
    remote: str | None = None,
    memory: int | str | None = None,
    attacks: bool = True,
    strict: bool = False,
    agree: Agree | None = None,
) -> Publication:
    """Read the policy's source, anonymise, verify, and write; all or nothing.

    Parameters
    ----------
    directory
        Where the release goes; it must not exist.
    policy, seed
        As for :func:`publish`.
    format
        ``"parquet"`` or ``"csv"``.
    progress
        Told of each stage.
    engine
        ``"local"``, or ``"spark"`` for :func:`papilio.workflow.publish_spark.publish_with_spark`.
    remote
        ``sc://host:port`` of a Spark Connect server; left out, ``"spark"`` starts its own.
    memory
        Most memory to use, in bytes or as text such as ``"8GiB"``; a table that would take more
        is published piece by piece. Left out, a share of what the machine has.
    attacks
        Whether to attack the release for its lights; where rows are never in memory as a whole,
        nobody does.
    strict
        Refuse to write a release with an amber or a red light, or where nobody would look.
    agree
        Asked, with the lights, whether to write a release with an amber or a red light.

    Raises
    ------
    ExposureError
        If a light is amber or red, and it is ``strict`` or nobody agrees; nothing is left behind.

    Notes
    -----
    What runs that were killed left in the private place for temporary files, or unfinished beside
    the target, is removed first, and a warning says so.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.samples.adult().head(300).write_csv("people.csv")
    >>> columns = {"age": "quasi", "sex": "quasi"}
    >>> policy = pp.Policy(source="people.csv", columns=columns, privacy=pp.K(5))
    >>> publication = pp.publish_to("release", policy, format="csv")
    >>> sorted(path.name for path in publication.directory.iterdir())
    ['people.csv', 'release.json']
    """
    check_engine(engine, remote)
    if strict and (not attacks or engine == "spark"):
        raise _unseen("attacks" if engine == "local" else "engine local")
    target, tell = Path(directory), progress or silent
    check_target(target)
    check_format(format)
    for leftover in clear(target.absolute().parent):
        warnings.warn(str(leftover), stacklevel=2)
    if engine == "spark":
        if memory is not None:
            raise PapilioError(
                "memory is for engine local; the workers of spark have limits of their own",
                reason="memory-unused",
            )
        from papilio.workflow.publish_spark import publish_with_spark

        made_there = publish_with_spark(
            target, policy, remote=remote, format=format, seed=seed, progress=progress
        )
        return _saying_who_counts(policy, made_there)
    pieces = _piece_by_piece(policy, memory)
    if pieces is not None:
        if strict:
            raise _unseen("a table that fits into memory")
        return _saying_who_counts(policy, pieces(target, format, seed, tell))
    tell("reading", 0.0)
    original = read_original(policy)
    run = run_method(original, Randomness(seed), tell)
    made, release = run.made, run.made.release
    seen: list[tuple[Verdict, Lights]] = []

    def inspect(draft: Path) -> None:
        tell("verifying", 0.8)
        verdict = confirm(judge_made(draft, original, made.witness))
        lights = _look(release, original, policy, verdict, tell, attacks=attacks)
        check_lights(lights, strict=strict, agree=agree)
        seen.append((verdict, lights))

    tell("writing", 0.6)
    save_release(release.manifest, release.frames, release.hierarchies, target, format, inspect)
    tell("done", 1.0)
    ((verdict, lights),) = seen
    release = replace(release, _light=lambda _: lights)
    left_out = original.order.left_out
    notes = (*run.notes, *lights.told)
    published = Publication(release, verdict, run.choice, left_out, target, notes, lights)
    return _saying_who_counts(policy, published)


def _saying_who_counts(policy: Policy, made: Publication) -> Publication:
    """Say that rows are counted, where a column that nobody mentions may say whose they are.

    Identifiers are asked about before anything is published; a column that is left out is not read,
    so that only its name can tell.
    """
    if policy.person is not None or policy.tables or policy.graph is not None:
        return made
    from papilio.measure.suggest import names_people

    if any(map(names_people, identifiers_to_count(policy))):
        return made
    name = next(filter(names_people, made.left_out), None)
    if name is None:
        return made
    if not_over_people(policy, name):
        told = "if people have several rows, each of these counts as a person"
    else:
        told = f"if people have several rows, write person: {shown(name)}"
    note = (
        "Each row counts as another person. A column that the policy does not mention, "
        f"'{shown(name)}', may say whose row each is; {told}, otherwise person: {ROWS}."
    )
    return replace(made, notes=(*made.notes, note))


_LOST = "Nobody looked: attacks were left out."


def _look(
    release: Release,
    original: Original,
    policy: Policy,
    verdict: Verdict,
    tell: Progress,
    *,
    attacks: bool,
) -> Lights:
    from papilio.workflow.lights import lights_beside, lights_unseen

    if not attacks:
        return lights_unseen(verdict, _LOST, policy)
    tell("attacking", 0.85)
    return lights_beside(
        release, original, policy, verdict, lambda _, share: tell("attacking", 0.85 + 0.15 * share)
    )


def check_lights(lights: Lights, *, strict: bool, agree: Agree | None) -> None:
    """Let a release pass whose lights are not amber or red, or that somebody agrees to.

    Raises
    ------
    ExposureError
        With the worst of what was found.
    """
    if not lights.exposing or (not strict and (agree is None or agree(lights))):
        return
    worst = max(lights, key=lambda light: light.colour.rank)
    raise ExposureError(
        f"a light of the release is {worst.colour}, so it was not written: {worst.title}: "
        f"{worst.sentence}",
        reason="exposed",
    )


def _unseen(needed: str) -> PapilioError:
    return PapilioError(
        f"strict refuses what attackers learn from, and needs {needed} for that; otherwise nobody "
        "looks",
        reason="strict-unseen",
    )


def _piece_by_piece(
    policy: Policy, memory: int | str | None
) -> Callable[[Path, str, int | None, Progress], Publication] | None:
    """How to publish a table that does not fit into memory; ``None`` if it does."""
    from papilio.families.engines.disk.memory import parse_size
    from papilio.workflow.publish_pieces import out_of_core

    run = out_of_core(policy, parse_size(memory) if isinstance(memory, str) else memory)
    if run is None:
        return None
    from papilio.workflow.publish_pieces import limits_for, publish_out_of_core

    limits = limits_for(run.memory, len(policy.published))
    return lambda target, format, seed, tell: publish_out_of_core(  # noqa: A006
        target,
        policy,
        run.source,
        limits,
        format=format,
        seed=seed,
        tell=tell,
        notes=(run.note,),
    )


@dataclass(frozen=True, eq=False)
class Run:
    """A release that is not verified yet, and how it came about."""

    made: Made
    choice: Choice
    notes: tuple[str, ...]


def run_method(original: Original, randomness: Randomness, tell: Progress) -> Run:
    """Choose a method and make a release, which is not verified yet."""
    choice = choose(original.policy, original.size)
    made = original.policy.family.make(original, choice, randomness, tell)
    release = with_needed_paths(made.release)
    notes = (*original.order.notes, *release.notes, *made.notes)
    return Run(replace(made, release=release), choice, notes)


def check_engine(engine: str, remote: str | None) -> None:
    """Refuse an engine that there is not, and a server for an engine that needs none.

    Raises
    ------
    PapilioError
        With what is accepted.
    """
    if engine not in ENGINES:
        raise PapilioError(
            f"there is no engine '{engine}'; use one of {', '.join(ENGINES)}",
            reason="unknown-engine",
        )
    if remote is not None and engine != "spark":
        raise PapilioError(
            "remote names a Spark Connect server; it needs engine spark", reason="remote-unused"
        )


def confirm(verdict: Verdict) -> Verdict:
    """Let a verdict pass that holds.

    Raises
    ------
    VerificationError
        If it does not, with what was found.
    """
    if not verdict.holds:
        failed = "; ".join(
            f"{finding.claim}: {finding.measured}"
            for finding in verdict.findings
            if finding.status is not Status.HOLDS
        )
        raise VerificationError(
            f"the verifier does not confirm the release, so it was not written: {failed}",
            reason="not-verified",
        )
    return verdict
