"""Work between a class and the table when values are the leaves of a hierarchy.

Two values are as far apart as their lowest common node is high, the root being 1. What cannot be
evened out below a node has to climb from it to its parent, and every climb is half of a journey:
the work is half the sum, over all nodes but the root, of the difference of the shares below the
node times how much higher its parent is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.class_values import ClaimError, ClassValues, sensitive_column
from papilio.verify.opened import WORK, Opened


def tree_work(opened: Opened, claim: Claim, counts: ClassValues) -> tuple[int, str]:
    """Twice the height of the hierarchy, and SQL for (size, work) of each class.

    The height of a node is the number of steps down to its deepest leaf. NULL is a leaf below the
    root.
    """
    column = sensitive_column(opened, claim)
    text = opened.hierarchies.get(str((column.hierarchy or {}).get("paths")))
    if text is None:
        raise ClaimError("the hierarchy of the column is missing")
    parent, root = _parents(text)
    heights = _heights(parent, root)
    leaves = [label for label in parent if heights[label] == 0]
    leaf_of = _leaf_of_values(opened, column.type, leaves)
    nodes = {label: number for number, label in enumerate(parent)}
    climbs: list[tuple[int, int, int]] = []
    for value, leaf in leaf_of.items():
        if leaf is None:
            climbs.append((value, -1, heights[root]))
        for label, above in _path(leaf, parent):
            climbs.append((value, nodes[label], heights[above] - heights[label]))
    columns = zip(*climbs, strict=True)
    opened.keep_columns("climbs", dict(zip(("number", "node", "rise"), columns, strict=True)))
    return 2 * heights[root], _work(opened, counts)


def _parents(text: str) -> tuple[dict[str, str], str]:
    """Label -> label above it, and the label of the root."""
    try:
        paths = [path for path in csv.reader(io.StringIO(text, newline=""), strict=True) if path]
    except csv.Error:
        raise ClaimError("the hierarchy of the column cannot be read") from None
    # A column of NULL alone has a hierarchy without lines.
    roots = {path[-1] for path in paths} or {"*"}
    if len(roots) != 1:
        raise ClaimError("the hierarchy of the column has two roots")
    parent: dict[str, str] = {}
    for path in paths:
        for below, above in pairwise(path):
            if below != above and parent.setdefault(below, above) != above:
                raise ClaimError("the hierarchy of the column has a label with two parents")
    if roots & set(parent):
        raise ClaimError("the hierarchy of the column has something above its root")
    return parent, roots.pop()


def _path(leaf: str | None, parent: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Steps (label, label above) from a leaf to the root.

    Labels have one parent and every line of the file ends at the root, so this does too.
    """
    label = leaf
    while label is not None and label in parent:
        yield label, parent[label]
        label = parent[label]


def _heights(parent: Mapping[str, str], root: str) -> dict[str, int]:
    heights = dict.fromkeys([*parent, root], 0)
    for leaf in set(parent) - set(parent.values()):
        for steps, (_, above) in enumerate(_path(leaf, parent), start=1):
            heights[above] = max(heights[above], steps)
    # A hierarchy without values still has room for NULL below its root.
    heights[root] = max(heights[root], 1)
    return heights


def _leaf_of_values(opened: Opened, kind: str, leaves: list[str]) -> dict[int, str | None]:
    """Number the distinct values in ``value_numbers``; number -> leaf, ``None`` for NULL."""
    opened.keep(
        "value_numbers",
        "SELECT value, n, row_number() OVER (ORDER BY value) AS number FROM "
        f"(SELECT value, sum(n) AS n FROM {WORK}.class_values GROUP BY value) AS held",
    )
    # Hierarchies of moments are about their days.
    read = f"CAST(CAST(value AS DATE) AS {sql.TEXT})" if kind == "date" else "value"
    find = _numeric_leaf(leaves) if kind == "numeric" else set(leaves).intersection
    found: dict[int, str | None] = {}
    for number, value in opened.rows(f"SELECT number, {read} FROM {WORK}.value_numbers"):
        text = str(value).lower() if isinstance(value, bool) else value
        leaf = None if value is None else next(iter(find([text])), None)
        if value is not None and leaf is None:
            raise ClaimError("a value is not in the hierarchy of the column")
        found[number] = leaf
    return found


def _numeric_leaf(leaves: list[str]) -> Callable[[list[Any]], list[str]]:
    """Find numbers by their text, else by what the text of one leaf alone means."""
    texts = set(leaves)
    meant: dict[Decimal, list[str]] = {}
    for leaf in leaves:
        try:
            number = Decimal(leaf)
        except InvalidOperation:
            continue
        if number.is_finite():
            meant.setdefault(number, []).append(leaf)

    def find(numbers: list[Any]) -> list[str]:
        text = str(numbers[0])
        same = [text] if text in texts else meant.get(Decimal(text), [])
        return same if len(same) == 1 else []

    return find


def _work(opened: Opened, counts: ClassValues) -> str:
    """Make ``totals`` (node, rise, n) of the whole table, and write SQL for (size, work)."""
    cells = counts.cells
    opened.keep(
        "totals",
        f"SELECT node, max(rise) AS rise, sum(n) AS n FROM {WORK}.value_numbers "
        f"JOIN {WORK}.climbs USING (number) GROUP BY node",
    )
    (everything,) = opened.row(f"SELECT sum({sql.whole('rise')} * n) FROM {WORK}.totals")
    climbing = (
        f"SELECT {cells}, node, max(size) AS size, sum(v.n) AS n FROM "
        f"(SELECT {cells}, value, n, sum(n) OVER (PARTITION BY {cells}) AS size "
        f"FROM {WORK}.class_values) AS v JOIN {WORK}.value_numbers AS k "
        f"ON v.value IS NOT DISTINCT FROM k.value JOIN {WORK}.climbs AS u "
        f"ON u.number = k.number GROUP BY {cells}, node"
    )
    # Below nodes that a class has no value of, all that the table has there is missing.
    missing = f"{sql.whole('t.n')} * size"
    work = (
        f"sum(rise * (abs({sql.whole('c.n')} * {counts.rows} - {missing}) - {missing})) "
        f"+ {sql.whole('max(size)')} * {int(everything)}"
    )
    return (
        f"SELECT max(size) AS size, {work} AS work FROM ({climbing}) AS c "
        f"JOIN {WORK}.totals AS t ON c.node = t.node GROUP BY {cells}"
    )
