"""A release and the original side by side, so that an attack can tell who is right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from papilio.data.table import Table
from papilio.release.release import Release
from papilio.verify.opened import Opened, open_frames

#: Name of the view of the original; a blank in it keeps it apart from published tables.
ORIGINAL = "papilio original"


@contextmanager
def confront(release: Release, original: pl.DataFrame) -> Iterator[Opened]:
    """Open a release in a private database that also has the original, as :data:`ORIGINAL`."""
    frames = {name: _plain(frame).to_arrow() for name, frame in release.frames.items()}
    with open_frames(release.manifest, frames, release.hierarchies) as opened:
        opened.connection.register(ORIGINAL, _plain(original).to_arrow())
        yield opened


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn categories into text, as a file would hold them."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def sensitive_names(release: Release, original: Table) -> tuple[str, ...]:
    """Sensitive columns that are published as they are."""
    columns = release.manifest.table(original.name).columns
    return tuple(c.name for c in columns if c.role == "sensitive" and c.cells == "value")
