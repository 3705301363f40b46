"""The path of each value in the owner's tree, from the owner's file or rule.

Written from what the documentation says of hierarchies. A path is a tuple of labels, the value
first and the root last, without repeating a label that stands for itself on several levels.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import OwnedTree, PromisedColumn

ROOT = "*"
_SEPARATORS = (";", ",")
Path_: TypeAlias = tuple[str, ...]


def collapsed(labels: Iterable[str]) -> Path_:
    """A path without labels that are repeated in a row."""
    return tuple(label for label, _ in groupby(labels))


def file_paths(file: Path) -> list[dict[str, Path_]]:
    """Paths of the owner's file, by their value, once for each separator it may be read with."""
    text = file.read_text(encoding="utf-8-sig")
    return [_read(text, separator) for separator in _SEPARATORS]


def _read(text: str, separator: str) -> dict[str, Path_]:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    try:
        cells = [(line[0], *(cell.strip() for cell in line[1:])) for line in lines if line]
    except csv.Error:
        return {}
    paths = {line[0]: collapsed(line) for line in cells if any(cell.strip() for cell in line)}
    roots = {path[-1] for path in paths.values()}
    if len(roots) == 1 and all(len(path) > 1 for path in paths.values()):
        return paths
    return {
        value: path if path[-1] == ROOT and len(path) > 1 else (*path, ROOT)
        for value, path in paths.items()
    }


def rule_paths(tree: OwnedTree, kind: str, values: Sequence[Any]) -> dict[str, Path_]:
    """Paths of values by the owner's rule, by the text of the value.

    Parameters
    ----------
    tree
        A tree without a file.
    kind
        Type of the column.
    values
        Its distinct values without NULL, ascending.
    """
    if tree.reading.get("automatic"):
        return _balanced([text_of(value) for value in values], ordered=kind in ("numeric", "date"))
    step = _step(tree)
    paths = {}
    for value in values:
        label = text_of(value)
        paths[label] = collapsed((label, *step(value), ROOT))
    return paths


