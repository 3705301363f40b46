"""Answer a request about an SQL source; meant for a process of its own.

The two connections of an SQL source: one reads files for us, one runs what a stranger wrote.

The one that reads may open exactly the files that were found, and runs statements of ours alone.
The one that runs the query opens no file at all: rows reach it as a stream of the other.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import duckdb
import pyarrow as pa

from papilio.data.io.frames import check_names, choose_columns
from papilio.data.io.kinds import unchanged
from papilio.data.sql.check import OURS, check
from papilio.data.sql.files import (
    Named,
    Tree,
    find,
    line_of,
    location,
    node_of,
    parse,
    parts,
    statement,
    text_of,
)
from papilio.errors import DataError

Settings: TypeAlias = dict[str, str | bool | int | float | list[str]]
#: Rows of a batch on their way from one connection to the other.
ROWS = 1 << 16
#: Part of the memory that is for reading files.
_READING = 0.25
#: Least memory for reading files: DuckDB's buffers of a CSV file on a few threads.
_LEAST = 200 << 20
#: What every connection gets: no extensions, no secrets from the owner's home, no frames of the
#: Python program as tables, no temporary files, and positions in errors.
SETTINGS: Settings = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_unsigned_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
    "temp_directory": "",
    "errors_as_json": True,
}


@dataclass(frozen=True)
class Rows:
    """Rows of files, from the start each time that they are asked for.

    Attributes
    ----------
    reader
        The connection that may open the files.
    sql
        The statement of ours that reads them.
    schema
        Types of their columns.
    """

    reader: duckdb.DuckDBPyConnection
    sql: str
    schema: pa.Schema

    def __arrow_c_schema__(self) -> Any:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream = self.reader.cursor().sql(self.sql).to_arrow_reader(ROWS)
        return stream.__arrow_c_stream__(requested_schema)


def shares(memory: int) -> tuple[int, int]:
    """Divide memory between the connection that reads files and the one that runs the query."""
    files = max(int(memory * _READING), min(memory // 2, _LEAST))
    return files, memory - files


@contextmanager
def reading(files: Sequence[Path], memory: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the connection that may open these files and no others.

    Parameters
    ----------
    files
        Real places.
    memory
        Bytes it may use.
    """
    config = {**SETTINGS, "memory_limit": f"{memory}B", "arrow_lossless_conversion": True}
    with duckdb.connect(":memory:", config=config) as connection:
        listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
        connection.execute(f"SET allowed_paths = [{listed}]")
        _close(connection)
        yield connection


