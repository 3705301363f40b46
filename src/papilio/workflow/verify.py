"""Let the independent verifier judge a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.data.types import as_text
from papilio.errors import ReleaseError
from papilio.policy.apply import Order
from papilio.policy.harmless import harmless_values
from papilio.policy.policy import Policy
from papilio.policy.recipients import ALL_RECIPIENTS, EVERYONE
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import settled
from papilio.release.lazy_frames import LazyFrames
from papilio.release.manifest import Claim
from papilio.release.release import Release
from papilio.verify.dependence import Allowed, check_dependence
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.judge import judge
from papilio.verify.opened import Opened, OpenedHere, open_directory, open_frames
from papilio.verify.promises import check_promises
from papilio.verify.verdict import Verdict
from papilio.workflow.order import order_of

#: Name of the view of the original; a blank in it keeps it apart from published tables.
_ORIGINAL = "papilio original"


def verify(
    release: Release | str | Path,
    *,
    original: Policy | None = None,
    data: Any = None,
    memory: int | None = None,
    spill: Path | None = None,
) -> Verdict:
    """Judge a release.

    A directory that is judged without its original may be larger than memory: what does not fit is
    kept in a private folder meanwhile. With the original at hand nothing leaves memory.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; its source is read and truthfulness is checked too.
    data
        The original as a frame, instead of the policy's source.
    memory
        Bytes that the database may use; four fifths of the machine's if left out.
    spill
        Where that private folder is made; the folder for temporary files of the system if left
        out.
    """
    with _opened(release, original is None, memory, spill) as opened:
        if original is None:
            return judge(opened)
        _check_graph(opened, original)
        if original.graph is not None:
            return _judge_graph(opened, original, data)
        if original.tables or opened.manifest.kind == "linked":
            return _judge_linked(opened, original, data)
        order, _ = order_of(data, original, "original")
        opened.connection.register(_ORIGINAL, as_text(_with_levels(order)).to_arrow())
        verdict = judge(opened, original=_ORIGINAL)
        if opened.manifest.kind == "projected":
            limits = check_dependence(opened, _ORIGINAL, allowed_by(original, order.several))
            promises = check_promises(opened.manifest.claims, _of_tables(opened, original, order))
            return Verdict((*verdict.findings, *limits, promises))
        if not original.recipients:
            return verdict
        promises = check_promises(
            opened.manifest.claims, _demanded(original, opened.manifest.tables[0].name, order.table)
        )
        return Verdict((*verdict.findings, promises))


@contextmanager
def _opened(
    release: Release | str | Path, alone: bool, memory: int | None, spill: Path | None
) -> Iterator[OpenedHere]:
    """Open a release; ``alone`` is whether no original will be looked at besides."""
    frames = release.frames if isinstance(release, Release) else None
    if isinstance(release, Release) and not isinstance(frames, LazyFrames):
        with open_frames(release.manifest, _arrow(release.frames), release.hierarchies) as opened:
            yield opened
        return
    directory = frames.directory if isinstance(frames, LazyFrames) else Path(str(release))
    if not alone:
        with open_directory(directory, memory=memory) as opened:
            yield opened
        return
    with (
        TemporaryDirectory(prefix="papilio-", dir=spill, ignore_cleanup_errors=True) as folder,
        open_directory(directory, memory=memory, spill=Path(folder)) as opened,
    ):
        yield opened


def _with_levels(order: Order) -> pl.DataFrame:
    """The original and, beside it, what each person demands, if the policy names a column."""
    if order.personal is None:
        return order.table.frame
    return order.table.frame.with_columns(order.personal.cast(pl.String).alias(PERSONAL))


def _demanded(policy: Policy, name: str, table: Table) -> Iterator[Claim]:
    """Claims that a release for several recipients has to make."""
    for recipient, columns in policy.recipients.items():
        for each in settled(policy.requirements, table):
            yield Claim(each.name, name, recipient, columns, each.parameters())
    if policy.privacy.collusion_k is not None:
        union = tuple({column for columns in policy.recipients.values() for column in columns})
        least = {"k": policy.privacy.collusion_k}
        yield Claim(KAnonymity.name, name, ALL_RECIPIENTS, union, least)


def verify_limits(release: Release, order: Order, policy: Policy) -> Verdict:
    """Judge what a release of projections loses and exposes, beside the original it is made of.

    Both are private, so that the release does not claim them and :func:`verify` alone cannot tell.
    """
    opening = open_frames(release.manifest, _arrow(release.frames), release.hierarchies)
    with opening as opened:
        opened.connection.register(_ORIGINAL, as_text(order.table.frame).to_arrow())
        allowed = allowed_by(policy, order.several)
        return Verdict(tuple(check_dependence(opened, _ORIGINAL, allowed)))


def allowed_by(policy: Policy, several: Mapping[str, tuple[str, ...]]) -> Allowed:
    """Limits of a policy on what projections lose and expose.

    ``several`` names the boolean columns that each column with several values became.
    """
    said = policy.privacy
    return Allowed(
        1.0 if said.association_loss is None else said.association_loss,
        1.0 if said.exposure is None else said.exposure,
        harmless_values(policy, several),
    )


def _of_tables(opened: Opened, policy: Policy, order: Order) -> Iterator[Claim]:
    """Claims that a release of projections has to make, table by table."""
    for table in opened.manifest.tables:
        sensitive = {column.name for column in table.columns if column.role == Role.SENSITIVE}
        for each in settled(order.requirements(policy), order.table):
            if isinstance(each, KAnonymity) or each.column in sensitive:
                yield Claim(each.name, table.name, EVERYONE, policy.quasi, each.parameters())


def _check_graph(opened: Opened, original: Policy) -> None:
    """Refuse the policy of a table for a graph, and the other way round."""
    if (original.graph is not None) != (opened.manifest.kind == "graph"):
        raise ReleaseError(
            "one of release and policy is a graph and the other is not; give the policy the "
            "release was made with",
            reason="another-policy",
        )


def _judge_graph(opened: OpenedHere, original: Policy, data: Any) -> Verdict:
    """Judge a graph beside its original, whose entities are numbered and keep no keys."""
    from papilio.workflow.make.graph import graph_order_of, original_tables

    order, _ = graph_order_of(data, original)
    for part, frame in original_tables(order.graph).items():
        opened.connection.register(f"{_ORIGINAL} {part}", as_text(frame).to_arrow())
    return judge(opened, original=_ORIGINAL)


def _judge_linked(opened: OpenedHere, original: Policy, data: Any) -> Verdict:
    """Judge linked tables beside their original, whose rows are numbered and keep no keys."""
    from papilio.workflow.make.linked import linked_order_of, original_tables

    known = {table.name for table in opened.manifest.tables}
    if opened.manifest.kind != "linked" or known != {*original.tables}:
        raise ReleaseError(
            "the release has other tables than the policy; give the policy it was made with",
            reason="another-policy",
        )
    order, _ = linked_order_of(data, original)
    for name, frame in original_tables(order.snowflake).items():
        opened.connection.register(f"{_ORIGINAL} {name}", as_text(frame).to_arrow())
    return judge(opened, original=_ORIGINAL)


def _arrow(frames: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    return {name: as_text(frame).to_arrow() for name, frame in frames.items()}
