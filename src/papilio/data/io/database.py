"""Tables of a database with their keys and foreign keys, as its catalog knows them.

A DuckDB or SQLite file is opened read-only; a PostgreSQL schema is read as any PostgreSQL source.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from papilio.data.io.confine import confined
from papilio.data.io.frames import check_names, check_types, choose_columns, code_text, to_frame
from papilio.data.io.postgres import check_options, postgres_header, read_postgres
from papilio.data.io.read import Raw
from papilio.data.source import PostgresSource, is_address
from papilio.errors import DataError

_SQLITE = b"SQLite format 3\x00"
_ROWS = 100_000
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # Nothing of the original may be spilled to a disk.
    "temp_directory": "",
}
_POSTGRES_KEYS = """
SELECT t.relname::text AS "table", c.contype::text AS kind, r.relname::text AS other,
       (SELECT string_agg(a.attname, chr(31) ORDER BY u.place)
        FROM unnest(c.conkey) WITH ORDINALITY AS u(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = u.number)
           AS columns
FROM pg_catalog.pg_constraint c
JOIN pg_catalog.pg_class t ON t.oid = c.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
LEFT JOIN pg_catalog.pg_class r ON r.oid = c.confrelid
WHERE c.contype IN ('p', 'f') AND n.nspname = {schema}
ORDER BY t.relname, c.conname
"""


@dataclass(frozen=True)
class Keys:
    """What a catalog says of one table.

    Attributes
    ----------
    key
        Columns of the primary key; none if there is no key.
    references
        Foreign keys: the table each leads to, and its columns.
    """

    key: tuple[str, ...] = ()
    references: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Database:
    """A database that tables are read from.

    Attributes
    ----------
    path
        The file, of a DuckDB or SQLite database.
    uri, schema
        Address and schema of a PostgreSQL server.
    """

    path: Path | None = None
    uri: str | None = field(default=None, repr=False)
    schema: str = "public"


def parse_database(text: str, base: Path, allowed: tuple[Path, ...] | None = None) -> Database:
    """Read what a policy says of a database: a file beside it, or an address of PostgreSQL.

    Raises
    ------
    DataError
        If it is a file outside of ``base`` and ``allowed``, where ``None`` allows any place, or an
        address with an option that a policy may not set.
    """
    if is_address(text):
        uri, _, schema = text.partition("#")
        check_options(uri, allowed)
        return Database(uri=uri, schema=schema or "public")
    confined(text, base, allowed)
    return Database(path=base / text)


def catalog(database: Database) -> dict[str, Keys]:
    """Primary and foreign keys of all tables.

    Raises
    ------
    DataError
        If the database cannot be read.
    """
    if database.uri is not None:
        return _postgres_catalog(database)
    return _sqlite_catalog(database) if _is_sqlite(database) else _duckdb_catalog(database)


def table_header(database: Database, table: str) -> tuple[str, ...]:
    """Names of the columns of a table."""
    if database.uri is not None:
        return postgres_header(_postgres(database, table))
    if _is_sqlite(database):
        with _sqlite(database) as cursor:
            # A view is a query of whoever made the file, which need never end.
            stored = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
            (there,) = cursor.execute(stored, [table]).fetchone()
            found = cursor.execute(f"PRAGMA table_info({_quoted(table)})") if there else ()
            names = [row[1] for row in found]
            return check_names(_exists(names, database, table), _where(database, table))
    with _duckdb(database) as connection:
        rows = connection.execute(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = $1 AND NOT internal "
            "AND table_oid IN (SELECT table_oid FROM duckdb_tables() WHERE table_name = $1) "
            "ORDER BY column_index",
            [table],
        ).fetchall()
        names = [row[0] for row in rows]
        return check_names(_exists(names, database, table), _where(database, table))


def read_table(database: Database, table: str, columns: Collection[str]) -> Raw:
    """Read columns of a table.

    What SQLite holds is text to Papilio, whatever it was declared as, and gets types as the cells
    of a CSV file do.
    """
    if database.uri is not None:
        return Raw(table, read_postgres(_postgres(database, table), columns), typed=True)
    names = choose_columns(table_header(database, table), columns, _where(database, table))
    listed = ", ".join(map(_quoted, names))
    if _is_sqlite(database):
        with _sqlite(database) as cursor:
            rows = cursor.execute(f"SELECT {listed} FROM {_quoted(table)}").fetchall()
        return Raw(table, _texts(names, rows, _where(database, table)), typed=False)
    with _duckdb(database) as connection:
        query = connection.sql(f"SELECT {listed} FROM {_quoted(table)}")
        reader = query.to_arrow_reader(_ROWS)
        check_types(reader.schema, names, _where(database, table))
        return Raw(table, to_frame(code_text(reader, reader.schema)), typed=True)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _where(database: Database, table: str) -> str:
    return f"{database.path}: table '{table}'"


def _exists(names: list[str], database: Database, table: str) -> list[str]:
    if not names:
        raise DataError(
            f"{database.path} has no table '{table}'; tables are accepted, views are not",
            reason="missing-table",
        )
    return names


def _is_sqlite(database: Database) -> bool:
    path = database.path
    assert path is not None  # noqa: S101 - a database without an address is a file
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else "it cannot be read"
        raise DataError(f"{path}: {why}", reason="missing-file") from None


@contextmanager
def _sqlite(database: Database) -> Iterator[sqlite3.Cursor]:
    path = Path(str(database.path)).absolute()
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            yield connection.cursor()
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError):
        # What SQLite says may quote a cell.
        raise DataError(
            f"{database.path}: SQLite cannot read it", reason="unreadable-database"
        ) from None


@contextmanager
def _duckdb(database: Database) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with duckdb.connect(str(database.path), read_only=True, config=_SETTINGS) as connection:
            connection.execute("SET enable_external_access = false")
            yield connection
    except duckdb.Error:
        raise DataError(
            f"{database.path} cannot be read; a DuckDB or SQLite file, or "
            "postgresql://user@host/database#schema is accepted",
            reason="unreadable-database",
        ) from None


def _postgres(database: Database, table: str) -> PostgresSource:
    return PostgresSource(database.uri or "", f"{_quoted(database.schema)}.{_quoted(table)}")


def _collect(rows: Iterator[tuple[str, str, tuple[str, ...], str | None]]) -> dict[str, Keys]:
    """Put constraints (table, kind, columns, other table) together, table by table."""
    keys: dict[str, tuple[str, ...]] = {}
    references: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for table, kind, columns, other in rows:
        if kind == "key":
            keys[table] = columns
        elif other is not None:
            references.setdefault(table, []).append((other, columns))
    names = dict.fromkeys([*keys, *references])
    return {n: Keys(keys.get(n, ()), tuple(references.get(n, ()))) for n in names}


def _duckdb_catalog(database: Database) -> dict[str, Keys]:
    with _duckdb(database) as connection:
        rows = connection.execute(
            "SELECT table_name, constraint_type, constraint_column_names, referenced_table "
            "FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
        ).fetchall()
    return _collect(
        (row[0], "key" if row[1] == "PRIMARY KEY" else "reference", tuple(row[2]), row[3])
        for row in rows
    )


def _sqlite_catalog(database: Database) -> dict[str, Keys]:
    with _sqlite(database) as cursor:
        tables = [
            row[0] for row in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        rows = [row for table in tables for row in _sqlite_keys(cursor.execute, table)]
    return _collect(iter(rows))


def _sqlite_keys(
    execute: Callable[[str], Any], table: str
) -> Iterator[tuple[str, str, tuple[str, ...], str | None]]:
    columns = execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
    key = [row for row in columns if row[5]]
    if key:
        yield table, "key", tuple(row[1] for row in sorted(key, key=lambda row: row[5])), None
    found: dict[int, list[Any]] = {}
    for row in execute(f"PRAGMA foreign_key_list({_quoted(table)})").fetchall():
        found.setdefault(row[0], []).append(row)
    for rows in found.values():
        yield table, "reference", tuple(row[3] for row in rows), rows[0][2]


def _postgres_catalog(database: Database) -> dict[str, Keys]:
    schema = "'" + database.schema.replace("'", "''") + "'"
    query = _POSTGRES_KEYS.format(schema=schema)
    frame = read_postgres(PostgresSource(database.uri or "", query=query), None)
    texts = frame.with_columns(pl.all().cast(pl.String))
    return _collect(
        (
            row["table"],
            "key" if row["kind"] == "p" else "reference",
            tuple(row["columns"].split("\x1f")),
            row["other"],
        )
        for row in texts.iter_rows(named=True)
    )


def _texts(names: tuple[str, ...], rows: list[tuple[Any, ...]], where: str) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return pl.DataFrame(
        [
            pl.Series(name, [_text(value, name, where) for value in values], dtype=pl.String)
            for name, values in zip(names, columns, strict=True)
        ]
    )


def _text(value: Any, name: str, where: str) -> str | None:
    if isinstance(value, bytes):
        raise DataError(
            f"{where}: column '{name}' holds binary values; numbers and text are accepted",
            reason="unsupported-type",
        )
    return None if value is None else str(value)