@contextmanager
def querying(memory: int, spill: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the connection that opens no file, but for what does not fit into memory.

    Parameters
    ----------
    memory
        Bytes it may use.
    spill
        A private folder, to which DuckDB writes what does not fit, encrypted with a key that is in
        memory only; left out, nothing is written anywhere.
    """
    more: Settings = {"memory_limit": f"{memory}B"}
    if spill is not None:
        # Without OpenSSL, which is an extension, DuckDB encrypts with keys from a generator that it
        # does not call secure: good against whoever finds the files, not against an expert.
        encrypted: Settings = {"temp_file_encryption": True, "force_mbedtls_unsafe": True}
        more |= {"temp_directory": str(spill), **encrypted}
    with duckdb.connect(":memory:", config={**SETTINGS, **more}) as connection:
        if spill is None:
            connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
        _close(connection)
        yield connection


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def rows_of(reader: duckdb.DuckDBPyConnection, sql: str) -> Rows:
    """Look at files without reading their rows."""
    return Rows(reader, sql, reader.cursor().sql(f"{sql} LIMIT 0").to_arrow_table().schema)


#: What the source is called in messages.
WHERE = "the SQL source"
_FAULTS = (
    (duckdb.ParserException, "has a syntax error", "sql-syntax"),
    (duckdb.BinderException, "uses a column or function that is not there", "sql-unknown-name"),
    (duckdb.CatalogException, "uses a table or function that is not there", "sql-unknown-name"),
    (duckdb.ConversionException, "converts a value that cannot be converted", "sql-conversion"),
    (duckdb.PermissionException, "does what is not permitted", "sql-permission"),
    (duckdb.IOException, "reads a file that cannot be read", "sql-file"),
    (duckdb.OutOfMemoryException, "needs more memory than it may use", "sql-memory"),
    (MemoryError, "needs more memory than it may use", "sql-memory"),
)


@contextmanager
def told(lines: Mapping[int, int] | None = None) -> Iterator[None]:
    """Turn errors of DuckDB and Arrow into ours.

    Parameters
    ----------
    lines
        Lines of the policy's text by byte positions in the text that runs.
    """
    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError, MemoryError, RuntimeError) as error:
        raise _explain(error, lines or {}) from None


def _explain(error: Exception, lines: Mapping[int, int]) -> DataError:
    line = lines.get(_position(str(error)))
    place = "" if line is None else f" in line {line}"
    for kind, what, reason in _FAULTS:
        if isinstance(error, kind):
            return DataError(f"{WHERE} {what}{place}", reason=reason)
    return DataError(f"{WHERE} cannot be run{place}", reason="sql-failed")


def _position(message: str) -> int:
    """Where DuckDB saw the fault; its errors are JSON here."""
    found = re.search(r"\{.*\}", message, re.DOTALL)
    try:
        return int(json.loads(found[0])["position"]) if found else -1
    except (ValueError, KeyError, TypeError):
        return -1


@dataclass(frozen=True)
class Runnable:
    """One statement to run, as DuckDB wrote it from a tree and parsed it again.

    Attributes
    ----------
    text
        The statement.
    lines
        Lines of the text of the policy, by byte positions of the parts in ``text``.
    """

    text: str
    lines: dict[int, int]


def read_of(parser: duckdb.DuckDBPyConnection, named: Named, paths: Sequence[Path]) -> str:
    """The statement of ours that reads exactly these files with the options of the text."""
    tree = parse(parser, f"SELECT * FROM {named.reader}(['file'], option := 'value')")
    function = node_of(tree)["from_table"]["function"]
    files, option = function["arguments"]
    file = files["expression"]["arguments"][0]
    files["expression"]["arguments"] = [_with_text(file, str(path)) for path in paths]
    function["arguments"] = [
        files,
        *({**option, "name": name, "expression": value} for name, value in named.options),
    ]
    return text_of(parser, tree)


def bind(tree: Tree, named: Sequence[Named], tables: Sequence[str]) -> Tree:
    """Return the tree with a table of ours in place of each file; the parts are changed."""
    for file, name in zip(named, tables, strict=True):
        old = dict(file.node)
        file.node.clear()
        file.node.update(
            {
                "type": "BASE_TABLE",
                "alias": old["alias"] or file.alias,
                "sample": old["sample"],
                "query_location": old["query_location"],
                "catalog_name": OURS[0],
                "schema_name": OURS[1],
                "table_name": name,
                "column_name_alias": old["column_name_alias"],
                "at_clause": None,
                "qualified_name": {"path": [*OURS, name]},
            }
        )
    return tree


def described(parser: duckdb.DuckDBPyConnection, tree: Tree) -> Tree:
    """A tree that asks for the columns of a query without running it."""
    outer = parse(parser, "DESCRIBE SELECT 1")
    node_of(outer)["from_table"]["query"] = node_of(tree)
    return outer


def selected(parser: duckdb.DuckDBPyConnection, tree: Tree, columns: Sequence[str]) -> Tree:
    """A tree that gives some columns of a query."""
    outer = parse(parser, "SELECT one FROM (SELECT 1 AS one) AS papilio_source")
    (column,) = node_of(outer)["select_list"]
    node_of(outer)["select_list"] = [{**column, "column_names": [name]} for name in columns]
    node_of(outer)["from_table"]["subquery"] = statement(node_of(tree))["statements"][0]
    return outer


def runnable(
    parser: duckdb.DuckDBPyConnection, tree: Tree, sql: str, bound: frozenset[str]
) -> Runnable:
    """Write a tree out, parse the text again, and check what was parsed.

    Parameters
    ----------
    parser
        Any connection.
    tree
        What :func:`described` or :func:`selected` made of a checked tree.
    sql
        The text of the policy that it came from.
    bound
        Tables of ours that it may read.

    Raises
    ------
    DataError
        If the text that would run is not accepted.

    Notes
    -----
    What runs is what was checked last. That it means the same as the text of the policy rests on
    how DuckDB writes its trees out.
    """
    text = text_of(parser, tree)
    whole = parse(parser, text)
    check(_without_describe(whole), text, bound)
    return Runnable(text, _lines(whole, tree, sql))


def _without_describe(tree: Tree) -> Tree:
    table = node_of(tree).get("from_table") or {}
    return statement(table["query"]) if table.get("type") == "SHOW_REF" else tree


def _lines(whole: Tree, tree: Tree, sql: str) -> dict[int, int]:
    """Lines of the original by positions in the text that runs, through parts in equal places."""
    origin = dict(parts(tree))
    lines: dict[int, int] = {}
    for path, part in parts(whole):
        before, now = location(origin.get(path, {})), location(part)
        if before is not None and now is not None and _tag(part) == _tag(origin[path]):
            lines.setdefault(now, line_of(sql, before))
    return lines


def _tag(part: Tree) -> tuple[Any, ...]:
    return part.get("class"), part.get("type"), part.get("function_name"), part.get("column_names")


def _with_text(argument: Tree, text: str) -> Tree:
    made = copy.deepcopy(argument)
    made["expression"]["literal"]["text"] = text
    return made


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
