"""Compare a tree with what is declared, and find the files it names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from papilio.data.sql.files import Named, Tree, in_line, named_file, too_deep
from papilio.data.sql.kinds import (
    FILE_FUNCTIONS,
    GROUPS,
    LOCATIONS,
    PLAIN,
    TABLE_FUNCTIONS,
    TAGS,
    functions,
)
from papilio.errors import DataError

#: Where tables of ours are, in a way that no name of the text can hide.
OURS = ("temp", "main")


@dataclass(frozen=True)
class _Check:
    """What stays the same while one tree is walked: its text, and the tables it may read."""

    sql: str
    bound: frozenset[str]
    named: list[Named] = field(default_factory=list)


def check(tree: Tree, sql: str, bound: frozenset[str] = frozenset()) -> tuple[Named, ...]:
    """Refuse whatever is not declared.

    Parameters
    ----------
    tree
        A tree with one statement.
    sql
        Its text, for the lines of messages.
    bound
        Tables of ours that it may read.

    Returns
    -------
    tuple of Named
        The files that it names, in the order of the tree.

    Raises
    ------
    DataError
        With the first part that is not accepted.

    Notes
    -----
    It guarantees that the statement consists of queries alone and that they read nothing but what
    they compute, ``bound`` and the files that are returned. It does not bound what it costs to run.
    """
    walk = _Check(sql, bound)
    try:
        _part(tree, "tree", walk, frozenset())
    except RecursionError:
        raise too_deep() from None
    return tuple(walk.named)


def _part(value: Any, group: str, walk: _Check, scope: frozenset[str]) -> None:
    """Check what stands below a key; ``scope`` has the names that WITH gave to queries."""
    if isinstance(value, list):
        for inner in value:
            _part(inner, group, walk, scope)
    elif isinstance(value, dict) and group != PLAIN:
        _kind(value, group, walk, scope)
    elif value is not None and group != PLAIN and not _says_nothing(value):
        raise _not_reading(walk.sql, {})


def _kind(part: Tree, group: str, walk: _Check, scope: frozenset[str]) -> None:
    kind = str(part.get(TAGS[group])) if group in TAGS else group
    keys = GROUPS[group].get(kind)
    if keys is None:
        raise _not_reading(walk.sql, part)
    _values(part, group, kind, walk, scope)
    if group == "query":
        scope = _ctes(part, walk, scope)
    if (group, kind) == ("table", "TABLE_FUNCTION") and walk.named and walk.named[-1].node is part:
        return
    for key, value in part.items():
        if key in LOCATIONS or key == "cte_map":
            continue
        if key not in keys and not _says_nothing(value):
            raise _not_reading(walk.sql, part)
        if keys.get(key) == PLAIN and not _is_plain(value):
            raise _not_reading(walk.sql, part)
        if key in keys:
            _part(value, keys[key], walk, scope)


def _ctes(query: Tree, walk: _Check, scope: frozenset[str]) -> frozenset[str]:
    """Check the queries of a WITH one by one; each is seen by those after it."""
    if query["type"] == "RECURSIVE_CTE_NODE":
        scope |= {_lower(query["cte_name"])}
    for entry in query["cte_map"]["map"]:
        _part(entry, "cte", walk, scope)
        scope |= {_lower(entry["key"])}
    return scope


def _values(part: Tree, group: str, kind: str, walk: _Check, scope: frozenset[str]) -> None:
    """What a kind of part may say beyond its keys."""
    match group, kind:
        case "table", "BASE_TABLE":
            _table(part, walk, scope)
        case "table", "TABLE_FUNCTION":
            _table_function(part, walk)
        case "expression", "FUNCTION" | "WINDOW":
            # What stands before the name is a column, as in name.upper(), or where DuckDB keeps
            # its functions; there are no others.
            name = str(part["function_name"])
            if _lower(name) not in functions() or _path(part)[-1:] != [name]:
                raise _unknown_function(f"the function {name!r}", walk.sql, part)
        case "expression", "TYPE":
            if _path(part) != [part["type_name"]]:
                raise _not_reading(walk.sql, part)


def _table(part: Tree, walk: _Check, scope: frozenset[str]) -> None:
    path, name = _path(part), str(part["table_name"])
    if path == [*OURS, name] and name in walk.bound:
        return
    unqualified = path == [name] and not part["catalog_name"] and not part["schema_name"]
    if unqualified and _lower(name) in scope:
        return
    file = named_file(part) if unqualified else None
    if file is None or walk.bound:
        raise DataError(
            f"the SQL source uses a table that is not there{in_line(walk.sql, part)}; a file in "
            "quotes whose name ends in .csv, .tsv, .parquet or .json is accepted, and the name of "
            "a WITH query",
            reason="sql-unknown-name",
        )
    walk.named.append(file)


def _table_function(part: Tree, walk: _Check) -> None:
    function = part["function"]
    name = str(function["function_name"])
    if _path(function) != [name] or _lower(name) not in {*FILE_FUNCTIONS, *TABLE_FUNCTIONS}:
        raise _unknown_function(f"the table function {name!r}", walk.sql, part)
    file = named_file(part)
    if file is None:
        return
    if walk.bound or part["with_ordinality"] != "WITHOUT_ORDINALITY":
        raise _not_reading(walk.sql, part)
    walk.named.append(file)


def _path(part: Tree) -> list[str]:
    path = part["qualified_name"]["path"]
    return path if isinstance(path, list) else []


def _lower(name: Any) -> str:
    # As DuckDB compares names: the letters of ASCII alone.
    return str(name).encode().lower().decode()


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict) and (
        not isinstance(value, list) or all(map(_is_plain, value))
    )


def _says_nothing(value: Any) -> bool:
    return value in (None, "", False, 0) or value in ([], {}) or value == "INVALID"


def _unknown_function(what: str, sql: str, part: Tree) -> DataError:
    tables = ", ".join(sorted({*FILE_FUNCTIONS, *TABLE_FUNCTIONS}))
    return DataError(
        f"the SQL calls {what}{in_line(sql, part)}, which is not among those that may be called; "
        f"accepted are functions that compute a value from their arguments, and as tables {tables}",
        reason="sql-function",
    )


def _not_reading(sql: str, part: Tree) -> DataError:
    return DataError(
        f"the SQL must be a single SELECT statement that only reads{in_line(sql, part)}",
        reason="sql-not-a-select",
    )
