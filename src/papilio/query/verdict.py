"""Which rows of a generalised table must, may or cannot match a condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl
from sqlglot import exp

from papilio.engines.local import Opened
from papilio.engines.names import quoted
from papilio.query.cells.outcomes import Tuples, outcomes
from papilio.query.cells.read import Reading, read_cells
from papilio.query.facts import type_of
from papilio.query.plan import Plan
from papilio.query.subject import Field, Known


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Tuples of cells whose rows may match a condition.

    Attributes
    ----------
    columns
        Published columns the tuples are made of.
    frame
        Their cells as ``c1``, ``c2``, …, and ``must``: whether the rows match for sure.
    """

    columns: tuple[str, ...]
    frame: pl.DataFrame


def verdicts(plan: Plan, opened: Opened) -> Verdicts:
    """Judge every tuple of cells of the columns that the condition of a query uses."""
    condition = plan.where if plan.where is not None else exp.true()
    names = dict.fromkeys(column.name for column in condition.find_all(exp.Column))
    fields = [plan.subject.fields[name] for name in names]
    columns = tuple(dict.fromkeys(each for field in fields for each in _published(field)))
    cells = frame_of(
        opened, f"SELECT DISTINCT {_listed(columns)} FROM {quoted(plan.subject.table)}"
    )
    tuples = _tuples(opened, plan.subject.table, fields, cells)
    found = outcomes(tuples, condition)
    judged = cells.rename({name: f"c{n}" for n, name in enumerate(columns, 1)}).with_columns(
        must=pl.Series(found[:, 0] & ~found[:, 1] & ~found[:, 2])
    )
    return Verdicts(columns, judged.filter(pl.Series(found[:, 0])))


def _published(field: Field) -> Sequence[str]:
    if field.known is Known.VAGUE:
        return field.column.published
    # What is exact may be read from cells that are single values.
    read = field.read if field.read is not None else exp.column(field.name)
    return [column.name for column in read.find_all(exp.Column)]


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(map(quoted, columns))


def frame_of(opened: Opened, sql: str) -> pl.DataFrame:
    """Result of a query as a frame; moments of a time zone as those of UTC without one."""
    found = pl.DataFrame(opened.connection.sql(sql).to_arrow_table())
    zoned = [
        name
        for name, dtype in found.schema.items()
        if isinstance(dtype, pl.Datetime) and dtype.time_zone
    ]
    return found.with_columns(
        pl.col(name).dt.convert_time_zone("UTC").dt.replace_time_zone(None) for name in zoned
    )


def _tuples(opened: Opened, table: str, fields: Sequence[Field], cells: pl.DataFrame) -> Tuples:
    vague: dict[str, Reading] = {}
    columns: list[pl.Series] = []
    for field in fields:
        if field.known is Known.VAGUE:
            vague[field.name], numbers = read_column(opened, table, field, cells)
            columns.append(numbers.alias(field.name))
        else:
            columns.append(_read(opened, field, cells).alias(field.name))
    exact = [field.name for field in fields if field.name not in vague]
    frame = (
        pl.DataFrame(columns) if columns else pl.DataFrame({"papilio none": [None] * cells.height})
    )
    return Tuples(opened.connection, vague, exact, frame)


def _read(opened: Opened, field: Field, cells: pl.DataFrame) -> pl.Series:
    """Values of an exact column for tuples of published cells."""
    opened.connection.register("papilio_cells", cells.with_row_index("papilio place").to_arrow())
    read = field.read if field.read is not None else exp.column(field.name, quoted=True)
    return frame_of(
        opened,
        f'SELECT {read.sql("duckdb")} AS v FROM papilio_cells ORDER BY "papilio place"',
    ).get_column("v")


def read_column(
    opened: Opened, table: str, field: Field, cells: pl.DataFrame
) -> tuple[Reading, pl.Series]:
    """Different cells of a generalised column, and for each row of a frame which one it has."""
    names = list(field.column.published)
    distinct = cells.select(names).unique(maintain_order=True)
    kind = type_of(opened.connection, quoted(names[0]), quoted(table))
    reading = read_cells(field.column, distinct.rows(), _PLAIN.get(kind, kind), opened.hierarchies)
    numbered = distinct.with_row_index("papilio number")
    numbers = cells.select(names).join(
        numbered, on=names, how="left", nulls_equal=True, maintain_order="left"
    )
    return reading, numbers.get_column("papilio number").cast(pl.Int64)


#: Types that are read as another one; see :func:`frame_of`.
_PLAIN: Mapping[str, str] = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMP"}
