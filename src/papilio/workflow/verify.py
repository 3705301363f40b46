"""Let the independent verifier judge a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from papilio.data.table import Role, Table
from papilio.data.types import as_text
from papilio.errors import ReleaseError
from papilio.families.family import Original
from papilio.measure.ncp import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.release.lazy_frames import LazyFrames
from papilio.release.manifest import Manifest
from papilio.release.release import Release
from papilio.release.scratch import scratch_folder
from papilio.verify import sql
from papilio.verify.judge import judge
from papilio.verify.kinds import kind_of, promise_of
from papilio.verify.opened import OpenedHere, open_directory, open_frames
from papilio.verify.promise.check import SHAPE
from papilio.verify.promise.promise import Promise
from papilio.verify.verdict import Finding, Status, Verdict, finding
from papilio.verify.witness.held import ORIGINAL

#: What rounding may add to a mean.
_TOLERANCE = 1e-9


def check_loss(opened: OpenedHere, original: Original) -> Iterator[Finding]:
    """Compare the loss of every table with ``generalisation_loss``, if the policy has one.

    To be asked when everything else holds. Unlike what protects people, this limit is measured by
    the code that the method measures it with, :mod:`papilio.measure.ncp`.

    Parameters
    ----------
    opened
        The release; all of its cells are true.
    original
        What it was made of.
    """
    limit, order = original.policy.privacy.generalisation_loss, original.order
    if limit is None or not isinstance(order, Order):
        return
    release = Release(opened.manifest, _frames(opened), opened.hierarchies)
    columns = order.table.with_role(Role.QUASI)
    known = order.table.frame.select(column.name for column in columns)
    for table in opened.manifest.tables:
        loss = ncp(published_classes(release, Table(table.name, known, columns))).overall
        claim = f"generalisation loss of {table.name}"
        yield finding(claim, f"at most {limit:g}", f"{loss:.6f}", loss <= limit + _TOLERANCE)


def _frames(opened: OpenedHere) -> dict[str, pl.DataFrame]:
    """Quasi-identifiers of all tables as they are published."""
    frames = {}
    for table in opened.manifest.tables:
        names = [n for c in table.columns if c.role == Role.QUASI for n in c.published]
        query = f"SELECT {sql.names(names)} FROM {sql.name(table.name)}"
        frames[table.name] = pl.DataFrame(opened.connection.sql(query).to_arrow_table())
    return frames


#: Name of the view of the original; a blank in it keeps it apart from published tables.
VIEW = "papilio original"


def read_original(policy: Policy, data: Any = None, name: str | None = None) -> Original:
    """Apply a policy to its own source, or to frames.

    Parameters
    ----------
    policy
        The order.
    data
        A frame, or a mapping of frames for linked tables and graphs; ``None`` reads the source.
    name
        Name of a frame; ``None`` if it has none.
    """
    return policy.family.read(data, policy, name)


def frame_name(policy: Policy, manifest: Manifest) -> str | None:
    """What to call a frame whose tables are named after it: as the release does."""
    return manifest.tables[0].name if policy.link and manifest.tables else None


def show_original(opened: OpenedHere, original: Original) -> None:
    """Let a connection see the original: as :data:`VIEW`, or as views whose names begin so."""
    for name, frame in original.frames().items():
        view = VIEW if name == ORIGINAL else f"{VIEW} {name}"
        opened.connection.register(view, as_text(frame).to_arrow())


#: How findings begin that compare the release with what its policy demands.
_DEMANDS = ("promised", "generalisation loss")


def check_as_described(verdict: Verdict, what: str) -> None:
    """Refuse a release that is not what its manifest says; a claim may be violated.

    Parameters
    ----------
    verdict
        What the verifier says of it.
    what
        What cannot be done with it, such as ``"reported on"``.

    Raises
    ------
    ReleaseError
        With the first finding that is not about a claim and does not hold.
    """
    for broken in verdict.findings:
        if broken.recipient is None and broken.status is not Status.HOLDS:
            raise _refusal(broken, what)


def check_beside(verdict: Verdict, what: str) -> None:
    """Refuse a release that is not what its manifest says, or not what its original has become.

    A claim may be violated or weaker than the policy demands, and rows may be missing; if tables,
    columns or single rows are others than those of the original, nothing can be said about it.

    Parameters and errors are those of :func:`check_as_described`.
    """
    broken = not_as_described(verdict)
    if broken is not None:
        raise _refusal(broken, what)


def not_as_described(verdict: Verdict) -> Finding | None:
    """Find what says that a release is not what its manifest says, or of another original."""
    broken = [
        finding
        for finding in verdict.findings
        if finding.recipient is None
        and finding.status is not Status.HOLDS
        and (finding.claim in SHAPE or not finding.claim.startswith(_DEMANDS))
    ]
    # Another policy is why rows are not those of the original.
    return next((each for each in broken if each.claim in SHAPE), broken[0] if broken else None)


def _refusal(finding: Finding, what: str) -> ReleaseError:
    other = finding.claim in SHAPE
    advice = "; give the policy it was made with" if other else ""
    return ReleaseError(
        f"the release cannot be {what}: {finding.claim}: {finding.measured}{advice}",
        reason="another-policy" if other else "not-as-described",
    )


def verify(
    release: Release | str | Path,
    *,
    original: Policy | None = None,
    data: Any = None,
    memory: int | None = None,
) -> Verdict:
    """Judge a release.

    A directory that is judged without its original may be larger than memory: what does not fit is
    kept in a private folder meanwhile, see :mod:`papilio.release.scratch`. With the original at
    hand nothing leaves memory.

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

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> verdict = pp.verify(release, original=policy, data=people)
    >>> verdict.status.value
    'holds'
    >>> [finding.demanded for finding in verdict.findings if finding.claim == "k-anonymity"]
    ['k >= 5']
    """
    with opened_release(release, original is None, memory) as opened:
        if original is None:
            return judge(opened)
        if kind_of(original) != opened.manifest.kind:
            # There is nothing to compare rows with, and no need to read them.
            return judge(opened, promise=Promise(kind_of(original), (), ()))
        name = frame_name(original, opened.manifest)
        return judge_beside(opened, read_original(original, data, name))


def judge_beside(opened: OpenedHere, original: Original) -> Verdict:
    """Judge a release beside its original: what it claims, promises and says of each row."""
    promise = promise_of(original.policy, original.facts(), opened.manifest)
    show_original(opened, original)
    verdict = judge(opened, original=VIEW, promise=promise)
    return Verdict((*verdict.findings, *check_loss(opened, original))) if verdict.holds else verdict


@contextmanager
def opened_release(
    release: Release | str | Path, alone: bool, memory: int | None
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
        scratch_folder() as scratch,
        open_directory(directory, memory=memory, spill=scratch.path) as opened,
    ):
        yield opened


def _arrow(frames: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    return {name: as_text(frame).to_arrow() for name, frame in frames.items()}
