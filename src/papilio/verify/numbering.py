"""Original and published rows as numbers, column by column, equal rows counted together.

In each column the distinct original values are numbered from 1 in ascending order, NULL is 0. A
published value has the number of the original value it equals, or -1; the distinct generalised
cells of a column are numbered from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.cells import bounds, has_bounds
from papilio.verify.integrity import family
from papilio.verify.opened import WORK, Opened


@dataclass(frozen=True, eq=False)
class Side:
    """Distinct rows of the original, or of what is published.

    Attributes
    ----------
    numbers
        One line per distinct row, one number per column.
    count
        How often each row occurs.
    """

    numbers: NDArray[np.int64]
    count: NDArray[np.int64]


def compared_as(column: PublishedColumn) -> str:
    """How values are compared with cells: as ``numeric``, ``date`` or ``category`` (text)."""
    by_text = column.cells == "set" or "prefix" in (column.hierarchy or {})
    return "category" if by_text or column.type == "boolean" else column.type


def number_original(opened: Opened, table: PublishedTable, original: str) -> Side:
    """Number the values of the original; keeps them in ``values<i>`` of the work schema."""
    parts = [f"{comparable(column)} AS v{i}" for i, column in enumerate(table.columns)]
    _count_equal(opened, "supply", parts, original)
    for i in range(len(parts)):
        opened.execute(
            f"CREATE OR REPLACE TABLE {WORK}.values{i} AS SELECT v, CASE WHEN v IS NULL THEN 0 "
            "ELSE row_number() OVER (ORDER BY v NULLS LAST) END AS number "
            f"FROM (SELECT DISTINCT v{i} AS v FROM {WORK}.supply)"
        )
    joins = [
        f"JOIN {WORK}.values{i} AS t{i} ON r.v{i} IS NOT DISTINCT FROM t{i}.v"
        for i in range(len(parts))
    ]
    return _side(opened, "supply", joins)


def number_published(opened: Opened, table: PublishedTable) -> Side:
    """Number the published rows by the values of the original, which must be numbered already.

    Keeps the distinct cells of generalised columns in ``cells<i>`` of the work schema.
    """
    parts, joins = [], []
    for i, column in enumerate(table.columns):
        cells = _cells(opened, table, column, i)
        parts += [f"{expression} AS {name}" for name, expression in cells.items()]
        same = " AND ".join(f"r.{name} IS NOT DISTINCT FROM t{i}.{name}" for name in cells)
        if column.cells == "value":
            joins.append(
                f"LEFT JOIN {WORK}.values{i} AS t{i} ON r.d{i} IS NOT DISTINCT FROM t{i}.v"
            )
        else:
            joins.append(f"JOIN {WORK}.cells{i} AS t{i} ON {same}")
    _count_equal(opened, "demand", parts, table.name)
    for i, column in enumerate(table.columns):
        if column.cells != "value":
            names = ", ".join(_cells(opened, table, column, i))
            opened.execute(
                f"CREATE OR REPLACE TABLE {WORK}.cells{i} AS "
                f"SELECT *, row_number() OVER () - 1 AS number "
                f"FROM (SELECT DISTINCT {names} FROM {WORK}.demand)"
            )
    return _side(opened, "demand", joins)


def number_rows(
    opened: Opened, table: PublishedTable, original: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the rows of both sides by the first column of ``table``, after both were numbered.

    Returns the numbers of the original's values and those of the published cells (of values, the
    numbers of the original's), each in the order in which the table is read.
    """
    column = table.columns[0]
    source = f"SELECT {comparable(column)} AS v FROM {sql.name(original)}"
    values = _row_numbers(opened, source, "values0", ("v",))
    cells = _cells(opened, table, column, 0)
    listed = ", ".join(f"{expression} AS {name}" for name, expression in cells.items())
    if column.cells == "value":
        source = f"SELECT d0 AS v FROM (SELECT {listed} FROM {sql.name(table.name)})"
        return values, _row_numbers(opened, source, "values0", ("v",))
    source = f"SELECT {listed} FROM {sql.name(table.name)}"
    return values, _row_numbers(opened, source, "cells0", tuple(cells))


