"""DuckDB inside this program: one view per table of a release, and nothing else within reach.

A query gets the tables of the release. It cannot open other files, load extensions, reach the
network, see variables of the Python program or change the configuration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from papilio.engines.names import quoted, text
from papilio.errors import ReleaseError
from papilio.release.manifest import Manifest
from papilio.release.release import Release
from papilio.release.store import read_manifest

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
_WILDCARDS = set("*?[{")


@dataclass(frozen=True, eq=False)
class Opened:
    """A release that can be asked.

    Attributes
    ----------
    connection
        A private in-memory database with a view per table.
    manifest
        What the release says about itself.
    hierarchies
        Text of the files of paths, by file name.
    frames
        Its tables, if they are in memory.
    files
        Their Parquet files, if they are not.
    kept
        What was found out about them once and for all.
    lock
        Held while it is asked: one question at a time.
    """

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    hierarchies: Mapping[str, str]
    frames: Mapping[str, pl.DataFrame] | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)

    def columns(self, table: str, names: Collection[str]) -> pl.DataFrame:
        """Give columns of a table, at least those that are named.

        Raises
        ------
        ReleaseError
            If its file cannot be read.
        """
        if self.frames is not None:
            return self.frames[table]
        path = self.files[table]
        try:
            return pl.read_parquet(path, columns=list(dict.fromkeys(names)), glob=False)
        except (OSError, pl.exceptions.PolarsError):
            raise _unreadable(path) from None


#: Releases in memory that were asked before; they stay open as long as they are in memory.
_OPEN: WeakKeyDictionary[Release, Opened] = WeakKeyDictionary()


@contextmanager
def open_locally(release: Release | Path) -> Iterator[Opened]:
    """Open a release for questions.

    Parameters
    ----------
    release
        In memory, or the directory of one. Parquet files are read where they are, column by
        column and as far as a query needs them.

    Raises
    ------
    ReleaseError
        If it is not a release, a file is missing, or columns differ in letter case only.
    """
    found = release if isinstance(release, Release) else _directory(release)
    if isinstance(found, Release):
        opened = _OPEN.get(found) or _opened(found)
        _OPEN[found] = opened
        with opened.lock:
            yield opened
        return
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _read(connection, found.files)
        _lock(connection)
        yield Opened(connection, found.manifest, found.hierarchies, files=found.files)


def _opened(release: Release) -> Opened:
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    _register(connection, release.frames)
    _lock(connection)
    return Opened(connection, release.manifest, release.hierarchies, release.frames)


def _lock(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


@dataclass(frozen=True)
class _Files:
    """A release whose tables stay in their Parquet files."""

    manifest: Manifest
    files: Mapping[str, Path]
    hierarchies: Mapping[str, str]


def _directory(directory: Path) -> Release | _Files:
    """Parquet files of a directory; the tables themselves if they are in another format."""
    manifest = read_manifest(directory)
    files = {each.table: directory / each.name for each in manifest.files if each.table}
    wildcards = _WILDCARDS & set(str(directory.absolute()))
    if wildcards or any(path.suffix != ".parquet" for path in files.values()):
        # Where wildcards are looked up, DuckDB would need to see more than the files themselves.
        return Release.open(directory)
    for each in manifest.files:
        if not (directory / each.name).is_file():
            raise ReleaseError(f"{directory}: file {each.name} is missing", reason="missing-file")
    texts = {
        each.name: (directory / each.name).read_text(encoding="utf-8")
        for each in manifest.files
        if not each.table
    }
    return _Files(manifest, files, texts)


def _register(connection: duckdb.DuckDBPyConnection, frames: Mapping[str, pl.DataFrame]) -> None:
    for number, (name, frame) in enumerate(frames.items()):
        _check_case(name, frame.columns)
        plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        # The newest form of text shares memory with the frame; others would copy it.
        arrow = plain.to_arrow(compat_level=pl.CompatLevel.newest())
        connection.register(f"papilio_frame_{number}", arrow)
        connection.execute(f"CREATE VIEW {quoted(name)} AS SELECT * FROM papilio_frame_{number}")


def _read(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
    listed = ", ".join(text(str(path.absolute())) for path in files.values())
    connection.execute(f"SET allowed_paths = [{listed}]")
    for name, path in files.items():
        try:
            connection.execute(
                f"CREATE VIEW {quoted(name)} AS "
                f"SELECT * FROM read_parquet({text(str(path.absolute()))})"
            )
            _check_case(name, pq.read_schema(path).names)
        except (duckdb.Error, pa.ArrowException, OSError):
            raise _unreadable(path) from None


def _unreadable(path: Path) -> ReleaseError:
    return ReleaseError(
        f"{path.parent}: file {path.name} cannot be read", reason="unreadable-table"
    )


def _check_case(table: str, columns: Any) -> None:
    alike = Counter(name.casefold() for name in columns)
    if any(count > 1 for count in alike.values()):
        raise ReleaseError(
            f"columns of '{table}' differ in letter case only; DuckDB cannot tell them apart",
            reason="names-alike",
        )
