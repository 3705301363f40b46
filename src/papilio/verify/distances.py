"""Earth Mover's Distances between a class and the table: on a line and over a tree.

Work between a class and the table when values lie on a line, equally spaced.

What has to cross the step from value k to value k + 1 is the difference of the shares up to k, so
the work is the sum over all steps of |f_k N - g_k m|, where f_k and g_k count the rows up to k of
the class (m rows) and of the table (N rows). Between two values of a class f stays as it is
and g grows; the sum over such a run of steps is split where the difference changes its sign, and
both parts follow from sums of g.

Work between a class and the table when values are the leaves of a hierarchy.

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

import pyarrow as pa

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.class_values import ClaimError, ClassValues, sensitive_column
from papilio.verify.opened import WORK, Opened


def ordered_work(opened: Opened, claim: Claim, counts: ClassValues) -> tuple[int, str]:
    """Number of steps, and SQL for (size, work) of each class of ``class_values``.

    NULL stands before all other values. Numbers and dates have their own order, any other column
    the one the claim lists.

    Notes
    -----
    Cost: a sort of ``class_values``, and joins with the distinct values.
    """
    if sensitive_column(opened, claim).type in ("numeric", "date"):
        count, totals = _place_by_size(opened)
    else:
        count, totals = _place_as_listed(opened, claim.parameters.get("order"))
    _add_up(opened, totals, counts.rows)
    _find_runs(opened, counts, count - 1)
    return count - 1, _work(counts)


#: Values that occur, and how often.
_VALUES = f"SELECT value, sum(n) AS n FROM {WORK}.class_values GROUP BY value"


def _place_by_size(opened: Opened) -> tuple[int, str]:
    """Make ``places`` (value, n, place); how many there are, and SQL for (place, total)."""
    opened.keep(
        "places",
        "SELECT value, n, row_number() OVER (ORDER BY value NULLS FIRST) - 1 AS place "
        f"FROM ({_VALUES}) AS held",
    )
    (count,) = opened.row(f"SELECT count(*) FROM {WORK}.places")
    return int(count), f"SELECT place, n AS total FROM {WORK}.places"


def _place_as_listed(opened: Opened, order: object) -> tuple[int, str]:
    """Make ``places`` (value, n, place); how many there are, and SQL for (place, total)."""
    if not isinstance(order, list) or not all(isinstance(each, str) for each in order):
        raise ClaimError("the claim lists no order of the values")
    if len(set(order)) != len(order):
        raise ClaimError("the order of the claim lists a value twice")
    (nulls,) = opened.row(f"SELECT count(*) FROM {WORK}.class_values WHERE value IS NULL")
    first = 1 if nulls else 0
    count = len(order) + first
    labels = [None, *order][1 - first :]
    opened.keep_columns("listed", {"label": pa.array(labels, pa.string()), "spot": range(count)})
    opened.keep(
        "places",
        f"SELECT value, n, CASE WHEN value IS NULL THEN 0 ELSE spot END AS place "
        f"FROM ({_VALUES}) AS held LEFT JOIN {WORK}.listed ON CAST(value AS {sql.TEXT}) = label",
    )
    (strangers,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.places WHERE place IS NULL")
    if strangers:
        raise ClaimError(f"{int(strangers)} rows have a value that the order does not list")
    # A place is one even if no row has its value.
    return count, (
        f"SELECT spot AS place, coalesce(n, 0) AS total FROM {WORK}.listed "
        f"LEFT JOIN {WORK}.places ON spot = place"
    )


def _add_up(opened: Opened, totals: str, rows: int) -> None:
    """Make ``scale`` and ``reach``.

    ``scale`` has per place the rows up to it (g), and the sum of g over all places before;
    ``reach`` has for every g the last place with no more rows up to it, and the next greater g.
    """
    running = "OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)"
    opened.keep(
        "scale",
        f"SELECT place, g, sum(g) {running} - g AS before FROM ("
        f"SELECT place, {sql.whole(f'sum(total) {running}')} AS g FROM ({totals}) AS t) AS summed",
    )
    opened.keep(
        "reach",
        f"SELECT g, place, coalesce(lead(g) OVER (ORDER BY g), {rows + 1}) AS beyond FROM ("
        "SELECT g, max(place) AS place FROM ("
        f"SELECT CAST(g AS BIGINT) AS g, place FROM {WORK}.scale UNION ALL SELECT 0, -1"
        ") AS known GROUP BY g) AS lasts",
    )


def _find_runs(opened: Opened, counts: ClassValues, steps: int) -> None:
    """Make ``runs``, the steps from each value of a class to the next, and ``turns``.

    Up to the turn of a run g m <= f N. It follows from the whole part of f N / m, of which there
    are few different ones.
    """
    cells, own = counts.cells, f"OVER (PARTITION BY {counts.cells} ORDER BY place"
    found = (
        f"SELECT {cells}, place AS begins, coalesce(lead(place) {own}), {steps}) AS ends, "
        f"row_number() {own}) AS nth, sum(v.n) {own} ROWS UNBOUNDED PRECEDING) AS f, "
        f"sum(v.n) {own} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS size "
        f"FROM {counts.source} AS v JOIN {WORK}.places AS p "
        "ON v.value IS NOT DISTINCT FROM p.value"
    )
    sized = (
        f"SELECT {cells}, begins, ends, nth, {sql.whole('size')} AS size, "
        f"{sql.whole('f')} * {counts.rows} AS reached FROM ({found}) AS r"
    )
    # What is left after the remainder is taken off is a multiple, so that rounding cannot err.
    whole_part = (
        "CAST(round(CAST(reached - reached % size AS DOUBLE) / CAST(size AS DOUBLE)) AS BIGINT)"
    )
    opened.keep(
        "runs",
        f"SELECT {cells}, begins, ends, nth, size, reached, {whole_part} AS quotient "
        f"FROM ({sized}) AS s",
    )
    # Where several places have the same g, the last counts.
    opened.keep(
        "turns",
        f"SELECT quotient, place + 1 AS latest FROM (SELECT DISTINCT quotient FROM {WORK}.runs) "
        f"AS q JOIN {WORK}.reach ON quotient >= g AND quotient < beyond",
    )


def _work(counts: ClassValues) -> str:
    split = (
        f"SELECT {counts.cells}, begins, ends, nth, size, reached, "
        f"greatest(begins, least(ends, latest)) AS turn FROM {WORK}.runs AS r "
        f"JOIN {WORK}.turns AS t ON r.quotient = t.quotient"
    )
    # Before the first value of a class f is 0.
    work = (
        "reached * (turn - begins) - size * (b.before - a.before) "
        "+ size * (c.before - b.before) - reached * (ends - turn) "
        "+ CASE WHEN nth = 1 THEN size * a.before ELSE 0 END"
    )
    return (
        f"SELECT max(size) AS size, sum({work}) AS work FROM ({split}) AS w "
        f"JOIN {WORK}.scale AS a ON w.begins = a.place JOIN {WORK}.scale AS b ON w.turn = b.place "
        f"JOIN {WORK}.scale AS c ON w.ends = c.place GROUP BY {counts.cells}"
    )


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
    return 2 * heights[root], _tree_work(opened, counts)


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


def _tree_work(opened: Opened, counts: ClassValues) -> str:
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
        f"FROM {counts.source}) AS v JOIN {WORK}.value_numbers AS k "
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
