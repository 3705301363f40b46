"""Tables of a release that stay on disk until somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from papilio.release.files import Stamp, check_unchanged
from papilio.release.manifest import Manifest
from papilio.release.read_table import different_columns, files_of, read_part, read_table


@dataclass(frozen=True, eq=False)
class LazyFrames(Mapping[str, pl.DataFrame]):
    """The tables of a release directory, by name.

    A table is read when it is asked for, each time anew: nothing is kept in memory but what the
    caller keeps. The files are those that were checked when the release was opened, or nothing is
    read.

    Attributes
    ----------
    directory
        Where the release lies.
    manifest
        What it says, with its files.
    stamps
        Its files as :func:`~papilio.release.files.checked_files` saw them.
    """

    directory: Path
    manifest: Manifest
    stamps: Mapping[str, Stamp]

    def __getitem__(self, name: str) -> pl.DataFrame:
        """Read a table.

        Raises
        ------
        KeyError
            If no file carries a table of this name.
        ReleaseError
            If a file is not the one any more that was checked or cannot be read, or its parts
            have different columns.
        """
        if name not in self._names:
            raise KeyError(name)
        files = files_of(self.manifest, name)
        self.check_unchanged(*files)
        table = read_table(self.directory, self.manifest, name)
        self.check_unchanged(*files)
        return table

    def check_unchanged(self, *files: str) -> None:
        """Refuse files that are not those any more that were checked."""
        check_unchanged(self.directory, {file: self.stamps[file] for file in files})

    def __contains__(self, name: object) -> bool:
        """Whether there is a table of this name, without reading it."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Names of the tables."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of tables."""
        return len(self._names)

    def files(self, name: str) -> tuple[Path, ...]:
        """Files that carry a table."""
        return tuple(self.directory / file for file in files_of(self.manifest, name))

    @property
    def _names(self) -> dict[str, None]:
        return dict.fromkeys(file.table for file in self.manifest.files if file.table is not None)


def parts_of(frames: Mapping[str, pl.DataFrame], name: str) -> Iterator[pl.DataFrame]:
    """Give a table part by part: file by file where it lies in files, else as it is.

    Raises
    ------
    ReleaseError
        If a file is missing or cannot be read, or has other columns than the first.
    """
    if not isinstance(frames, LazyFrames):
        yield frames[name]
        return
    schema: pl.Schema | None = None
    for file in files_of(frames.manifest, name):
        frames.check_unchanged(file)
        part = read_part(frames.directory, frames.manifest, name, file)
        frames.check_unchanged(file)
        if schema is not None and part.schema != schema:
            raise different_columns(frames.directory, name)
        schema = part.schema
        yield part
