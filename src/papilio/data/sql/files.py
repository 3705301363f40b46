"""The syntax tree of an SQL text, the files it names, how they are read, and where they are."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, TypeAlias

import duckdb

from papilio.data.io.confine import confined_matches
from papilio.data.sql.kinds import FILE_FUNCTIONS, LITERAL_FUNCTIONS, READERS
from papilio.errors import DataError

Tree: TypeAlias = dict[str, Any]
#: Keys and places that lead from a tree to a part of it.
Steps: TypeAlias = tuple[str | int, ...]
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


#: Environment variables that change the limits of a query that is run.
MEMORY = "PAPILIO_SQL_MEMORY"
SECONDS = "PAPILIO_SQL_SECONDS"
_HOUR = 3600
_GIB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """Limits of one child.

    Attributes
    ----------
    memory
        Bytes that DuckDB may use; the process as a whole may use some more.
    seconds
        After this time it is ended.
    """

    memory: int
    seconds: float


def looking() -> Limits:
    """Limits of a text that is parsed and bound but not run: little memory and a minute."""
    return Limits(_GIB // 2, min(60, running().seconds))


def running(memory: int | None = None) -> Limits:
    """Limits of a query that is run: half of the machine's memory and an hour, unless set.

    Parameters
    ----------
    memory
        Bytes, where the caller has planned the memory.

    Raises
    ------
    DataError
        If a variable that sets them is not a number above 0.
    """
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    gib = _number(MEMORY, "a number of GiB")
    seconds = _number(SECONDS, "a number of seconds")
    chosen = memory or (half if gib is None else int(gib * _GIB))
    return Limits(chosen, _HOUR if seconds is None else seconds)


def _number(variable: str, accepted: str) -> float | None:
    text = os.environ.get(variable)
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise DataError(f"{variable} must be {accepted} above 0", reason="bad-setting")
    return number


#: Ends of compressed files.
_PACKED = {"gz", "zst"}
#: Most files that one name with wildcards may stand for.
_MOST = 100_000


@dataclass(frozen=True)
class Named:
    """Files as a tree names them.

    Attributes
    ----------
    node
        The part of the tree.
    names
        Names as they are written, with wildcards.
    reader
        The function that reads them.
    options
        Its options: names and the parts of the tree that give their values.
    alias
        What the table is called if the text gives it no name.
    """

    node: Tree
    names: tuple[str, ...]
    reader: str
    options: tuple[tuple[str, Tree], ...]
    alias: str


def named_file(table: Tree) -> Named | None:
    """Files behind a table of the tree; ``None`` if it is none that reads files.

    Raises
    ------
    DataError
        If the name is computed, or an option is unknown or not written out.
    """
    if table["type"] == "BASE_TABLE":
        return _by_ending(table)
    function = table["function"]
    name = str(function["function_name"]).lower()
    if name not in FILE_FUNCTIONS:
        return None
    arguments = function["arguments"]
    names = tuple(_names(arguments[0]["expression"])) if arguments else ()
    if not names:
        raise _computed()
    options = tuple(_option(argument, name) for argument in arguments[1:])
    return Named(table, names, name, options, name)


def find(named: Named, base: Path, allowed: Collection[Path] | None) -> tuple[Path, ...]:
    """Real places of the files, each a file that may be read.

    Raises
    ------
    DataError
        If a name stands for no file, or for one outside of the policy's folder that the owner did
        not allow.
    """
    paths: list[Path] = []
    for name in named.names:
        if "://" in name:
            raise DataError(
                "the SQL names a file on another machine; files on this one are accepted",
                reason="sql-remote-file",
            )
        matches = confined_matches(name, base, allowed)
        if not matches:
            raise DataError(
                f"the SQL names {base / name}, which is not a file", reason="missing-file"
            )
        paths += matches
    if len(paths) > _MOST:
        raise DataError(
            f"the SQL names more than {_MOST} files, the most that is accepted",
            reason="sql-too-large",
        )
    return tuple(paths)


def _by_ending(table: Tree) -> Named | None:
    name = str(table["table_name"])
    ends = PurePath(name).name.lower().split(".")
    if len(ends) > 2 and ends[-1] in _PACKED:
        ends.pop()
    reader = READERS.get(ends[-1]) if len(ends) > 1 else None
    if reader is None:
        return None
    return Named(table, (name,), reader, (), PurePath(name).name.split(".")[0])


def _names(expression: Tree) -> list[str]:
    """One text, or a list of texts."""
    if expression.get("function_name") == "list_value":
        listed = (_names(argument["expression"]) for argument in expression["arguments"])
        return [name for names in listed for name in names]
    literal: Any = expression.get("literal")
    if expression.get("class") != "CONSTANT" or literal["kind"] != "STRING":
        raise _computed()
    return [str(literal["text"])]


def _option(argument: Tree, reader: str) -> tuple[str, Tree]:
    """Name and value of an option, written ``name := value`` or ``name = value``."""
    name, value = str(argument["name"]), argument["expression"]
    if not name and value["type"] == "COMPARE_EQUAL" and value["left"]["class"] == "COLUMN_REF":
        name, value = ".".join(value["left"]["column_names"]), value["right"]
    if name.lower() not in FILE_FUNCTIONS[reader] or not _is_literal(value):
        raise DataError(
            f"the SQL gives {reader} an option that is not accepted; accepted, with values that "
            f"are written out, are {', '.join(sorted(FILE_FUNCTIONS[reader]))}",
            reason="sql-option",
        )
    return name.lower(), value


def _is_literal(value: Tree) -> bool:
    if value["class"] == "FUNCTION" and value["qualified_name"]["path"][0] in LITERAL_FUNCTIONS:
        plain = not value["filter"] and len(value["qualified_name"]["path"]) == 1
        inner = [argument["expression"] for argument in value["arguments"]]
        return plain and not value["order_bys"]["orders"] and all(map(_is_literal, inner))
    return bool(value["class"] == "CONSTANT")


def _computed() -> DataError:
    return DataError(
        "the SQL computes the name of a file; write it out in quotes", reason="sql-file-name"
    )
