"""A table or query on a PostgreSQL server, through ADBC in a read-only transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl
import pyarrow as pa
from pyarrow import types

from papilio.data.io.frames import check_names, check_types, choose_columns, code_text, to_frame
from papilio.data.source import PostgresSource, split_table
from papilio.errors import DataError

#: Options of libpq that neither read a file nor name another place where options are.
ACCEPTED = frozenset({
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "gssencmode",
    "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle",
    "keepalives_interval", "krbsrvname", "load_balance_hosts", "options", "password", "port",
    "require_auth", "ssl_max_protocol_version", "ssl_min_protocol_version", "sslmode",
    "sslnegotiation", "sslsni", "target_session_attrs", "tcp_user_timeout", "user",
})  # fmt: skip


def check_options(uri: str, allowed: Collection[Path] | None) -> None:
    """Refuse options by which somebody else's policy would have files of its reader opened.

    ``passfile``, ``sslkey``, ``service`` and their like name files anywhere, whose contents may be
    sent to the server that the same address names.

    Parameters
    ----------
    uri
        The address.
    allowed
        ``None`` if the program's owner wrote it: then all options are accepted.

    Raises
    ------
    DataError
        If there is an option that is not in :data:`ACCEPTED`.

    Notes
    -----
    libpq finds the options behind one of the question marks, depending on where an ``@`` is. So
    what follows each of them is looked at as if it were that one.
    """
    if allowed is None:
        return
    said = [each for part in uri.split("?")[1:] for each in part.split("&")]
    if not {unquote(each.partition("=")[0]) for each in said} <= ACCEPTED:
        raise DataError(
            "the address of the database has an option that a policy may not set, such as one that "
            "names a file; sslmode, connect_timeout, application_name and others that name none "
            "are accepted, and libpq's environment variables for the rest",
            reason="not-allowed",
        )


#: Types that arrive as Arrow types of the same meaning.
_AS_THEY_ARE = {
    "int2", "int4", "int8", "float4", "float8", "bool",
    "text", "varchar", "name", "date", "timestamp", "timestamptz",
}  # fmt: skip
#: Exact numbers, which have no Arrow type; they travel as text.
_EXACT = {"numeric": "::text", "money": "::numeric::text"}
_CONNECTION_FAULTS = (
    ("authentication failed", "it refuses the user or the password"),
    ("no password supplied", "it wants a password"),
    ("role ", "it does not know the user"),
    ("database ", "it does not have the database"),
    ("translate host name", "its name is unknown"),
    ("refused", "nothing listens there"),
    ("timeout", "it does not answer"),
    ("timed out", "it does not answer"),
    ("No such file", "nothing listens there"),
)
_QUERY_FAULTS = {
    "42P01": ("there is no such table", "missing-table"),
    "3F000": ("there is no such schema", "missing-table"),
    "42501": ("reading it is not permitted", "postgres-permission"),
    "42601": ("the query has a syntax error or is not a single SELECT", "sql-syntax"),
    "42703": ("the query uses a column that is not there", "sql-unknown-name"),
    "42883": ("the query uses a function that is not there", "sql-unknown-name"),
    "25006": ("the query writes; only reading is accepted", "sql-not-a-select"),
    "0A000": ("the query is not a single SELECT that only reads", "sql-not-a-select"),
}


def read_postgres(source: PostgresSource, columns: Collection[str] | None) -> pl.DataFrame:
    """Read a table or the result of a query.

    ``numeric`` and ``money`` become ``Int64`` if all values are whole, else ``Float64``; types
    without an Arrow counterpart (enumerations, uuid, json, inet, …) become their text.

    Parameters
    ----------
    source
        Server and table or query.
    columns
        Names to load; others are not asked for.

    Raises
    ------
    DataError
        If the server cannot be reached, or refuses; without its own message, which could repeat
        a password or cells.
    """
    with _cursor(source) as cursor:
        schema = _schema(cursor, source)
        chosen = choose_columns(check_names(schema.names, source.address), columns, source.address)
        kinds = {name: _kind(schema.field(name)) for name in chosen}
        check_types(schema, [name for name in chosen if _is_refused(schema, name)], source.address)
        cursor.execute(f"SELECT {_selected(kinds)} FROM {_relation(source)}")
        reader = cursor.fetch_record_batch()
        frame = to_frame(code_text(reader, reader.schema))
    return frame.with_columns(_exact(frame[name]) for name, kind in kinds.items() if kind in _EXACT)


def postgres_header(source: PostgresSource) -> tuple[str, ...]:
    """Column names of the table or query; no row is read."""
    with _cursor(source) as cursor:
        return check_names(_schema(cursor, source).names, source.address)


def _schema(cursor: Any, source: PostgresSource) -> pa.Schema:
    cursor.execute(f"SELECT * FROM {_relation(source)} LIMIT 0")
    return cursor.fetch_arrow_table().schema


def _kind(entry: pa.Field) -> str:
    return str((entry.metadata or {}).get(b"POSTGRESQL:type", b""), "utf-8")


def _cast(kind: str) -> str:
    if kind in _AS_THEY_ARE:
        return ""
    return _EXACT.get(kind, "::text")


def _is_refused(schema: pa.Schema, name: str) -> bool:
    kind = schema.field(name).type
    return bool(types.is_nested(kind) or types.is_binary(kind))


def _selected(kinds: dict[str, str]) -> str:
    return ", ".join(
        f"{_identifier(name)}{_cast(kind)} AS {_identifier(name)}" for name, kind in kinds.items()
    )


def _relation(source: PostgresSource) -> str:
    if source.table is not None:
        return ".".join(_identifier(part) for part in split_table(source.table))
    query = (source.query or "").rstrip().rstrip(";")
    return f"({query}\n) AS source"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _exact(text: pl.Series) -> pl.Series:
    """Read exact numbers from text: whole ones if all are, else floating ones."""
    values: pl.Series = text.dtype.categories  # type: ignore[attr-defined]
    whole = values.str.contains("^-?[0-9]+$").all()
    numbers = values.cast(pl.Int64 if whole else pl.Float64, strict=False)
    if numbers.null_count():
        raise DataError(
            f"column {text.name!r} has numbers that do not fit 64 bits; leave it out, or cast it "
            "to text in a query",
            reason="number-too-large",
        )
    return numbers.gather(text.to_physical()).alias(text.name)


@contextmanager
def _cursor(source: PostgresSource) -> Iterator[Any]:
    dbapi = _driver()
    try:
        connection = dbapi.connect(source.uri)
    except dbapi.Error as error:
        raise DataError(
            f"{source.address}: cannot connect to the server{_why(str(error))}",
            reason="no-connection",
        ) from None
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            yield cursor
    except (dbapi.Error, pa.ArrowException, OSError) as error:
        raise _explain(source, error) from None


def _driver() -> Any:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            "reading from PostgreSQL needs a driver; install it with "
            "pip install 'papilio[postgres]'",
            reason="missing-driver",
        ) from None
    return dbapi


def _why(message: str) -> str:
    for part, meaning in _CONNECTION_FAULTS:
        if part in message:
            return f": {meaning}"
    return ""


def _explain(source: PostgresSource, error: Exception) -> DataError:
    what = f"table {source.table}" if source.table is not None else "query"
    state = getattr(error, "sqlstate", None)
    if state is None and "read-only transaction" in str(error):
        # What goes wrong after the first row has no code any more.
        state = "25006"
    unknown = f"with code {state}" if state else "while rows are computed"
    meaning, reason = _QUERY_FAULTS.get(
        state or "", (f"the server reports an error {unknown}", "postgres-failed")
    )
    return DataError(f"{source.address}: {what}: {meaning}", reason=reason)
