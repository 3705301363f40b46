"""Anonymise, verify, and return or write a release."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.data.encode import encode
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.errors import VerificationError
from papilio.methods.choose import Choice, choose
from papilio.methods.generalize.publish import generalised_release
from papilio.policy.apply import Order, order_from_source
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_of
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.release.store import check_format, check_target, save_release
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.group import group
from papilio.workflow.order import order_of
from papilio.workflow.progress import Progress, silent
from papilio.workflow.verify import verify


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
    """

    release: Release
    verdict: Verdict
    choice: Choice
    left_out: tuple[str, ...]
    directory: Path


def publish(data: Any, policy: Policy, *, name: str = "table", seed: int | None = None) -> Release:
    """Anonymise a frame, verify the result, and return it.

    Parameters
    ----------
    data
        A pandas, Polars or Arrow frame; ``None`` reads the policy's source.
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
    order, kind = order_of(data, policy, name)
    choice = choose(policy, order.table.height)
    release = _anonymise(order, policy, choice, Randomness(seed), kind, silent)
    _confirm(verify(release))
    return release


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
    order = order_from_source(policy)
    left_out, choice = order.left_out, choose(policy, order.table.height)
    release = _anonymise(order, policy, choice, Randomness(seed), Kind.POLARS, tell)
    verdicts: list[Verdict] = []

    def inspect(draft: Path) -> None:
        tell("verifying", 0.8)
        verdicts.append(_confirm(verify(draft)))

    tell("writing", 0.6)
    save_release(release.manifest, release.frames, release.hierarchies, target, format, inspect)
    tell("done", 1.0)
    return Publication(release, verdicts[0], choice, left_out, target)


def _anonymise(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Release:
    table = order.table
    tell("encoding", 0.2)
    encoded = encode(table, table.with_role(Role.QUASI))
    demand = demand_of(policy.requirements, table)
    tell("grouping", 0.35)
    grouping = group(encoded, demand, choice.method, policy, randomness)
    tell("generalising", 0.5)
    return generalised_release(
        table,
        encoded,
        grouping.classes,
        policy.requirements,
        method=choice.method,
        text=policy.cells == "text",
        randomness=randomness,
        kind=kind,
        levels=grouping.levels,
        suppress=policy.privacy.suppress,
    )


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
