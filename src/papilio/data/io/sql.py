"""A SELECT over files, run by DuckDB in memory.

The query gets what it needs and no more: the files it names, nothing else of the disk, no
network, no extensions, no variables of the Python program, and no temporary files, so that no
raw data is left on disk; but for a private folder where a table is larger than memory.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.arrow_frame import check_types, code_text
from papilio.data.io.columns import check_names, choose_columns
from papilio.data.io.sql_text import Statement, prepare, quoted
from papilio.data.io.unchanged import unchanged
from papilio.data.source import SqlSource
from papilio.errors import DataError

_WHERE = "the SQL source"
_ROWS = 1 << 17
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SETTINGS: dict[str, str | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}
_FAULTS = (
    (duckdb.ParserException, "has a syntax error", "sql-syntax"),
    (duckdb.BinderException, "uses a column or function that is not there", "sql-unknown-name"),
    (duckdb.CatalogException, "uses a table or function that is not there", "sql-unknown-name"),
    (duckdb.ConversionException, "converts a value that cannot be converted", "sql-conversion"),
    (duckdb.PermissionException, "opens a file it does not name in plain text", "sql-permission"),
    (duckdb.IOException, "reads a file that cannot be read", "sql-file"),
    (duckdb.OutOfMemoryException, "needs more memory than there is", "sql-memory"),
)


def load_sql(source: SqlSource, columns: Collection[str] | None) -> pa.Table:
    """Run the query; text columns are dictionary-coded as they arrive.

    Parameters
    ----------
    source
        The query and the folder of its files.
    columns
        Names to load; others are not computed.

    Raises
    ------
    DataError
        With the kind of fault and its line, but without DuckDB's own message, which repeats
        cells.
    """
    statement = prepare(source)
    with unchanged(*statement.files), _connect(statement) as connection:
        reader = _run(connection, statement, columns)
        return code_text(reader, reader.schema)


def spool_sql(
    source: SqlSource, columns: Collection[str] | None, file: Path, *, memory: int, spill: Path
) -> None:
    """Run the query once and write what it returns to a Parquet file, batch by batch.

    Parameters
    ----------
    source, columns
        As for :func:`load_sql`.
    file
        The file to write.
    memory
        Bytes that DuckDB may use.
    spill
        A private folder for what does not fit.

    Raises
    ------
    DataError
        As :func:`load_sql`.
    """
    statement = prepare(source)
    more: dict[str, Any] = {"memory_limit": f"{memory}B", "temp_directory": str(spill)}
    with unchanged(*statement.files), _connect(statement, more) as connection:
        reader = _run(connection, statement, columns)
        with pq.ParquetWriter(file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)


def _run(
    connection: duckdb.DuckDBPyConnection, statement: Statement, columns: Collection[str] | None
) -> pa.RecordBatchReader:
    chosen = choose_columns(_names(connection, statement), columns, _WHERE)
    listed = ", ".join('"' + name.replace('"', '""') + '"' for name in chosen)
    # As a view the statement may end in semicolons and comments, unlike in brackets.
    connection.execute(f"CREATE TEMP VIEW papilio_source AS {statement.sql}")
    reader = connection.sql(f"SELECT {listed} FROM papilio_source").to_arrow_reader(_ROWS)
    check_types(reader.schema, chosen, _WHERE)
    return reader


def sql_header(source: SqlSource) -> tuple[str, ...]:
    """Column names of the result; the query is bound but not run."""
    statement = prepare(source)
    with _connect(statement) as connection:
        return _names(connection, statement)


def _names(connection: duckdb.DuckDBPyConnection, statement: Statement) -> tuple[str, ...]:
    # Bound by execute(), not sql(), whose errors do not tell the line.
    rows = connection.execute(f"DESCRIBE {statement.sql}").fetchall()
    return check_names([row[0] for row in rows], _WHERE)


@contextmanager
def _connect(
    statement: Statement, more: Mapping[str, Any] | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with duckdb.connect(":memory:", config={**_SETTINGS, **(more or {})}) as connection:
            files = ", ".join(quoted(str(path)) for path in statement.files)
            folders = ", ".join(quoted(str(path)) for path in statement.folders)
            connection.execute(f"SET allowed_paths = [{files}]")
            connection.execute(f"SET allowed_directories = [{folders}]")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield connection
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) in _FULL:
            # Of the disk that the result is written to, which is not the query's fault.
            raise
        raise _explain(error, statement.sql.count("\n") + 1) from None


def _explain(error: Exception, lines: int) -> DataError:
    found = re.search(r"^LINE (\d+):", str(error), re.MULTILINE)
    place = f" in line {found[1]}" if found and int(found[1]) <= lines else ""
    for kind, what, reason in _FAULTS:
        if isinstance(error, kind):
            return DataError(f"{_WHERE} {what}{place}", reason=reason)
    return DataError(f"{_WHERE} cannot be run{place}", reason="sql-failed")
