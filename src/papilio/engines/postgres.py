"""A release on a PostgreSQL server: its tables, as the rewritten SQL needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from papilio.data.source import PostgresSource
from papilio.engines.names import quoted
from papilio.errors import DataError, OutputError
from papilio.release.lazy_frames import parts_of
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release

#: Longest name PostgreSQL keeps, in bytes; it cuts longer ones off.
_LONGEST = 63
#: Kinds of columns that rewritten queries join by; their order is that of an index.
_JOINED = ("group", "hits")
_FAULTS = {
    "42501": ("writing there is not permitted", "postgres-permission"),
    "53100": ("its disk is full", "postgres-full"),
    "42P07": ("a table of this name was made in the meantime", "table-exists"),
}


def load_postgres(
    release: Release, uri: str, *, schema: str | None = None, replace: bool = False
) -> dict[str, int]:
    """Load the tables of a release in one transaction: all of them, or none.

    Text is compared by code points (``COLLATE "C"``), as DuckDB does, so conditions mean the same.
    The columns that rewritten queries join by are indexed, and statistics are gathered.

    Parameters
    ----------
    release
        The release.
    uri
        Address as libpq takes it.
    schema
        Where the tables go; made if it is not there.
    replace
        Replace tables of the same names.

    Returns
    -------
    dict
        Rows by table.

    Raises
    ------
    OutputError
        If a table is there already, a name is too long for PostgreSQL, or the server refuses;
        nothing is left behind. Without the server's own message, which could repeat a password or
        cells.
    DataError
        If the server cannot be reached.
    """
    if not uri.startswith(("postgresql://", "postgres://")):
        raise DataError("a database is named postgresql://user@host/database", reason="bad-address")
    columns = {t.name: [n for c in t.columns for n in c.published] for t in release.manifest.tables}
    _check_names(columns, schema)
    loaded = {}
    with _transaction(uri) as cursor:
        if schema is not None:
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
        for name in release.frames:
            loaded[name] = _load(cursor, parts_of(release.frames, name), name, schema, replace)
            _index(cursor, release.manifest.table(name), schema)
    return loaded


def _load(
    cursor: Any,
    parts: Iterator[pl.DataFrame],
    name: str,
    schema: str | None,
    replace: bool,
) -> int:
    """Load a table part by part, so that no more than one is in memory; return its rows."""
    rows = 0
    for number, part in enumerate(parts):
        frame = _plain(part)
        if number == 0:
            _make(cursor, frame, name, schema, replace=replace)
        cursor.adbc_ingest(
            name,
            frame.to_arrow(compat_level=pl.CompatLevel.oldest()),
            mode="append",
            db_schema_name=schema,
        )
        rows += frame.height
    return rows


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def _check_names(tables: dict[str, list[str]], schema: str | None) -> None:
    names = [*tables, *(column for columns in tables.values() for column in columns)]
    long = [name for name in [*names, schema or ""] if len(name.encode()) > _LONGEST]
    if long:
        raise OutputError(
            f"the name '{long[0]}' is too long for PostgreSQL, which keeps {_LONGEST} bytes",
            reason="name-too-long",
        )


def _place(name: str, schema: str | None) -> str:
    return quoted(name) if schema is None else f"{quoted(schema)}.{quoted(name)}"


def _make(
    cursor: Any, frame: pl.DataFrame, name: str, schema: str | None, *, replace: bool
) -> None:
    cursor.execute("SELECT to_regclass($1) IS NOT NULL", (_place(name, schema),))
    if cursor.fetchone()[0]:
        if not replace:
            raise OutputError(
                f"there is a table '{name}' already; replace it with --replace, or name another "
                "schema",
                reason="table-exists",
            )
        cursor.execute(f"DROP TABLE {_place(name, schema)}")
    columns = ", ".join(f"{quoted(n)} {_type(dtype)}" for n, dtype in frame.schema.items())
    cursor.execute(f"CREATE TABLE {_place(name, schema)} ({columns})")


def _type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Datetime):
        return "timestamptz" if dtype.time_zone else "timestamp"
    if dtype.is_integer():
        return "bigint"
    if dtype.is_float():
        return "double precision"
    known = {pl.Boolean: "boolean", pl.Date: "date"}
    return known.get(type(dtype), 'text COLLATE "C"')


def _index(cursor: Any, table: PublishedTable, schema: str | None) -> None:
    joined = [
        column.published[0] for kind in _JOINED for column in table.columns if column.cells == kind
    ]
    if joined:
        listed = ", ".join(map(quoted, joined))
        cursor.execute(f"CREATE INDEX ON {_place(table.name, schema)} ({listed})")
    cursor.execute(f"ANALYZE {_place(table.name, schema)}")


@contextmanager
def _transaction(uri: str) -> Iterator[Any]:
    dbapi = _driver()
    address = PostgresSource(uri, table="t").address
    try:
        connection = dbapi.connect(uri)
    except dbapi.Error:
        raise DataError(
            f"{address}: cannot connect to the server", reason="no-connection"
        ) from None
    try:
        # Leaving without a commit takes everything back.
        with connection, connection.cursor() as cursor:
            yield cursor
            connection.commit()
    except dbapi.Error as error:
        state = getattr(error, "sqlstate", None)
        told = f"the server reports an error{f' with code {state}' if state else ''}"
        what, reason = _FAULTS.get(state or "", (told, "postgres-failed"))
        raise OutputError(f"{address}: {what}; nothing was loaded", reason=reason) from None


def _driver() -> Any:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            "loading into PostgreSQL needs a driver; install it with "
            "pip install 'papilio[postgres]'",
            reason="missing-driver",
        ) from None
    return dbapi