def text_of(value: Any) -> str:
    """A value as the leaf of a tree is written."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "0.0" if value == 0 else repr(value)
    return value.strftime("%Y-%m-%d") if isinstance(value, date) else str(value)


def meaning_of(leaf: str, kind: str) -> str | Decimal:
    """A leaf by its meaning: a number may be written in several ways."""
    if kind != "numeric":
        return leaf
    try:
        return Decimal(leaf)
    except InvalidOperation:
        return leaf


def _step(tree: OwnedTree) -> Callable[[Any], list[str]]:
    """Labels between a value and the root."""
    reading = tree.reading
    if "prefix" in reading:
        return lambda value: [_cut(text_of(value), keep) for keep in reading["prefix"]]
    if "intervals" in reading:
        origin = Fraction(str(reading["origin"]))
        widths = [Fraction(str(width)) for width in reading["intervals"]]
        return lambda value: [_interval(Fraction(text_of(value)), w, origin) for w in widths]
    return lambda value: [_UNITS[unit](value) for unit in reading["dates"]]


def _cut(text: str, keep: int) -> str:
    return text if len(text) <= keep else f"{text[:keep]}{ROOT}"


def _interval(value: Fraction, width: Fraction, origin: Fraction) -> str:
    low = origin + (value - origin) // width * width
    return f"[{_decimal(low)}, {_decimal(low + width)})"


def _decimal(number: Fraction) -> str:
    """A decimal number without zeros at its end."""
    if number.denominator == 1:
        return str(number.numerator)
    digits = next(d for d in range(1, 64) if 10**d % number.denominator == 0)
    scaled = abs(number.numerator) * 10**digits // number.denominator
    whole, part = divmod(scaled, 10**digits)
    return f"{'-' if number < 0 else ''}{whole}.{part:0{digits}d}".rstrip("0")


_UNITS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.strftime("%Y-%m-%d"),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month - 1) // 3 + 1}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year - day.year % 10:04d}s",
    "century": lambda day: f"{day.year - day.year % 100:04d}-{day.year - day.year % 100 + 99:04d}",
}


def _balanced(leaves: Sequence[str], *, ordered: bool) -> dict[str, Path_]:
    """Halve the values again and again; the first half is the larger one."""
    paths: dict[str, Path_] = {}

    def halve(below: Sequence[str], above: Path_) -> None:
        if len(below) == 1:
            paths[below[0]] = (below[0], *above)
            return
        middle = (len(below) + 1) // 2
        for half in (below[:middle], below[middle:]):
            halve(half, above if len(half) == 1 else (_label(half, ordered=ordered), *above))

    if leaves:
        halve(leaves, (ROOT,))
    return paths


def _label(values: Sequence[str], *, ordered: bool) -> str:
    if ordered:
        return f"[{values[0]}, {values[-1]}]"
    return json.dumps(list(values), ensure_ascii=False, separators=(",", ":"))


def tree_faults(
    opened: Opened, table: PublishedTable, column: PublishedColumn, promised: PromisedColumn
) -> Iterator[str]:
    """Say how the tree of a column differs from the owner's.

    A quasi-identifier's labels are read by the owner's rule or by paths of the owner's file. Of a
    sensitive column, whose distances are measured in the tree, heights must be the owner's as well.
    """
    tree, reading = promised.tree, dict(column.hierarchy or {})
    if tree is None:
        if reading:
            yield f"'{column.name}' has a hierarchy, which the policy does not give it"
        return
    if promised.role == "sensitive":
        yield from _measuring_faults(opened, table, column, tree)
        return
    reading.pop("level", None)
    if tree.file is None:
        if not _same_rule(reading, tree.reading):
            yield f"'{column.name}' is not read by the rule of the policy"
        return
    published = _published_paths(opened, reading)
    if published is None or not any(
        all(owner.get(leaf) == path for leaf, path in published.items())
        for owner in file_paths(tree.file)
    ):
        yield f"'{column.name}' has other paths than the file of the policy"


def _same_rule(reading: Mapping[str, Any], owned: Mapping[str, Any]) -> bool:
    return {*reading} == {*owned} and all(_equal(reading[key], owned[key]) for key in owned)


def _equal(published: Any, owned: Any) -> bool:
    if isinstance(owned, bool) or isinstance(published, bool):
        return published is owned
    if isinstance(owned, list):
        return (
            isinstance(published, list)
            and len(published) == len(owned)
            and all(_equal(one, other) for one, other in zip(published, owned, strict=True))
        )
    return bool(published == owned)


def _published_paths(opened: Opened, reading: Mapping[str, Any]) -> dict[str, Path_] | None:
    """Paths of a file of the release by their value; ``None`` if there is no such file."""
    text = opened.hierarchies.get(str(reading.get("paths")))
    if text is None or {*reading} != {"paths"}:
        return None
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), strict=True) if line]
    except csv.Error:
        return None
    return {line[0]: collapsed(line) for line in lines}


def _measuring_faults(
    opened: Opened, table: PublishedTable, column: PublishedColumn, tree: OwnedTree
) -> Iterator[str]:
    published = _published_paths(opened, dict(column.hierarchy or {}))
    if published is None:
        yield f"'{column.name}' lacks the hierarchy in which its distances are measured"
        return
    if tree.file is not None:
        candidates = file_paths(tree.file)
    else:
        candidates = [rule_paths(tree, column.type, _values(opened, table, column))]
    if not any(_measures_alike(published, owner, column.type) for owner in candidates):
        yield f"'{column.name}' has another hierarchy than the policy gives it"


def _values(opened: Opened, table: PublishedTable, column: PublishedColumn) -> list[Any]:
    """Distinct published values, ascending, which truthfulness makes those of the original."""
    value = sql.name(column.published[0])
    if column.type == "date":
        value = f"CAST({value} AS DATE)"
    rows = opened.rows(
        f"SELECT DISTINCT {value} AS v FROM {sql.name(table.name)} WHERE {value} IS NOT NULL"
    )
    return sorted(row[0] for row in rows)


def _measures_alike(published: Mapping[str, Path_], owner: Mapping[str, Path_], kind: str) -> bool:
    """Whether published paths are the owner's and every label is as high as in the owner's tree."""
    own = {meaning_of(leaf, kind): path for leaf, path in owner.items()}
    alike = all(
        own.get(meaning_of(leaf, kind), ())[1:] == path[1:] and meaning_of(leaf, kind) in own
        for leaf, path in published.items()
    )
    heights, wanted = _heights(published), _heights(owner)
    return alike and all(heights[label] == wanted.get(label) for label in heights)


def _heights(paths: Mapping[str, Path_]) -> dict[str, int]:
    """Label of a group -> number of steps down to its deepest value."""
    heights: dict[str, int] = {}
    for path in paths.values():
        for steps, label in enumerate(path[1:], start=1):
            heights[label] = max(heights.get(label, 0), steps)
    return heights
