"""Whether the trees of a release are the owner's."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.promise.paths import Path_, collapsed, file_paths, meaning_of, rule_paths
from papilio.verify.promise.promise import OwnedTree, PromisedColumn


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
