"""DuckDB inside this program: one view per table of a release, and nothing else within reach.

A query gets the tables of the release. It cannot open other files, load extensions, reach the
network, see variables of the Python program or change the configuration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from papilio.engines.names import quoted, text
from papilio.errors import ReleaseError
from papilio.release.described import check_columns, check_described
from papilio.release.files import Stamp, check_unchanged, checked_files
from papilio.release.lazy_frames import LazyFrames
from papilio.release.manifest import Manifest
from papilio.release.read_table import files_of
from papilio.release.release import Release
from papilio.release.store import read_hierarchies, read_manifest

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
    files: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)

    def columns(self, table: str, names: Collection[str]) -> pl.DataFrame:
        """Give columns of a table, at least those that are named.

        Raises
        ------
        ReleaseError
            If a file of it cannot be read.
        """
        if self.frames is not None:
            return self.frames[table]
        parts = [_columns_of(path, list(dict.fromkeys(names))) for path in self.files[table]]
        return pl.concat(parts) if len(parts) > 1 else parts[0]


def _columns_of(path: Path, names: list[str]) -> pl.DataFrame:
    try:
        return pl.read_parquet(path, columns=names, glob=False)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
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
    found = _found(release)
    if isinstance(found, Release):
        opened = _OPEN.get(found) or _opened(found)
        _OPEN[found] = opened
        with opened.lock:
            yield opened
        return
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _read(connection, found)
        _lock(connection)
        yield Opened(connection, found.manifest, found.hierarchies, files=found.files)
    check_unchanged(found.directory, found.stamps)


def _found(release: Release | Path) -> Release | _Files:
    """What is asked: tables in memory, or files where they are."""
    if not isinstance(release, Release):
        return _directory(release)
    if isinstance(release.frames, LazyFrames):
        return _directory(release.frames.directory)
    return release


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
    """A release whose tables stay in their Parquet files, which were checked."""

    directory: Path
    stamps: Mapping[str, Stamp]
    manifest: Manifest
    files: Mapping[str, tuple[Path, ...]]
    hierarchies: Mapping[str, str]


def _directory(directory: Path) -> Release | _Files:
    """Parquet files of a directory; the tables themselves if they are in another format."""
    manifest = read_manifest(directory)
    check_described(directory, manifest)
    carried = dict.fromkeys(file.table for file in manifest.files if file.table is not None)
    paths = {name: tuple(directory / f for f in files_of(manifest, name)) for name in carried}
    wildcards = _WILDCARDS & set(str(directory.absolute()))
    if wildcards or any(path.suffix != ".parquet" for each in paths.values() for path in each):
        # Where wildcards are looked up, DuckDB would need to see more than the files themselves.
        opened = Release.open(directory)
        return replace(opened, frames=dict(opened.frames.items()))
    stamps = checked_files(directory, manifest)
    return _Files(directory, stamps, manifest, paths, read_hierarchies(directory, manifest))


def _register(connection: duckdb.DuckDBPyConnection, frames: Mapping[str, pl.DataFrame]) -> None:
    for number, (name, frame) in enumerate(frames.items()):
        _check_case(name, frame.columns)
        plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        # The newest form of text shares memory with the frame; others would copy it.
        arrow = plain.to_arrow(compat_level=pl.CompatLevel.newest())
        connection.register(f"papilio_frame_{number}", arrow)
        connection.execute(f"CREATE VIEW {quoted(name)} AS SELECT * FROM papilio_frame_{number}")


def _read(connection: duckdb.DuckDBPyConnection, found: _Files) -> None:
    files = found.files
    connection.execute(
        f"SET allowed_paths = [{_listed(p for each in files.values() for p in each)}]"
    )
    for name, paths in files.items():
        schema = _schema(paths)
        _check_case(name, schema.names)
        try:
            connection.execute(
                f"CREATE VIEW {quoted(name)} AS SELECT * FROM read_parquet([{_listed(paths)}])"
            )
        except duckdb.Error:
            raise _unreadable(paths[0]) from None
        kinds = {field.name: field.type for field in schema}
        holds = {column: _holds(kind) for column, kind in kinds.items()}
        odd = {c for c, kind in kinds.items() if holds[c] is None and not pa.types.is_null(kind)}

        def is_empty(column: str, place: _Place = (name, paths[0], odd)) -> bool:
            table, path, unknown = place
            return column not in unknown and _is_empty(connection, table, column, path)

        check_columns(found.directory, found.manifest.table(name), holds, is_empty)


def _holds(kind: pa.DataType) -> str | None:
    """What a column of a type of Arrow holds, in the words of a manifest."""
    for name, tests in _TESTS.items():
        if any(test(kind) for test in tests):
            return name
    return None


_TESTS: Mapping[str, tuple[Any, ...]] = {
    "whole": (pa.types.is_signed_integer,),
    "numeric": (pa.types.is_float32, pa.types.is_float64),
    "date": (pa.types.is_date32, pa.types.is_timestamp),
    "boolean": (pa.types.is_boolean,),
    "category": (pa.types.is_string, pa.types.is_large_string),
}


#: A table, one of its files, and its columns of types that no release has.
_Place: TypeAlias = tuple[str, Path, set[str]]


def _is_empty(connection: duckdb.DuckDBPyConnection, table: str, column: str, path: Path) -> bool:
    try:
        counted = connection.execute(f"SELECT count({quoted(column)}) FROM {quoted(table)}")
        return bool(counted.fetchall()[0][0] == 0)
    except duckdb.Error:
        raise _unreadable(path) from None


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(text(str(path.absolute())) for path in paths)


def _schema(paths: Sequence[Path]) -> pa.Schema:
    """Columns of a table, the same in all of its files; DuckDB would convert what differs."""
    found: pa.Schema | None = None
    for path in paths:
        try:
            schema = pq.read_schema(path)
        except (pa.ArrowException, OSError):
            raise _unreadable(path) from None
        if found is not None and not schema.equals(found):
            raise _unreadable(path)
        found = schema
    return found


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
