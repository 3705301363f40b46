"""The text of an SQL source: what it may be, and which files it reads.

DuckDB's own parser gives the syntax tree, so that nothing here guesses about quotes, comments or
nesting. The tree, not the kind of the statement, decides whether it only reads: DuckDB counts
``WITH x AS (COPY … TO 'file') SELECT …`` as a SELECT.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from papilio.data.source import SqlSource
from papilio.errors import DataError

_READING_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_FILE_FUNCTIONS = {
    "read_csv",
    "read_csv_auto",
    "read_parquet",
    "parquet_scan",
    "read_json",
    "read_json_auto",
    "read_ndjson",
    "read_ndjson_auto",
}
_OTHER_FUNCTIONS = {"range", "generate_series", "unnest"}
_WILDCARDS = set("*?[")


@dataclass(frozen=True)
class Statement:
    """A statement that only reads, with absolute file names.

    Attributes
    ----------
    sql
        The text, line by line as it was written.
    files
        Files it reads.
    folders
        Folders it searches for file names with wildcards.
    """

    sql: str
    files: tuple[Path, ...]
    folders: tuple[Path, ...]


def prepare(source: SqlSource) -> Statement:
    """Check that the statement is one SELECT, and make its file names absolute.

    Raises
    ------
    DataError
        If it does not parse, is not a single SELECT, writes, calls a table function that is not
        on the list, or names a file that is not there.
    """
    nodes = list(_walk(_parse(source.sql)))
    _check_reading(nodes)
    own = {entry["key"] for node in nodes for entry in node.get("cte_map", {}).get("map", [])}
    patterns: list[str] = []
    text = source.sql.encode()
    for start, name in sorted(_file_names(nodes, own, text), reverse=True):
        patterns.append(_absolute(name, source.base))
        end = _end_of_quoted(text, start)
        text = text[:start] + quoted(patterns[-1]).encode() + text[end:]
    return Statement(text.decode(), *_on_disk(patterns))


def file_names(sql: str) -> tuple[str, ...]:
    """Names of the files a statement reads, as they are written.

    Raises
    ------
    DataError
        If it does not parse, is not a single SELECT, or computes the name of a file.
    """
    nodes = list(_walk(_parse(sql)))
    own = {entry["key"] for node in nodes for entry in node.get("cte_map", {}).get("map", [])}
    return tuple(name for _, name in sorted(_file_names(nodes, own, sql.encode())))


def quoted(text: str) -> str:
    """Write a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def line_of(sql: str, position: int) -> int:
    """Line of a byte position, counted from 1."""
    return sql.encode()[:position].count(b"\n") + 1


def _parse(sql: str) -> Any:
    with duckdb.connect(":memory:") as connection:
        row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
    tree = json.loads(row[0] if row else "{}")
    if tree.get("error_type") == "parser":
        line = line_of(sql, int(tree.get("position") or 0))
        raise DataError(f"the SQL has a syntax error in line {line}", reason="sql-syntax")
    if tree.get("error") or len(tree["statements"]) != 1:
        raise DataError("the SQL must be a single SELECT statement", reason="sql-not-a-select")
    return tree


def _walk(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _walk(part)


def _check_reading(nodes: list[dict[str, Any]]) -> None:
    for node in nodes:
        kind = str(node.get("type"))
        if kind == "SHOW_REF" or (kind.endswith("_NODE") and kind not in _READING_NODES):
            raise DataError(
                "the SQL must be a single SELECT statement that only reads",
                reason="sql-not-a-select",
            )
        if kind == "TABLE_FUNCTION":
            name = str(node["function"]["function_name"]).lower()
            if name not in _FILE_FUNCTIONS | _OTHER_FUNCTIONS:
                raise DataError(
                    f"the SQL calls the table function {name}; accepted are "
                    f"{', '.join(sorted(_FILE_FUNCTIONS | _OTHER_FUNCTIONS))}",
                    reason="sql-function",
                )


def _file_names(
    nodes: list[dict[str, Any]], own: set[str], text: bytes
) -> Iterator[tuple[int, str]]:
    """Position and name of every file the statement names, where it stands in quotes."""
    for node in nodes:
        if node.get("type") == "BASE_TABLE" and not node["schema_name"]:
            start = node["query_location"]
            if node["table_name"] not in own and text[start : start + 1] in (b"'", b'"'):
                yield start, node["table_name"]
        if node.get("type") == "TABLE_FUNCTION":
            function = node["function"]
            if str(function["function_name"]).lower() in _FILE_FUNCTIONS:
                for argument in function["arguments"][:1]:
                    yield from _literals(argument["expression"])


def _literals(expression: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """One text, or a list of texts."""
    if expression.get("function_name") == "list_value":
        for argument in expression["arguments"]:
            yield from _literals(argument["expression"])
        return
    literal = expression.get("literal")
    if not isinstance(literal, dict) or literal.get("kind") != "STRING":
        raise DataError(
            "the SQL computes the name of a file; write it out in quotes", reason="sql-file-name"
        )
    yield expression["query_location"], literal["text"]


def _end_of_quoted(text: bytes, start: int) -> int:
    mark = text[start : start + 1]
    if mark == b"$":
        tag = text[start : text.index(b"$", start + 1) + 1]
        return text.index(tag, start + len(tag)) + len(tag)
    end = text.index(mark, start + 1)
    while text[end + 1 : end + 2] == mark:
        end = text.index(mark, end + 2)
    return end + 1


def _absolute(name: str, base: Path) -> str:
    if "://" in name:
        raise DataError(
            "the SQL names a file on another machine; files on this one are accepted",
            reason="sql-remote-file",
        )
    return os.path.normpath(base.absolute() / name)


def _on_disk(patterns: list[str]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    files: list[Path] = []
    folders: list[Path] = []
    for pattern in patterns:
        path = Path(pattern)
        found = [path]
        if _WILDCARDS & set(pattern) and not path.exists():
            folders.append(next(up for up in path.parents if not _WILDCARDS & set(str(up))))
            found = sorted(folders[-1].glob(str(path.relative_to(folders[-1]))))
        found = [file for file in found if file.is_file()]
        if not found:
            raise DataError(f"the SQL names {path}, which is not a file", reason="missing-file")
        files += found
    return tuple(files), tuple(folders)
