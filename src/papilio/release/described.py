"""Whether a manifest can be followed: nothing in it is used before it was checked here.

The verifier does not need this: it judges whatever a manifest says. All others read a release by
it and would stumble over what cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from papilio.errors import ReleaseError
from papilio.release.manifest import (
    Claim,
    Manifest,
    PublishedColumn,
    PublishedTable,
    is_number,
    rule_fault,
)

if TYPE_CHECKING:
    from papilio.release.layout import Layout


Form: TypeAlias = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**18


def _number(value: Any) -> bool:
    return is_number(value) and value >= 0


def _share(value: Any) -> bool:
    return is_number(value) and 0 <= value <= 1


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _unit(value: Any) -> bool:
    return bool(value == "people")


def _distance(value: Any) -> bool:
    return value in ("equal", "ordered", "hierarchical")


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_part, value))


def _part(value: Any) -> bool:
    match value:
        case {"weights": str(), "groups": [first, last]}:
            return len(value) == 2 and _whole(first) and _whole(last) and first <= last
    return False


def _near(value: Any) -> bool:
    match value:
        case {"width": width, "at_most": share}:
            return len(value) == 2 and _number(width) and _share(share)
    return False


_CLOSENESS = {"column": _text, "t": _number, "distance": _distance}
_TARGET = {"column": _text, "tree": _text, "parts": _parts}
#: By claim: parameters that it needs.
_NEEDED: Mapping[str, Mapping[str, Form]] = {
    "k-anonymity": {"k": _whole},
    "distinct-l-diversity": {"column": _text, "l": _whole},
    "entropy-l-diversity": {"column": _text, "l": _number},
    "recursive-l-diversity": {"column": _text, "c": _number, "l": _whole},
    "t-closeness": _CLOSENESS,
    "nt-closeness": {**_CLOSENESS, "n": _whole},
    "shared-classes": {},
    "ke-anonymity": {"column": _text, "k": _whole, "e": _number},
    "target-distribution": _TARGET,
    "personal-levels": _TARGET,
    "group-floor": {"column": _text, "k": _whole, "l": _whole, "e": _number},
    "secret-column": {"column": _text, "l": _whole},
    "safe-cells": {"k": _whole, "among": _texts},
    "entity-k-anonymity": {"k": _whole},
    "entity-distinct-l-diversity": {"column": _text, "l": _whole},
    "entity-entropy-l-diversity": {"column": _text, "l": _number},
    "entity-recursive-l-diversity": {"column": _text, "c": _number, "l": _whole},
    "follows": {"column": _text, "leader": _text},
    "safe-grouping": {"k": _whole, "l": _whole, "strict": _flag, "left": _text, "right": _text},
    "known-degree": {"s": _whole},
}
#: By claim: parameters that it may have besides.
_BESIDES: Mapping[str, Mapping[str, Form]] = {
    "k-anonymity": {"unit": _unit},
    "distinct-l-diversity": {"unit": _unit},
    "entropy-l-diversity": {"unit": _unit},
    "recursive-l-diversity": {"unit": _unit},
    "t-closeness": {"order": _texts, "unit": _unit},
    "nt-closeness": {"order": _texts, "unit": _unit},
    "safe-grouping": {"dropped": _whole},
    "ke-anonymity": {"known": _whole, "near": _near},
    "target-distribution": {"shift": _share, "fakes": _share, "allocation": _text},
    "personal-levels": {
        "shift": _share,
        "fakes": _share,
        "allocation": _text,
        "volunteers": _text,
    },
}
#: Every claim there is.
KNOWN = frozenset(_NEEDED)


def well_formed(claim: str, parameters: Mapping[str, Any]) -> bool:
    """Whether a claim is known and has the parameters that it needs, and no other."""
    needed, besides = _NEEDED.get(claim), _BESIDES.get(claim, {})
    if needed is None or not needed.keys() <= parameters.keys() <= {*needed, *besides}:
        return False
    return all({**needed, **besides}[key](value) for key, value in parameters.items())


_TYPES = ("numeric", "date", "category", "boolean")
#: What a column may hold that is described as numbers; groups and hits are whole ones.
_FITTING = {"numeric": ("numeric", "whole")}
#: Most rows that a table may say to have.
_MOST_ROWS = 10**15


def check_described(directory: Path, manifest: Manifest) -> None:
    """Refuse a manifest that cannot be followed.

    Raises
    ------
    ReleaseError
        With the first thing that is wrong. Kinds of releases that are not known here are left to
        those who ask what can be done with them.
    """
    from papilio.families import layout_of

    layout = layout_of(manifest.kind)
    for fault in () if layout is None else _faults(manifest, layout):
        raise ReleaseError(
            f"{directory}: release.json cannot be followed: {fault}", reason="bad-manifest"
        )


def _faults(manifest: Manifest, layout: Layout) -> Iterator[str]:
    tables = [table.name for table in manifest.tables]
    carried = {file.table for file in manifest.files if file.table is not None}
    yield from (f"'{name}' is described twice" for name in _twice(tables))
    yield from (f"'{name}' is listed twice" for name in _twice(f.name for f in manifest.files))
    yield from (f"'{name}' is not described" for name in sorted(carried - {*tables}))
    yield from (f"'{name}' has no file" for name in sorted({*tables} - carried))
    files = frozenset(file.name for file in manifest.files if file.table is None)
    for table in manifest.tables:
        yield from (f"'{table.name}' {fault}" for fault in _table_faults(table, layout, files))
    whole = layout.fault(manifest)
    yield from [] if whole is None else [whole]
    yield from (f for claim in manifest.claims for f in _claim_faults(manifest, claim, layout))


def _table_faults(table: PublishedTable, layout: Layout, files: frozenset[str]) -> Iterator[str]:
    if not table.columns:
        yield "has no column"
    yield from (f"has '{name}' twice" for name in _twice(c.name for c in table.columns))
    published = [name for column in table.columns for name in column.published]
    yield from (f"publishes '{name}' twice" for name in _twice(map(str.casefold, published)))
    if not 0 <= table.rows <= _MOST_ROWS or not 0 <= table.left_out_at_most <= 1:
        yield "has no such number of rows"
    for column in table.columns:
        fault = _column_fault(column, layout, files)
        if fault is not None:
            yield f"has a column '{column.name}' that {fault}"


def _column_fault(column: PublishedColumn, layout: Layout, files: frozenset[str]) -> str | None:
    if column.role not in layout.roles or column.type not in _TYPES:
        return "has a role or a type that it cannot have"
    if column.cells not in layout.cells or not _wide_enough(column):
        return "has cells that it cannot have"
    if (column.cells == "node") != (column.hierarchy is not None) and column.role == "quasi":
        return "has a hierarchy without labels, or labels without one"
    return None if column.hierarchy is None else rule_fault(column.hierarchy, files)


def _wide_enough(column: PublishedColumn) -> bool:
    """Whether a column is published in as many columns as its cells need."""
    wide = len(column.published)
    if column.cells == "bounds":
        return wide in (2, 4)
    if column.cells == "range" and not column.text:
        # Disguised labels have an order of their own.
        ordered = column.type in ("numeric", "date") or column.role == "sensitive"
        return wide in (2, 3) and ordered
    if column.cells in ("value", "hits") and column.published != (column.name,):
        return False
    return wide == 1 and (not column.text or column.cells in ("range", "set"))


def _claim_faults(manifest: Manifest, claim: Claim, layout: Layout) -> Iterator[str]:
    tables = {table.name: table for table in manifest.tables}
    if claim.claim not in layout.claims or not well_formed(claim.claim, claim.parameters):
        yield "a claim is not one of this kind of release, or has other parameters"
    elif claim.table not in tables:
        yield "a claim is about a table that is not described"
    elif not set(claim.columns) <= _known(manifest, tables[claim.table], layout):
        yield "a claim is about columns that are not described"
    elif len(set(claim.columns)) < len(claim.columns):
        yield "a claim names a column twice"


def _known(manifest: Manifest, table: PublishedTable, layout: Layout) -> set[str]:
    """Names by which a claim may call columns."""
    if layout.far:
        return {f"{t.name}.{c.name}" for t in manifest.tables for c in t.columns} | {
            column.name for column in table.columns
        }
    return {column.name for column in table.columns}


def _twice(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def check_columns(
    directory: Path,
    table: PublishedTable,
    holds: Mapping[str, str | None],
    is_empty: Callable[[str], bool],
) -> None:
    """Refuse a table that has other columns than its description.

    Parameters
    ----------
    directory
        The release, for the message.
    table
        The description.
    holds
        What each column of the file holds: one of the types of columns, ``whole`` for whole
        numbers, or ``None`` for anything else.
    is_empty
        Whether a column holds NULL only; its type is then not to be seen.

    Raises
    ------
    ReleaseError
        If a column is missing, not described, or holds something else.
    """
    wanted = {
        n: kind for c in table.columns for n, kind in zip(c.published, _kinds(c), strict=True)
    }
    if holds.keys() != wanted.keys():
        raise _misfit(directory, table)
    ends = [c.published[:2] for c in table.columns if c.cells == "range" and not c.text]
    if any(holds[low] != holds[high] and not is_empty(low) for low, high in ends):
        raise _misfit(directory, table)
    for name, kind in wanted.items():
        # Groups, hits and keys are never NULL, so that only a table without rows has none.
        empty = kind != "whole" or table.rows == 0
        if holds[name] not in _FITTING.get(kind, (kind,)) and not (empty and is_empty(name)):
            raise _misfit(directory, table)


def _kinds(column: PublishedColumn) -> list[str]:
    """What each published column of a column holds."""
    if column.cells == "value":
        return [column.type]
    if column.cells in ("group", "hits") or column.role in ("key", "parent"):
        return ["whole"]
    if column.cells == "bounds":
        return ["numeric"] * len(column.published)
    if column.cells == "range" and not column.text:
        return [column.type, column.type, "boolean"][: len(column.published)]
    return ["category"]


def _misfit(directory: Path, table: PublishedTable) -> ReleaseError:
    return ReleaseError(
        f"{directory}: the columns of the table '{table.name}' are not those that release.json "
        "describes",
        reason="unreadable-table",
    )
