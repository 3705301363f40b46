"""What can be asked of a generalised release: exact columns, and what vague cells may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from papilio.engines.local import Opened
from papilio.engines.names import quoted
from papilio.query.cells.cell import OneOf
from papilio.query.sql import Question
from papilio.query.subject import Field, Known, Subject
from papilio.query.verdict import frame_of, read_column
from papilio.release.manifest import PublishedColumn, PublishedTable

#: Kinds of cells that tell what a value may be.
_VAGUE = ("range", "set", "node")
#: Most different cells that are spelled out in a CASE.
_SPELLED = 1000


def generalised_subject(question: Question, opened: Opened) -> Subject:
    """Find the table a query asks about, and what is known of the columns it uses."""
    asked = question.table.name.casefold()
    tables = opened.manifest.tables
    table = next((each for each in tables if each.name.casefold() == asked), tables[0])
    used = {column.name.casefold() for column in question.select.find_all(exp.Column)}
    fields = {}
    for column in table.columns:
        if column.cells == "value":
            read = exp.column(exp.to_identifier(column.published[0], quoted=True))
            fields[column.name] = Field(column, Known.EXACT, read)
        elif column.cells in _VAGUE:
            single = _single(opened, table, column) if column.name.casefold() in used else None
            known = Known.VAGUE if single is None else Known.EXACT
            fields[column.name] = Field(column, known, single)
    return Subject(table.name, fields)


def _single(opened: Opened, table: PublishedTable, column: PublishedColumn) -> exp.Expr | None:
    """SQL for the values of a column whose cells are all single values; else ``None``."""
    listed = ", ".join(map(quoted, column.published))
    cells = frame_of(
        opened, f"SELECT DISTINCT {listed} FROM {quoted(table.name)} LIMIT {_SPELLED + 1}"
    )
    reading, _ = read_column(opened, table.name, Field(column, Known.VAGUE), cells)
    clear = all(
        isinstance(cell, OneOf) and len(cell.values) + cell.null == 1 for cell in reading.cells
    )
    if not clear or cells.height > _SPELLED or not reading.domain.sure:
        return None
    if column.cells == "range" and not column.text:
        return exp.column(exp.to_identifier(column.published[0], quoted=True))
    texts = cells.get_column(column.published[0]).to_list()
    values = {
        text: cell.values[0]
        for text, cell in zip(texts, reading.cells, strict=True)
        if isinstance(cell, OneOf) and cell.values
    }
    return _spelled(column, values, reading.domain.type)


def _spelled(column: PublishedColumn, values: Mapping[str, Any], kind: str) -> exp.Expr:
    """``CASE`` from the text of each cell to its value."""
    if not values:
        return exp.cast(exp.Null(), kind)
    case = exp.Case(this=exp.column(exp.to_identifier(column.published[0], quoted=True)))
    for text, value in values.items():
        case = case.when(exp.Literal.string(text), exp.convert(value))
    return exp.cast(case, kind)
