"""A release that can be questioned in SQL: here with DuckDB, one view per table.

The checks write one text in plain SQL, which other engines understand as well; what they ask is
what :class:`Opened` offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pyarrow as pa

from papilio.errors import PapilioError, RefusedError, ReleaseError
from papilio.release.files import Seen, look_at_all
from papilio.release.manifest import Manifest, PublishedTable
from papilio.release.read_table import files_of, read_header, text_columns
from papilio.release.store import read_manifest
from papilio.verify import sql

#: Schema of the verifier's own tables, so that no published table can have the name of one.
WORK = "verifying"

#: What is wrong with a table that has no view.
DAMAGED = "cannot be read"
UNEQUAL = "has files with different columns"

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


class Opened(Protocol):
    """A release that can be questioned in SQL.

    Names in statements stand in double quotes, the verifier's own tables in the schema
    :data:`WORK`. Checks that need no original keep to SQL that is not DuckDB's alone.
    """

    @property
    def manifest(self) -> Manifest:
        """What the release says about itself."""

    @property
    def directory(self) -> Path | None:
        """Where its files are; ``None`` while it is only in memory."""

    @property
    def hierarchies(self) -> Mapping[str, str]:
        """Text of the files of paths, by file name."""

    @property
    def tables(self) -> frozenset[str]:
        """Names of the tables that are there, described or not."""

    @property
    def faults(self) -> Mapping[str, str]:
        """Tables that are there but cannot be questioned, and why."""

    @property
    def files(self) -> Mapping[str, Seen]:
        """What the listed files looked like before any was read; none of a release in memory."""

    @property
    def kept(self) -> dict[tuple[Any, ...], Any]:
        """What checks found out once and for all."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""

    def row(self, statement: str) -> tuple[Any, ...]:
        """Run a query that returns one row."""

    def arrays(self, statement: str) -> list[Any]:
        """Run a query and return its columns as NumPy arrays."""

    def lines(self, table: str, columns: Sequence[str], most: int) -> pa.Table:
        """Read the first lines of a table's first file in the order in which they stand."""

    def execute(self, statement: str) -> None:
        """Run a statement that returns nothing."""

    def types(self, table: str) -> dict[str, str]:
        """Columns of a table or view and their SQL types, in order."""

    def keep(self, name: str, query: str) -> None:
        """Keep what a query returns as a table of the schema :data:`WORK`."""

    def keep_columns(self, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Keep a small table, given by its columns, in the schema :data:`WORK`."""

    def described_by(self, manifest: Manifest) -> Opened:
        """Give the same tables under another manifest."""


@dataclass(frozen=True, eq=False)
class OpenedHere:
    """A release that DuckDB questions inside this program; see :class:`Opened`.

    Attributes
    ----------
    connection
        A private in-memory database with a view per table, and an empty schema :data:`WORK`.
    manifest, directory, hierarchies, tables, faults, files, kept
        As :class:`Opened` says.
    """

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    directory: Path | None
    hierarchies: Mapping[str, str]
    tables: frozenset[str]
    faults: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Seen] = field(default_factory=dict)
    kept: dict[tuple[Any, ...], Any] = field(default_factory=dict)

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

    def lines(self, table: str, columns: Sequence[str], most: int) -> pa.Table:
        """Read the first lines of a table's first file in the order in which they stand."""
        paths = [] if self.directory is None else files_of(self.manifest, table)
        source = sql.name(table)
        if self.directory is not None and len(paths) > 1:
            source = _reading([self.directory / paths[0]], self.manifest.table(table))
        with _readable_files(), _in_order(self.connection):
            query = f"SELECT {sql.names(columns)} FROM {source} LIMIT {most}"
            return self.connection.sql(query).to_arrow_table()

    def types(self, table: str) -> dict[str, str]:
        """Columns of a table or view and their SQL types, in order."""
        return {row[0]: row[1] for row in self.rows(f"DESCRIBE SELECT * FROM {sql.name(table)}")}

    def keep(self, name: str, query: str) -> None:
        """Keep what a query returns as a table of the schema :data:`WORK`."""
        self.execute(f"CREATE OR REPLACE TABLE {WORK}.{name} AS {query}")

    def keep_columns(self, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Keep a small table, given by its columns, in the schema :data:`WORK`."""
        self.connection.register("papilio columns", pa.table(dict(columns)))
        self.keep(name, 'SELECT * FROM "papilio columns"')
        self.connection.unregister("papilio columns")

    def described_by(self, manifest: Manifest) -> OpenedHere:
        """Give the same tables under another manifest."""
        return replace(self, manifest=manifest)


@contextmanager
def _readable_files() -> Iterator[None]:
    """Turn what DuckDB says of a damaged file into :class:`UnreadableError`."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        raise PapilioError(
            "there is not enough memory, or no room for what does not fit, to verify this; give "
            "more with --memory",
            reason="out-of-memory",
        ) from None
    except (duckdb.BinderException, duckdb.CatalogException):
        # Not the file's fault.
        raise
    except duckdb.Error:
        # DuckDB's message may quote the file's content.
        raise UnreadableError from None


@contextmanager
def _in_order(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Keep lines in the order in which they stand, which large tables need not be."""
    setting = "preserve_insertion_order"
    row = connection.execute(f"SELECT current_setting('{setting}')").fetchone()
    connection.execute(f"SET {setting} = true")
    try:
        yield
    finally:
        connection.execute(f"SET {setting} = {bool(row and row[0])}")


@contextmanager
def open_directory(
    directory: Path, *, memory: int | None = None, spill: Path | None = None
) -> Iterator[OpenedHere]:
    """Open the release in a directory.

    All files are looked at before one is read. A table with a file that is missing, is not what
    files of releases are, or cannot be read has no view; :mod:`papilio.verify.integrity` says so,
    and which files are not those listed. No file but those the manifest lists can be reached from
    the connection.

    Parameters
    ----------
    directory
        The release.
    memory
        Bytes that DuckDB may use; four fifths of the machine's if ``None``.
    spill
        A private folder for what does not fit; nothing leaves memory if ``None``. Never to be given
        when an original is looked at besides.

    Raises
    ------
    ReleaseError
        If there is no manifest.
    """
    manifest = read_manifest(directory)
    described = {table.name: table for table in manifest.tables}
    seen = look_at_all(directory, manifest)
    damaged = unreadable_tables(manifest, seen)
    files = {
        name: [directory / file for file in files_of(manifest, name)]
        for name in described
        if name not in damaged
    }
    with duckdb.connect(":memory:", config=_settings(memory, spill)) as connection:
        _lock(connection, [path for paths in files.values() for path in paths])
        with _in_order(connection):
            found = {n: _create_view(connection, described[n], paths) for n, paths in files.items()}
        yield OpenedHere(
            connection,
            manifest,
            directory,
            hierarchies_of(directory, manifest, seen),
            tables_of(manifest),
            {**damaged, **{name: fault for name, fault in found.items() if fault is not None}},
            seen,
        )


def _settings(
    memory: int | None, spill: Path | None
) -> dict[str, str | bool | int | float | list[str]]:
    settings = dict(_SETTINGS)
    if memory is not None:
        settings["memory_limit"] = f"{memory}B"
    if spill is not None:
        # In any order of rows less has to be held back.
        settings |= {"temp_directory": str(spill), "preserve_insertion_order": "false"}
    return settings


@contextmanager
def open_frames(
    manifest: Manifest, frames: Mapping[str, Any], hierarchies: Mapping[str, str]
) -> Iterator[OpenedHere]:
    """Open a release that is only in memory; ``frames`` are Arrow tables."""
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _lock(connection, [])
        for table, frame in frames.items():
            connection.register(table, frame)
        yield OpenedHere(connection, manifest, None, hierarchies, frozenset(frames))


@contextmanager
def open_file(
    file: Path, manifest: Manifest, hierarchies: Mapping[str, str], memory: int | None = None
) -> Iterator[OpenedHere]:
    """Open one file of a release that is being written, as if it were the whole table.

    Parameters
    ----------
    file
        The file.
    manifest
        How to read it; it describes one table.
    hierarchies
        Texts of the files of paths.
    memory
        Bytes that DuckDB may use; nothing leaves memory.

    Raises
    ------
    UnreadableError
        If the file cannot be read.
    """
    (table,) = manifest.tables
    with open_files({table.name: file}, manifest, hierarchies, memory) as opened:
        yield opened


@contextmanager
def open_files(
    files: Mapping[str, Path],
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    memory: int | None = None,
) -> Iterator[OpenedHere]:
    """Open one file each of some tables, as if they were the whole tables.

    Parameters
    ----------
    files
        The files, by the names of their tables.
    manifest
        How to read them; it may describe other tables as well.
    hierarchies, memory
        As for :func:`open_file`.

    Raises
    ------
    UnreadableError
        If a file cannot be read.
    """
    with duckdb.connect(":memory:", config=_settings(memory, None)) as connection:
        _lock(connection, files.values())
        for name, file in files.items():
            if _create_view(connection, manifest.table(name), [file]) is not None:
                raise UnreadableError
        yield OpenedHere(connection, manifest, None, hierarchies, frozenset(files))


def look_up(table: pa.Table, query: str) -> Any:
    """Ask for one column of an Arrow table, as a NumPy array, in a database of its own.

    Nothing of it leaves memory, so that values of an original may be in it, as they may not where
    a folder for what does not fit is at hand. ``query`` has ``{}`` where the table goes.
    """
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        _lock(connection, [])
        connection.register("looked up", table)
        (found,) = connection.execute(query.format(sql.name("looked up"))).fetchnumpy().values()
        return found


def _lock(connection: duckdb.DuckDBPyConnection, files: Iterable[Path]) -> None:
    """Let the connection read these files only, and compare moments in UTC."""
    allowed = ", ".join(sql.text(str(file)) for file in files)
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE SCHEMA {WORK}")


def _create_view(
    connection: duckdb.DuckDBPyConnection, table: PublishedTable, paths: Sequence[Path]
) -> str | None:
    """Make a view of a table's files; what is wrong with them, if it cannot be made."""
    if not paths:
        return None
    # Text is parsed once; Parquet is better read anew, each time only what is asked for.
    kind = "TABLE" if paths[0].suffix == ".csv" else "VIEW"
    try:
        if len(paths) > 1 and not _alike(connection, table, paths):
            return UNEQUAL
        reading = f"SELECT * FROM {_reading(paths, table)}"
        connection.execute(f"CREATE {kind} {sql.name(table.name)} AS {reading}")
    except (duckdb.Error, OSError, RefusedError):
        return DAMAGED
    return None


def _alike(
    connection: duckdb.DuckDBPyConnection, table: PublishedTable, paths: Sequence[Path]
) -> bool:
    """Whether all files of a table have the same columns, in the same order, of the same types.

    DuckDB would convert what differs, or read columns of other files under wrong names.
    """
    if len({path.suffix == ".csv" for path in paths}) > 1:
        return False
    if paths[0].suffix == ".csv":
        # Types in text are seen in all files together.
        return len({tuple(_header(path)) for path in paths}) == 1
    statements = (f"DESCRIBE SELECT * FROM {_reading([path], table)}" for path in paths)
    found = {tuple(row[:2] for row in connection.execute(each).fetchall()) for each in statements}
    return len(found) == 1


def _reading(paths: Sequence[Path], table: PublishedTable) -> str:
    files = ", ".join(sql.text(str(path)) for path in paths)
    if paths[0].suffix != ".csv":
        return f"read_parquet([{files}])"
    header = _header(paths[0])
    texts = [name for column in table.columns for name in text_columns(column) if name in header]
    types = ", ".join(f"{sql.text(name)}: 'VARCHAR'" for name in texts)
    return f"read_csv([{files}], {_CSV}, union_by_name = true, types = {{{types}}})"


def _header(path: Path) -> list[str]:
    with path.open("rb") as file:
        return read_header(file.fileno())


def tables_of(manifest: Manifest) -> frozenset[str]:
    """Names of the tables that the files of a release carry."""
    return frozenset(file.table for file in manifest.files if file.table is not None)


def unreadable_tables(manifest: Manifest, seen: Mapping[str, Seen]) -> dict[str, str]:
    """Tables with a file that must not be read, and what is to be said of them."""
    return {
        file.table: DAMAGED
        for file in manifest.files
        if file.table is not None and not seen[file.name].readable
    }


def hierarchies_of(directory: Path, manifest: Manifest, seen: Mapping[str, Seen]) -> dict[str, str]:
    """Text of the files of a release that carry no table, as far as they may be read."""
    found = {}
    for file in manifest.files:
        if file.table is None and seen[file.name].readable:
            # Text that is not UTF-8 has no labels in common with the cells.
            content = (directory / file.name).read_bytes()
            found[file.name] = content.decode("utf-8", errors="replace")
    return found
