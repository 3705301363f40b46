"""Let the independent verifier judge a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from papilio.data.types import as_text
from papilio.families.family import Original
from papilio.policy.policy import Policy
from papilio.release.lazy_frames import LazyFrames
from papilio.release.release import Release
from papilio.release.scratch import scratch_folder
from papilio.verify.judge import judge
from papilio.verify.kinds import kind_of, promise_of
from papilio.verify.opened import OpenedHere, open_directory, open_frames
from papilio.verify.promise.promise import Promise
from papilio.verify.verdict import Verdict
from papilio.workflow.original import VIEW, read_original, show_original
from papilio.workflow.promised_loss import check_loss


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
        return judge_beside(opened, read_original(original, data))


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
