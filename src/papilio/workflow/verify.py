"""Let the independent verifier judge a release."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.verify.judge import judge
from papilio.verify.opened import open_directory, open_frames
from papilio.verify.verdict import Verdict
from papilio.workflow.order import order_of

#: Name of the view of the original; a blank in it keeps it apart from published tables.
_ORIGINAL = "papilio original"


def verify(
    release: Release | str | Path, *, original: Policy | None = None, data: Any = None
) -> Verdict:
    """Judge a release.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; its source is read and truthfulness is checked too.
    data
        The original as a frame, instead of the policy's source.
    """
    opening = (
        open_frames(release.manifest, _arrow(release.frames), release.hierarchies)
        if isinstance(release, Release)
        else open_directory(Path(release))
    )
    with opening as opened:
        if original is None:
            return judge(opened)
        order, _ = order_of(data, original, "original")
        opened.connection.register(_ORIGINAL, _plain(order.table.frame).to_arrow())
        return judge(opened, original=_ORIGINAL)


def _arrow(frames: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    return {name: _plain(frame).to_arrow() for name, frame in frames.items()}


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn categories into text, as a file would hold them."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
