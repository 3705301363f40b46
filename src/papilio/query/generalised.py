"""Questions about generalised releases: rows that must, may or cannot match.

Source: dissertation, sections 2.2 and 2.3.2, where a class matches as a whole or not; here every
cell is looked at, so conditions on several columns and with NULL are answered as sharply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlglot import exp

from papilio.engines.local import Opened
from papilio.engines.names import quoted
from papilio.query.cells.outcomes import Tuples, outcomes
from papilio.query.cells.read import Between, Cell, OneOf, Reading, read_cells
from papilio.query.plan import Aggregate, Plan
from papilio.query.rewrite import rules
from papilio.query.rewrite.tally import Arithmetic, Rewriting
from papilio.query.sql import Question
from papilio.query.statement import PREFIX, Source, Statement, assemble
from papilio.query.subject import Field, Known, Subject, arithmetic_of, has_null, type_of
from papilio.release.manifest import PublishedColumn, PublishedTable


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


MATCHED = f"{PREFIX}matched"
VERDICT = f"{PREFIX}verdict"


def rewrite_generalised(plan: Plan, opened: Opened) -> Statement:
    """Rewrite a query about a generalised release.

    Cost: the condition is tried on every different tuple of cells; the rewritten query then looks
    at every row once, and sorts values if an average is asked of rows that only may match.
    """
    judged = verdicts(plan, opened) if plan.uncertain else None
    arguments = _arguments(plan)
    tables = {} if judged is None else {VERDICT: judged.frame}
    tallies, found = {}, dict[str, Rewriting]()
    for label, argument in arguments.items():
        tallies[label], cells = _tally(plan, opened, label, argument)
        tables |= cells
    for each in plan.bounded:
        label = _label(arguments, each)
        found[each.label] = rules.rewrite(each.function, tallies[label])
    source = Source(
        relations={MATCHED: _matched(plan, arguments, judged)},
        matched=f"{MATCHED} AS m",
        key={key.label: f"m.{key.label}" for key in plan.keys},
        rows=f"{quoted(plan.subject.table)} AS p{_where(plan)}",
        sure="MAX(CASE WHEN m.must THEN 1 ELSE 0 END) = 1"
        if plan.uncertain and plan.keys
        else None,
        exact_pieces={},
        write=lambda node: written(plan, node),
    )
    return assemble(plan, source, found, tables)


def written(plan: Plan, node: exp.Expr) -> str:
    """SQL of an expression over exact columns, read from the published table ``p``."""

    def read(each: exp.Expr) -> exp.Expr:
        if not isinstance(each, exp.Column):
            return each
        field = plan.subject.fields[each.name]
        found = exp.column(each.this.copy()) if field.read is None else field.read.copy()
        columns = [found] if isinstance(found, exp.Column) else list(found.find_all(exp.Column))
        for column in columns:
            column.set("table", exp.to_identifier("p"))
        return found if isinstance(found, exp.Column) else exp.paren(found)

    copy = node.copy()
    if isinstance(copy, exp.Column):
        return read(copy).sql("duckdb", comments=False)
    for column in list(copy.find_all(exp.Column)):
        column.replace(read(column))
    return copy.sql("duckdb", comments=False)


def _where(plan: Plan) -> str:
    return "" if plan.where is None else f" WHERE {written(plan, plan.where)}"


#: Argument of aggregates without one: COUNT(*).
_NONE = exp.Null()


def _arguments(plan: Plan) -> dict[str, exp.Expr]:
    """What bounded aggregates are taken over, each once."""
    found: list[exp.Expr] = []
    for each in plan.bounded:
        argument = each.argument if each.argument is not None else _NONE
        if argument not in found:
            found.append(argument)
    return {f"{PREFIX}v{number}": argument for number, argument in enumerate(found, 1)}


def _label(arguments: Mapping[str, exp.Expr], aggregate: Aggregate) -> str:
    wanted = aggregate.argument if aggregate.argument is not None else _NONE
    return next(label for label, argument in arguments.items() if argument == wanted)


def _is_vague(plan: Plan, argument: exp.Expr) -> bool:
    return (
        isinstance(argument, exp.Column) and plan.subject.fields[argument.name].known is Known.VAGUE
    )


def _matched(plan: Plan, arguments: Mapping[str, exp.Expr], judged: Verdicts | None) -> str:
    columns = [f"{written(plan, key.expression)} AS {key.label}" for key in plan.keys]
    joins = []
    for label, argument in arguments.items():
        if _is_vague(plan, argument):
            names = plan.subject.fields[argument.name].column.published
            joins.append(f"JOIN {label}_cells AS {label} ON {_same(names, label)}")
            columns += [f"{label}.{end} AS {label}_{end}" for end in ("lo", "hi", "null")]
        elif argument is not _NONE:
            columns.append(f"{written(plan, argument)} AS {label}")
    sql = f"SELECT {', '.join([*columns, '{must} AS must'])} FROM {quoted(plan.subject.table)} AS p"
    if judged is None:
        return f"{sql} {' '.join(joins)}".replace("{must}", "TRUE") + _where(plan)
    joins.append(f"JOIN {VERDICT} AS j ON {_same(judged.columns, 'j')}")
    return f"{sql} {' '.join(joins)}".replace("{must}", "j.must")


def _same(columns: Sequence[str], alias: str) -> str:
    return " AND ".join(
        f"p.{quoted(name)} IS NOT DISTINCT FROM {alias}.c{number}"
        for number, name in enumerate(columns, 1)
    )


def _tally(
    plan: Plan, opened: Opened, label: str, argument: exp.Expr
) -> tuple[GeneralisedTally, dict[str, pl.DataFrame]]:
    keys = tuple(key.label for key in plan.keys)
    if _is_vague(plan, argument):
        frame = _ends(plan, opened, argument.name)
        opened.connection.register(f"{label}_cells", frame.to_arrow())
        arithmetic = arithmetic_of(opened.connection, "lo", f"{label}_cells")
        if arithmetic is Arithmetic.DYADIC:
            # What cells add up to is more than what different cells do.
            arithmetic = Arithmetic.DOUBLE
        sure = not plan.uncertain and not frame.get_column("null").any()
        return GeneralisedTally(label, keys, arithmetic, sure, vague=True), {
            f"{label}_cells": frame
        }
    rows = f"{quoted(plan.subject.table)} AS p"
    sql = written(plan, argument)
    arithmetic = (
        Arithmetic.ORDERED if argument is _NONE else arithmetic_of(opened.connection, sql, rows)
    )
    sure = not plan.uncertain and not has_null(opened.connection, sql, rows)
    return GeneralisedTally(label, keys, arithmetic, sure, vague=False), {}


def _ends(plan: Plan, opened: Opened, name: str) -> pl.DataFrame:
    """Cells of a generalised column with the least and largest value they may be."""
    field = plan.subject.fields[name]
    listed = ", ".join(map(quoted, field.column.published))
    cells = frame_of(opened, f"SELECT DISTINCT {listed} FROM {quoted(plan.subject.table)}")
    reading, numbers = read_column(opened, plan.subject.table, field, cells)
    ends = [_end(reading.cells[number], field.column.cells) for number in numbers]
    kept = cells.rename({n: f"c{place}" for place, n in enumerate(field.column.published, 1)})
    return kept.with_columns(
        pl.Series("lo", [low for low, _, _ in ends]),
        pl.Series("hi", [high for _, high, _ in ends]),
        pl.Series("null", [null for _, _, null in ends], dtype=pl.Boolean),
    )


def _end(cell: Cell, kind: str) -> tuple[object, object, bool]:
    if isinstance(cell, OneOf) and not cell.values:
        return None, None, True
    if kind != "range":
        # Only counted: that there may be a value is all that matters.
        return 0, 0, cell.null
    match cell:
        case OneOf(values, null):
            return values[0], values[0], null
        case Between(low, high, _, null):
            return low, high, null
        case _:
            return None, None, True


@dataclass(frozen=True)
class GeneralisedTally:
    """What rows that must or may match tell; see :class:`papilio.query.rewrite.tally.Tally`."""

    label: str
    keys: Sequence[str]
    arithmetic: Arithmetic
    sure: bool
    vague: bool

    @property
    def _lo(self) -> str:
        return f"m.{self.label}_lo" if self.vague else f"m.{self.label}"

    @property
    def _hi(self) -> str:
        return f"m.{self.label}_hi" if self.vague else f"m.{self.label}"

    @property
    def _certain(self) -> str:
        """Whether a row surely adds a value."""
        known = f"NOT m.{self.label}_null" if self.vague else f"{self._lo} IS NOT NULL"
        return f"(m.must AND {known})"

    def has(self, name: str) -> bool:
        """Nothing is known about likelihoods."""
        return name not in ("sum_mean", "sum_var")

    def piece(self, name: str) -> str:
        """SQL over ``m``, the rows that may match."""
        lo, hi, certain = self._lo, self._hi, self._certain
        if name in ("rows", "rows_lo"):
            return "COUNT(*)" if name == "rows" else "COUNT(CASE WHEN m.must THEN 1 END)"
        far = f"GREATEST(ABS(CAST({lo} AS DOUBLE)), ABS(CAST({hi} AS DOUBLE)))"
        return {
            "count_lo": f"COUNT(CASE WHEN {certain} THEN 1 END)",
            "count_hi": f"COUNT({lo})",
            "sum_lo": f"SUM(CASE WHEN {certain} OR {lo} < 0 THEN {lo} WHEN {lo} >= 0 THEN 0 END)",
            "sum_hi": f"SUM(CASE WHEN {certain} OR {hi} > 0 THEN {hi} WHEN {hi} <= 0 THEN 0 END)",
            "min_lo": f"MIN({lo})",
            "min_hi": f"COALESCE(MIN(CASE WHEN {certain} THEN {hi} END), MAX({hi}))",
            "max_lo": f"COALESCE(MAX(CASE WHEN {certain} THEN {lo} END), MIN({lo}))",
            "max_hi": f"MAX({hi})",
            "distinct_lo": f"COUNT(DISTINCT CASE WHEN {certain} THEN {lo} END)",
            "distinct_hi": f"COUNT(DISTINCT {lo})",
            "largest": f"MAX({far})",
            "slack": f"SUM({far})",
        }[name]

    def contributions(self, *, high: bool) -> str:
        """The values rows surely add to an average, and those they may add."""
        keys = "".join(f"m.{key}, " for key in self.keys)
        value = self._hi if high else self._lo
        return (
            f"SELECT {keys}{value} AS v, {self._certain} AS certain FROM {MATCHED} AS m "
            f"WHERE {value} IS NOT NULL"
        )

    def draws(self, extreme: str | None) -> None:
        """There are no groups to draw from."""
        del extreme
