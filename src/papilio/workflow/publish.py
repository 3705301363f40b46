"""Anonymise, verify, and return or write a release."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.errors import VerificationError
from papilio.methods.choose import Choice, choose
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.release.store import check_format, check_target, save_release
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.make import make
from papilio.workflow.order import order_of
from papilio.workflow.progress import Progress, silent
from papilio.workflow.verify import verify, verify_limits


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
    """

    release: Release
    verdict: Verdict
    choice: Choice
    left_out: tuple[str, ...]
    directory: Path
    notes: tuple[str, ...] = ()


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
    """
    made = _make(data, policy, name, Randomness(seed), silent)
    _confirm(verify(made.release))
    return made.release


def publish_to(
    directory: str | Path,
    policy: Policy,
    *,
    format: str = "parquet",  # noqa: A002
    seed: int | None = None,
    progress: Progress | None = None,
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
    """
    target, tell = Path(directory), progress or silent
    check_target(target)
    check_format(format)
    tell("reading", 0.0)
    made = _make(None, policy, "table", Randomness(seed), tell)
    release = made.release
    verdicts: list[Verdict] = []

    def inspect(draft: Path) -> None:
        tell("verifying", 0.8)
        verdicts.append(_confirm(verify(draft)))

    tell("writing", 0.6)
    save_release(release.manifest, release.frames, release.hierarchies, target, format, inspect)
    tell("done", 1.0)
    return Publication(release, verdicts[0], made.choice, made.left_out, target, made.notes)


@dataclass(frozen=True, eq=False)
class _Made:
    """A release that is not verified yet, and how it came about."""

    release: Release
    choice: Choice
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()


def _make(data: Any, policy: Policy, name: str, randomness: Randomness, tell: Progress) -> _Made:
    if policy.graph is not None:
        # Tables need nothing of what graphs do.
        from papilio.workflow.make.graph import graph_notes, graph_order_of, make_graph

        graph, kind = graph_order_of(data, policy)
        release = make_graph(graph, policy, randomness, kind, tell)
        choice = choose(policy, graph.graph.left.count)
        return _Made(release, choice, graph.left_out, graph_notes(graph, release, policy))
    if policy.tables:
        from papilio.workflow.make.linked import linked_notes, linked_order_of, make_linked

        linked, kind = linked_order_of(data, policy)
        release = make_linked(linked, policy, randomness, kind, tell)
        choice = choose(policy, linked.snowflake.person.height)
        return _Made(release, choice, linked.left_out, linked_notes(linked, release, policy))
    order, kind = order_of(data, policy, name)
    choice = choose(policy, order.table.height)
    release = make(order, policy, choice, randomness, kind, tell)
    if release.manifest.kind == "projected":
        from papilio.workflow.make.projected import projected_notes

        _confirm(verify_limits(release, order, policy))
        return _Made(release, choice, order.left_out, projected_notes(release, order, policy))
    return _Made(release, choice, order.left_out, release.notes)


def _confirm(verdict: Verdict) -> Verdict:
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
