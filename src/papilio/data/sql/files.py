"""Files that a tree names, how they are read, and where they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from papilio.data.io.confine import confined_matches
from papilio.data.sql.functions import FILE_FUNCTIONS, LITERAL_FUNCTIONS, READERS
from papilio.data.sql.tree import Tree
from papilio.errors import DataError

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
