"""A release as DuckDB sees it: one view per table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from papilio.errors import ReleaseError
from papilio.release.manifest import Manifest, PublishedTable
from papilio.release.store import read_manifest, text_columns
from papilio.verify import sql

#: Schema of the verifier's own tables, so that no published table can have the name of one.
WORK = "verifying"

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # With the original at hand, nothing of it may be spilled to a disk.
    "temp_directory": "",
    # A name that is not a view must not be looked up among Python's variables.
    "python_enable_replacements": "false",
}
_CSV = (
    "header = true, delim = ',', quote = '\"', escape = '\"', comment = '', skip = 0, "
    "nullstr = '', allow_quoted_nulls = false, null_padding = false, ignore_errors = false, "
    "strict_mode = true, sample_size = -1"
)


class UnreadableError(ReleaseError):
    """A table of a release cannot be read, or not to its end."""

    def __init__(self) -> None:
        super().__init__("a table of the release cannot be read", reason="unreadable-table")


@dataclass(frozen=True, eq=False)
class Opened:
    """A release that can be questioned in SQL.

    Attributes
    ----------
    connection
        A private in-memory database with a view per table, and an empty schema :data:`WORK`.
    manifest
        What the release says about itself.
    directory
        Where its files are; ``None`` while it is only in memory.
    hierarchies
        Text of the files of paths, by file name.
    readable
        Names of the tables that have a view.
    """

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    directory: Path | None
    hierarchies: Mapping[str, str]
    readable: frozenset[str]

    def execute(self, statement: str) -> None:
        """Run a statement that returns nothing."""
        with _readable_files():
            self.connection.execute(statement)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        with _readable_files():
            return self.connection.execute(statement).fetchall()

    def row(self, statement: str) -> tuple[Any, ...]:
        """Run a query that returns one row."""
        return self.rows(statement)[0]

    def arrays(self, statement: str) -> list[Any]:
        """Run a query and return its columns as NumPy arrays."""
        with _readable_files():
            return list(self.connection.execute(statement).fetchnumpy().values())

    def types(self, table: str) -> dict[str, str]:
        """Columns of a table or view and their SQL types, in order."""
        return {row[0]: row[1] for row in self.rows(f"DESCRIBE SELECT * FROM {sql.name(table)}")}


@contextmanager
def _readable_files() -> Iterator[None]:
    """Turn what DuckDB says of a damaged file into :class:`UnreadableError`."""
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.BinderException, duckdb.CatalogException):
        # Not the file's fault.
        raise
    except duckdb.Error:
        # DuckDB's message may quote the file's content.
        raise UnreadableError from None


@contextmanager
def open_directory(directory: Path) -> Iterator[Opened]:
    """Open the release in a directory.

    A table whose file is missing or cannot be read has no view; :mod:`papilio.verify.integrity`
    says so. No file but those the manifest lists can be reached from the connection.

    Raises
    ------
    ReleaseError
        If there is no manifest.
    """
    manifest = read_manifest(directory)
    described = {table.name for table in manifest.tables}
    tables = {file.table: file for file in manifest.files if file.table in described}
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _lock(connection, [directory / file.name for file in tables.values()])
        readable = frozenset(
            table.name
            for table in manifest.tables
            if table.name in tables
            and _create_view(connection, table, directory / tables[table.name].name)
        )
        hierarchies = _hierarchies(directory, manifest)
        yield Opened(connection, manifest, directory, hierarchies, readable)


@contextmanager
def open_frames(
    manifest: Manifest, frames: Mapping[str, Any], hierarchies: Mapping[str, str]
) -> Iterator[Opened]:
    """Open a release that is only in memory; ``frames`` are Arrow tables."""
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _lock(connection, [])
        for table, frame in frames.items():
            connection.register(table, frame)
        yield Opened(connection, manifest, None, hierarchies, frozenset(frames))


def _lock(connection: duckdb.DuckDBPyConnection, files: Iterable[Path]) -> None:
    """Let the connection read these files only, and compare moments in UTC."""
    allowed = ", ".join(sql.text(str(file)) for file in files)
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE SCHEMA {WORK}")


def _create_view(connection: duckdb.DuckDBPyConnection, table: PublishedTable, path: Path) -> bool:
    """Make a view of a file; ``False`` if it cannot be read at all."""
    # Text is parsed once; Parquet is better read anew, each time only what is asked for.
    kind = "TABLE" if path.suffix == ".csv" else "VIEW"
    try:
        reading = f"SELECT * FROM {_reading(path, table)}"
        connection.execute(f"CREATE {kind} {sql.name(table.name)} AS {reading}")
    except (duckdb.Error, OSError, UnicodeDecodeError, csv.Error):
        return False
    return True


def _reading(path: Path, table: PublishedTable) -> str:
    file = sql.text(str(path))
    if path.suffix != ".csv":
        return f"read_parquet({file})"
    with path.open(encoding="utf-8", newline="") as lines:
        header = next(csv.reader(lines), [])
    texts = [name for column in table.columns for name in text_columns(column) if name in header]
    types = ", ".join(f"{sql.text(name)}: 'VARCHAR'" for name in texts)
    return f"read_csv({file}, {_CSV}, types = {{{types}}})"


def _hierarchies(directory: Path, manifest: Manifest) -> dict[str, str]:
    found = {}
    for file in manifest.files:
        path = directory / file.name
        if file.table is None and path.is_file():
            # Text that is not UTF-8 has no labels in common with the cells.
            found[file.name] = path.read_bytes().decode("utf-8", errors="replace")
    return found
