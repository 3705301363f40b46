"""A release as DuckDB sees it: one view per table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from papilio.errors import ReleaseError
from papilio.release.manifest import Manifest, PublishedTable
from papilio.release.store import read_manifest
from papilio.verify import sql

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


@dataclass(frozen=True, eq=False)
class Opened:
    """A release that can be questioned in SQL.

    Attributes
    ----------
    connection
        A private in-memory database with a view per table.
    manifest
        What the release says about itself.
    directory
        Where its files are; ``None`` while it is only in memory.
    hierarchies
        Text of the files of paths, by file name.
    """

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    directory: Path | None
    hierarchies: Mapping[str, str]

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        return self.connection.execute(statement).fetchall()

    def row(self, statement: str) -> tuple[Any, ...]:
        """Run a query that returns one row."""
        return self.rows(statement)[0]


@contextmanager
def open_directory(directory: Path) -> Iterator[Opened]:
    """Open the release in a directory.

    Raises
    ------
    ReleaseError
        If there is no manifest, or a table cannot be read at all.
    """
    manifest = read_manifest(directory)
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        for file in manifest.files:
            if file.table is not None:
                reading = _reading(directory / file.name, manifest.table(file.table))
                _create_view(connection, file.table, file.name, reading)
        yield Opened(connection, manifest, directory, _hierarchies(directory, manifest))


@contextmanager
def open_frames(
    manifest: Manifest, frames: Mapping[str, Any], hierarchies: Mapping[str, str]
) -> Iterator[Opened]:
    """Open a release that is only in memory; ``frames`` are Arrow tables."""
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        for table, frame in frames.items():
            connection.register(table, frame)
        yield Opened(connection, manifest, None, hierarchies)


def _create_view(
    connection: duckdb.DuckDBPyConnection, table: str, file: str, reading: str
) -> None:
    try:
        connection.execute(f"CREATE VIEW {sql.name(table)} AS SELECT * FROM {reading}")
    except duckdb.Error:
        # DuckDB's message may quote the file's content.
        raise ReleaseError(
            f"{file} is missing or cannot be read as the manifest says", reason="unreadable-table"
        ) from None


def _reading(path: Path, table: PublishedTable) -> str:
    file = sql.text(str(path))
    if path.suffix != ".csv":
        return f"read_parquet({file})"
    types = ", ".join(
        f"{sql.text(column)}: 'VARCHAR'" for each in table.columns for column in _texts(each)
    )
    options = "header = true, nullstr = '', allow_quoted_nulls = false, sample_size = -1"
    return f"read_csv({file}, delim = ',', quote = '\"', {options}, types = {{{types}}})"


def _texts(column: Any) -> tuple[str, ...]:
    """Published columns that are text even if every cell looks like a number."""
    numbers = column.cells == "range" and not column.text
    values = column.cells == "value" and column.type != "category"
    return () if numbers or values else column.published


def _hierarchies(directory: Path, manifest: Manifest) -> dict[str, str]:
    found = {}
    for file in manifest.files:
        path = directory / file.name
        if file.table is None and path.is_file():
            found[file.name] = path.read_text(encoding="utf-8")
    return found
