"""The syntax tree of an SQL text, as DuckDB parses it, and back to text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

import duckdb

from papilio.errors import DataError

Tree: TypeAlias = dict[str, Any]
#: Keys and places that lead from a tree to a part of it.
Path: TypeAlias = tuple[str | int, ...]

#: Most characters of a text; the parser is slow on long texts that do not parse.
LONGEST = 100_000
#: DuckDB's location of a part that it made itself.
_NOWHERE = 1 << 63


def parse(connection: duckdb.DuckDBPyConnection, sql: str) -> Tree:
    """Parse one statement that DuckDB counts as a query.

    Raises
    ------
    DataError
        If it does not parse, is too long or nested too deeply, or is not a single query.
    """
    if len(sql) > LONGEST:
        raise DataError(
            f"the SQL is longer than {LONGEST} characters, the most that is accepted",
            reason="sql-too-large",
        )
    ((answer,),) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    try:
        tree: Tree = json.loads(answer)
    except RecursionError:
        raise too_deep() from None
    if "expression depth" in str(tree.get("error_message")):
        raise too_deep()
    if tree.get("error_type") == "parser":
        line = line_of(sql, int(tree.get("position") or 0))
        raise DataError(f"the SQL has a syntax error in line {line}", reason="sql-syntax")
    if tree.get("error") or len(tree["statements"]) != 1:
        raise DataError("the SQL must be a single SELECT statement", reason="sql-not-a-select")
    return tree


def text_of(connection: duckdb.DuckDBPyConnection, tree: Tree) -> str:
    """Text of a tree as DuckDB writes it."""
    written = json.dumps(tree)
    ((text,),) = connection.execute("SELECT json_deserialize_sql(?::JSON)", [written]).fetchall()
    return str(text)


def node_of(tree: Tree) -> Tree:
    """The query of a tree with one statement."""
    node: Tree = tree["statements"][0]["node"]
    return node


def statement(node: Tree) -> Tree:
    """A tree with one statement, the query."""
    return {"error": False, "statements": [{"node": node, "named_param_map": []}]}


def line_of(sql: str, position: int) -> int:
    """Line of a byte position, counted from 1."""
    return sql.encode()[:position].count(b"\n") + 1


def location(part: Tree) -> int | None:
    """Byte position of a part of the tree in its text."""
    place = part.get("query_location")
    return place if isinstance(place, int) and place < _NOWHERE else None


def in_line(sql: str, part: Tree) -> str:
    """The line of a part for a message: ``" in line 3"``, or nothing if it is not known."""
    place = location(part)
    return "" if place is None else f" in line {line_of(sql, place)}"


def parts(
    tree: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Tree]]:
    """All parts of a tree and the way to each."""
    if isinstance(tree, dict):
        yield path, tree
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from parts(value, (*path, key))


def too_deep() -> DataError:
    """Return the error for a tree that is nested too deeply."""
    return DataError(
        "the SQL is nested too deeply; write it with fewer brackets and queries within queries",
        reason="sql-too-large",
    )
