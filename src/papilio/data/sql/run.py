"""Answer a request about an SQL source; meant for a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb
import pyarrow as pa

from papilio.data.io.columns import check_names, choose_columns
from papilio.data.io.unchanged import unchanged
from papilio.data.sql.bound import bind, described, read_of, runnable, selected
from papilio.data.sql.check import check
from papilio.data.sql.faults import WHERE, told
from papilio.data.sql.files import Named, find
from papilio.data.sql.sandbox import ROWS, querying, reading, rows_of, shares
from papilio.data.sql.tree import Tree, parse
from papilio.errors import DataError


@dataclass(frozen=True)
class Request:
    """What is asked of an SQL source.

    Attributes
    ----------
    sql
        The text.
    base, allowed
        The folder of its files, and what is allowed besides, as in ``SqlSource``.
    columns
        Columns to give; ``None`` for all.
    memory
        Bytes that DuckDB may use.
    spill
        A private folder for what does not fit; ``None`` to write nothing.
    """

    sql: str
    base: Path
    allowed: tuple[Path, ...] | None
    memory: int
    columns: tuple[str, ...] | None = None
    spill: Path | None = None


@dataclass(frozen=True)
class _Opened:
    """A checked query with its files bound."""

    connection: duckdb.DuckDBPyConnection
    tree: Tree
    sql: str
    bound: frozenset[str]


def names_of_files(request: Request) -> tuple[str, ...]:
    """Names of the files the text reads, as they are written, each once."""
    with querying(request.memory) as connection, told():
        found = check(parse(connection, request.sql), request.sql)
    return tuple(dict.fromkeys(name for named in found for name in named.names))


def header_of(request: Request) -> tuple[str, ...]:
    """Columns of the result; the query is bound but not run."""
    with _opened(request) as opened:
        return _names(opened)


def write_rows(request: Request, target: BinaryIO) -> tuple[str, ...]:
    """Run the query and write its rows as an Arrow stream, batch by batch; all of its columns.

    Raises
    ------
    DataError
        If anything is wrong with the text, the files or the rows, or a file changed meanwhile.
    """
    with _opened(request) as opened:
        names = _names(opened)
        chosen = choose_columns(names, request.columns, WHERE)
        tree = selected(opened.connection, opened.tree, chosen)
        run = runnable(opened.connection, tree, opened.sql, opened.bound)
        with told(run.lines):
            reader = opened.connection.sql(_single(run.text)).to_arrow_reader(ROWS)
            with pa.ipc.new_stream(target, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        return names


@contextmanager
def _opened(request: Request) -> Iterator[_Opened]:
    for_files, for_rows = shares(request.memory)
    with querying(for_rows, request.spill) as connection:
        with told():
            tree = parse(connection, request.sql)
        named = check(tree, request.sql)
        files = [find(file, request.base, request.allowed) for file in named]
        every = tuple(dict.fromkeys(path for paths in files for path in paths))
        with unchanged(*every), reading(every, for_files) as reader:
            tables = _register(connection, reader, named, files)
            bound = bind(tree, named, tables)
            yield _Opened(connection, bound, request.sql, frozenset(tables))


def _register(
    connection: duckdb.DuckDBPyConnection,
    reader: duckdb.DuckDBPyConnection,
    named: Sequence[Named],
    files: Sequence[Sequence[Path]],
) -> list[str]:
    """Make each file that the text names a table of the query's connection."""
    tables = [f"papilio_file_{number}" for number in range(len(named))]
    for file, paths, table in zip(named, files, tables, strict=True):
        with told():
            connection.register(table, rows_of(reader, read_of(connection, file, paths)))
    return tables


def _names(opened: _Opened) -> tuple[str, ...]:
    connection, tree = opened.connection, opened.tree
    run = runnable(connection, described(connection, tree), opened.sql, opened.bound)
    with told(run.lines):
        rows = connection.execute(_single(run.text)).fetchall()
    names = check_names([row[0] for row in rows], WHERE)
    folded = {name.encode().lower() for name in names}
    if len(folded) < len(names):
        raise DataError(
            f"{WHERE}: two columns have names that differ in upper and lower case only; names "
            "must differ in more",
            reason="duplicate-column",
        )
    return names


def _single(text: str) -> duckdb.Statement:
    """The one statement of a text, which must be a query."""
    statements = duckdb.extract_statements(text)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise DataError("the SQL must be a single SELECT statement", reason="sql-not-a-select")
    return statements[0]