def number_every_row(
    opened: Opened, table: PublishedTable, original: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the rows of both sides by all columns of ``table``, after both were numbered.

    Returns a line of numbers for each row of the original and for each published one, in the order
    in which the tables are read.
    """
    values, cells = [], []
    for i, column in enumerate(table.columns):
        source = f"SELECT {comparable(column)} AS v FROM {sql.name(original)}"
        values.append(_row_numbers(opened, source, f"values{i}", ("v",)))
        names = _cells(opened, table, column, i)
        known = column.cells == "value"
        listed = ", ".join(
            f"{expression} AS {'v' if known else name}" for name, expression in names.items()
        )
        source = f"SELECT {listed} FROM {sql.name(table.name)}"
        where = (f"values{i}", ("v",)) if known else (f"cells{i}", tuple(names))
        cells.append(_row_numbers(opened, source, *where))
    return np.column_stack(values), np.column_stack(cells)


def _row_numbers(
    opened: Opened, source: str, known: str, names: tuple[str, ...]
) -> NDArray[np.int64]:
    same = " AND ".join(f"r.{name} IS NOT DISTINCT FROM t.{name}" for name in names)
    (numbers,) = opened.arrays(
        "SELECT coalesce(t.number, -1) AS number FROM "
        f"(SELECT row_number() OVER () AS place, * FROM ({source})) AS r "
        f"LEFT JOIN {WORK}.{known} AS t ON {same} ORDER BY r.place"
    )
    return np.asarray(numbers, np.int64)


def values_of(opened: Opened, index: int) -> NDArray[Any]:
    """Distinct values of a column of the original without NULL, in the order of their numbers."""
    (values,) = opened.arrays(
        f"SELECT v FROM {WORK}.values{index} WHERE v IS NOT NULL ORDER BY number"
    )
    return np.ma.getdata(values)


def bounds_of(opened: Opened, index: int) -> list[Any]:
    """Smallest value, largest value and "may be NULL" of the distinct cells of a column."""
    names = f"low{index}, high{index}, null{index}"
    return opened.arrays(f"SELECT {names} FROM {WORK}.cells{index} ORDER BY number")


def texts_of(opened: Opened, index: int) -> list[str | None]:
    """Distinct cells of a column whose cells are one text."""
    return [
        row[0] for row in opened.rows(f"SELECT d{index} FROM {WORK}.cells{index} ORDER BY number")
    ]


def comparable(column: PublishedColumn) -> str:
    """SQL for a value of the original as it is compared with the cells of a column."""
    name = sql.name(column.name)
    if column.cells == "value":
        return name
    kind = compared_as(column)
    if kind == "category":
        return f"CAST({name} AS VARCHAR)"
    if kind == "date":
        # Labels of hierarchies are about days; ranges, and values beside '*', about moments.
        moment = f"CAST({name} AS TIMESTAMP)"
        days = column.cells == "node" and "flat" not in (column.hierarchy or {})
        return f"CAST({moment} AS DATE)" if days else moment
    return name


def _cells(
    opened: Opened, table: PublishedTable, column: PublishedColumn, index: int
) -> dict[str, str]:
    """Names under which the cells of a column are kept, and where they come from."""
    if has_bounds(column):
        return dict(
            zip(
                (f"low{index}", f"high{index}", f"null{index}"),
                bounds(opened, table, column),
                strict=True,
            )
        )
    name = column.published[0]
    wanted = column.type if column.cells == "value" else "category"
    if family(opened.types(table.name)[name]) == wanted:
        return {f"d{index}": sql.name(name)}
    # Nothing shows the type of a column of a CSV file that is NULL throughout.
    return {f"d{index}": "NULL"}


def _count_equal(opened: Opened, name: str, parts: list[str], source: str) -> None:
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.{name} AS SELECT {', '.join(parts)}, count(*) AS n "
        f"FROM {sql.name(source)} GROUP BY ALL"
    )


def _side(opened: Opened, name: str, joins: list[str]) -> Side:
    numbers = ", ".join(f"coalesce(t{i}.number, -1) AS number{i}" for i in range(len(joins)))
    *columns, count = opened.arrays(
        f"SELECT {numbers}, n FROM {WORK}.{name} AS r {' '.join(joins)}"
    )
    return Side(np.column_stack(columns).astype(np.int64), np.asarray(count, np.int64))
