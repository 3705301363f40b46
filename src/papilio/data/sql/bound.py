"""Tables of ours in the place of the files that a tree names."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from papilio.data.sql.check import OURS, check
from papilio.data.sql.files import Named
from papilio.data.sql.tree import Tree, line_of, location, node_of, parse, parts, statement, text_of


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
