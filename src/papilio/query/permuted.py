"""Questions about permuted releases: exact quasi-identifiers, sensitive values hidden in groups.

How many rows of each group a condition selects is known; the help table tells what so many of its
values can be. Source: dissertation, section 2.5.2, with NULL, and without a table of tuple numbers.

Rows of the help table by their place, where the release is in memory.

A rewritten query needs one row of the help table per group that is hit. A join would read the
whole table for them. Rows stand group by group, ascending by hits, so their places are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlglot import exp

from papilio.engines.local import Opened
from papilio.engines.names import quoted
from papilio.query.plan import Plan
from papilio.query.rewrite.rules import rewrite
from papilio.query.rewrite.tally import Arithmetic, Rewriting
from papilio.query.statement import BOUNDS, PREFIX, Source, Statement, assemble
from papilio.query.subject import Field, Known, Subject, arithmetic_of, has_null, type_of
from papilio.release.manifest import Manifest

_COLUMN = re.compile(r"\bt\.(\w+)")


def columns_of(pieces: Iterable[str]) -> list[str]:
    """Columns of the help table ``t`` that pieces of SQL use."""
    return sorted({name for sql in pieces for name in _COLUMN.findall(sql)})


def starts_of(table: pl.DataFrame, hits: str) -> NDArray[np.int64]:
    """Places of the first row of each group of a help table."""
    return np.flatnonzero(table.get_column(hits).to_numpy() == 1)


def gather(
    table: pl.DataFrame,
    starts: NDArray[np.int64],
    group: str,
    hits: str,
    wanted: pl.DataFrame,
    columns: Iterable[str],
) -> pl.DataFrame | None:
    """Rows of a help table.

    Parameters
    ----------
    table
        The help table.
    starts
        From :func:`starts_of`.
    group, hits
        Names of the columns with groups and hits.
    wanted
        Groups and hits that are sought, as ``g`` and ``hits``.
    columns
        Other columns that are needed.

    Returns
    -------
    polars.DataFrame or None
        ``None`` if the table is not in the order that the format demands; then only a join helps.
    """
    numbers = table.get_column(hits).to_numpy()
    # Several keys may have the same number of hits in a group.
    distinct = wanted.select("g", "hits").unique()
    sought, counts = (distinct.get_column(name).to_numpy() for name in ("g", "hits"))
    if len(sought) and not (
        sought.dtype.kind == "i" and sought.min() >= 1 and sought.max() <= len(starts)
    ):
        return None
    places: NDArray[np.int64] = starts[sought - 1] + counts - 1
    if len(places) and places.max() >= table.height:
        return None
    groups = table.get_column(group).to_numpy()
    if not ((groups[places] == sought).all() and (numbers[places] == counts).all()):
        return None
    names = dict.fromkeys([group, hits, *columns])
    return pl.DataFrame([pl.Series(n, table.get_column(n).to_numpy()[places]) for n in names])


def near_groups(
    hit: pl.DataFrame, rows: pl.DataFrame, group: str, hits: str, keys: Sequence[str]
) -> NDArray[np.int64]:
    """Groups that can hold the smallest or the largest value of any key; no value being NULL.

    Parameters
    ----------
    hit
        Keys, groups and hits.
    rows
        Their rows of the help table, from :func:`gather`.
    group, hits
        Names of the columns of ``rows`` with groups and hits.
    keys
        Names of the columns of ``hit`` with keys.
    """
    both = hit.join(rows, left_on=["g", "hits"], right_on=[group, hits])
    by: list[pl.Expr] = [pl.col(key) for key in keys] or [pl.lit(1)]
    near = pl.lit(False)
    if {"min_lo", "min_hi"} <= set(both.columns):
        near = near | (pl.col("min_lo") <= pl.col("min_hi").min().over(by))
    if {"max_lo", "max_hi"} <= set(both.columns):
        near = near | (pl.col("max_hi") >= pl.col("max_lo").max().over(by))
    return both.filter(near).get_column("g").unique().sort().to_numpy()


def gather_values(
    values: pl.DataFrame, starts: NDArray[np.int64], group: str, groups: NDArray[np.int64]
) -> pl.DataFrame | None:
    """Rows of the table of values that belong to some groups; ``None`` if it has another order."""
    ends = np.append(starts[1:], values.height)
    sizes = (ends - starts)[groups - 1]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = np.repeat(starts[groups - 1], sizes) + within
    found = values[places]
    agree = (found.get_column(group).to_numpy() == np.repeat(groups, sizes)).all()
    return found if agree else None


HITS = f"{PREFIX}hits"
HELP = f"{PREFIX}help"
VALUES = f"{PREFIX}values"
#: Most rows of a help table that are read from a file at once; of a larger one all is joined.
_AT_ONCE = 50_000_000
#: Aggregates without NULL that need values of those groups only that can hold an extreme.
_FEW_VALUES = ("sum", "avg", "min", "max", "count")
#: Cells of the column whose rows are hidden in groups: values, or ranges if it is disguised.
_HIDDEN = ("value", "range")


@dataclass(frozen=True)
class Layout:
    """Names of the tables and columns of a permuted release.

    Where cells are ranges, ``value`` is their lower and ``highest`` their upper end.
    """

    rows: str
    values: str
    help: str
    group: str
    hits: str
    value: str
    highest: str


def layout_of(manifest: Manifest) -> Layout:
    """Find the tables and columns a rewritten query needs."""
    rows, values, *helping = manifest.tables
    (group,) = (each for each in values.columns if each.cells == "group")
    (value,) = (each for each in values.columns if each.cells in _HIDDEN)
    # Only a column of numbers has a help table; of another nothing is asked that needs it.
    help_ = helping[0].name if helping else ""
    return Layout(
        rows.name, values.name, help_, group.published[0], "hits", value.published[0],
        value.published[-1],
    )  # fmt: skip


def permuted_subject(manifest: Manifest) -> Subject:
    """What can be asked: quasi-identifiers and plain columns exactly, the sensitive one hidden."""
    rows, values, *helping = manifest.tables
    fields = {
        column.name: Field(column, Known.EXACT, exp.column(column.name, quoted=True))
        for column in rows.columns
        if column.cells == "value"
    }
    hidden = {
        column.name: Field(column, Known.HIDDEN)
        for column in values.columns
        if column.cells in _HIDDEN and helping
    }
    return Subject(rows.name, {**fields, **hidden})


def rewrite_permuted(plan: Plan, opened: Opened, *, here: bool) -> Statement:
    """Rewrite a query about a permuted release.

    Parameters
    ----------
    plan
        What is asked.
    opened
        The release.
    here
        Whether the query will run in this program. Then rows of the help table are taken by their
        place instead of joining all of it, unless it is very large and not in memory.

    Notes
    -----
    Cost of the rewritten query: the condition on every row, then one row of the help table per
    group and key.
    """
    layout = layout_of(opened.manifest)
    found: dict[str, Rewriting] = {}
    if plan.bounded:
        tally = _tally(plan, layout, opened)
        found = {each.label: rewrite(each.function, tally) for each in plan.bounded}
    tables = _gathered(plan, layout, opened, found) if here and found else {}
    if not tables:
        return assemble(plan, _source(plan, layout, {HITS: _hits(plan, layout)}, found), found)
    small = replace(layout, help=HELP)
    if tally.sure and all(each.function in _FEW_VALUES for each in plan.bounded):
        few = _few_values(plan, layout, opened, tables)
        tables |= few
        small = replace(small, values=VALUES) if few else small
    tally = replace(tally, layout=small)
    found = {each.label: rewrite(each.function, tally) for each in plan.bounded}
    return assemble(plan, _source(plan, small, {}, found), found, tables)


def _source(
    plan: Plan, layout: Layout, relations: Mapping[str, str], found: Mapping[str, Rewriting]
) -> Source:
    counts = [a for a in plan.aggregates if a.exact and a.function == "count_star"]
    return Source(
        relations=relations,
        matched=_matched(layout),
        key={key.label: f"h.{key.label}" for key in plan.keys},
        rows=quoted(layout.rows) + _where(plan),
        sure=None,
        exact_pieces={each.label: "COALESCE(SUM(h.hits), 0)" for each in counts if found},
        write=lambda node: node.sql("duckdb", comments=False),
    )


def _gathered(
    plan: Plan, layout: Layout, opened: Opened, found: Mapping[str, Rewriting]
) -> dict[str, pl.DataFrame]:
    """Groups that are hit, and their rows of the help table; nothing if only a join can tell."""
    if opened.frames is None and opened.manifest.table(layout.help).rows > _AT_ONCE:
        return {}
    hit = pl.DataFrame(opened.connection.sql(_hits(plan, layout)).to_arrow_table())
    pieces = [
        sql
        for rule in found.values()
        for part in (rule.pieces, rule.relations, rule.parts)
        for sql in part.values()
    ]
    names = columns_of(pieces)
    table = opened.columns(layout.help, [layout.group, layout.hits, *names])
    if "starts" not in opened.kept:
        opened.kept["starts"] = starts_of(table, layout.hits)
    rows = gather(table, opened.kept["starts"], layout.group, layout.hits, hit, names)
    return {} if rows is None else {HITS: hit, HELP: rows}


def _few_values(
    plan: Plan, layout: Layout, opened: Opened, tables: Mapping[str, pl.DataFrame]
) -> dict[str, pl.DataFrame]:
    """Values of the groups that can hold an extreme; nothing if the table has another order."""
    if not any(each.function in ("min", "max") for each in plan.bounded):
        return {}
    keys = [key.label for key in plan.keys]
    near = near_groups(tables[HITS], tables[HELP], layout.group, layout.hits, keys)
    values = opened.columns(layout.values, [layout.group, layout.value])
    found = gather_values(values, opened.kept["starts"], layout.group, near)
    return {} if found is None else {VALUES: found}


def _where(plan: Plan) -> str:
    return "" if plan.where is None else f" WHERE {plan.where.sql('duckdb', comments=False)}"


def _hits(plan: Plan, layout: Layout) -> str:
    keys = [(key.expression.sql("duckdb", comments=False), key.label) for key in plan.keys]
    inner = "".join(f"{sql} AS {label}, " for sql, label in keys)
    outer = "".join(f"{label}, " for _, label in keys)
    return (
        f"SELECT {outer}g, COUNT(*) AS hits FROM (SELECT {inner}{quoted(layout.group)} AS g "
        f"FROM {quoted(layout.rows)}{_where(plan)}) AS r GROUP BY {outer}g"
    )


def _matched(layout: Layout) -> str:
    return (
        f"{HITS} AS h JOIN {quoted(layout.help)} AS t "
        f"ON t.{quoted(layout.group)} = h.g AND t.{quoted(layout.hits)} = h.hits"
    )


def _tally(plan: Plan, layout: Layout, opened: Opened) -> PermutedTally:
    if "arithmetic" not in opened.kept:
        opened.kept["arithmetic"] = _arithmetic(layout, opened), not _has_null(opened, layout)
    arithmetic, sure = opened.kept["arithmetic"]
    return (DisguisedTally if layout.highest != layout.value else PermutedTally)(
        f"{PREFIX}v1", tuple(key.label for key in plan.keys), arithmetic, sure, layout
    )


def _arithmetic(layout: Layout, opened: Opened) -> Arithmetic:
    value = quoted(layout.value)
    connection = opened.connection
    arithmetic = arithmetic_of(connection, value, quoted(layout.values))
    ranges = layout.highest != layout.value
    if ranges and arithmetic is Arithmetic.DYADIC:
        arithmetic = arithmetic_of(connection, quoted(layout.highest), quoted(layout.values))
    if type_of(connection, "sum_lo", quoted(layout.help)) == "DOUBLE":
        # Sums of whole numbers that would not fit 64 bits are published as doubles.
        whole = arithmetic is Arithmetic.WHOLE
        arithmetic = Arithmetic.DOUBLE if whole else arithmetic
    return arithmetic


def _has_null(opened: Opened, layout: Layout) -> bool:
    if opened.frames is not None:
        return opened.frames[layout.values].get_column(layout.value).null_count() > 0
    return has_null(opened.connection, quoted(layout.value), quoted(layout.values))


_FARTHEST = "GREATEST(ABS(CAST(t.min_lo AS DOUBLE)), ABS(CAST(t.max_hi AS DOUBLE)))"
_SUMS = {
    "rows": "SUM(h.hits)",
    "largest": f"MAX({_FARTHEST})",
    "slack": f"SUM(h.hits * {_FARTHEST})",
    "min_lo": "MIN(t.min_lo)",
    "max_hi": "MAX(t.max_hi)",
}


@dataclass(frozen=True)
class PermutedTally:
    """What groups of a permuted release tell; see :class:`papilio.query.rewrite.tally.Tally`."""

    label: str
    keys: Sequence[str]
    arithmetic: Arithmetic
    sure: bool
    layout: Layout

    def has(self, name: str) -> bool:
        """Mean and variance of a sum are known."""
        del name
        return True

    def piece(self, name: str) -> str:
        """SQL over ``h``, the groups with their hits, and ``t``, their rows of the help table."""
        if name in _SUMS:
            return _SUMS[name]
        if name == "min_hi" and not self.sure:
            return "COALESCE(MIN(CASE WHEN t.count_lo >= 1 THEN t.min_hi END), MAX(t.min_hi))"
        if name == "max_lo" and not self.sure:
            return "COALESCE(MAX(CASE WHEN t.count_lo >= 1 THEN t.max_lo END), MIN(t.max_lo))"
        return {"min_hi": "MIN(t.min_hi)", "max_lo": "MAX(t.max_lo)"}.get(name, f"SUM(t.{name})")

    def contributions(self, *, high: bool) -> str:
        """The values each group surely adds to an average, and those it may add besides."""
        order = "DESC" if high else "ASC"
        group, value = quoted(self.layout.group), quoted(self.layout.value)
        keys = "".join(f"h.{key}, " for key in self.keys)
        return (
            f"SELECT {keys}w.v AS v, w.r <= t.count_lo AS certain FROM {_matched(self.layout)} "
            f"JOIN (SELECT {group} AS g, {value} AS v, ROW_NUMBER() OVER (PARTITION BY {group} "
            f"ORDER BY {value} {order}) AS r FROM {quoted(self.layout.values)} "
            f"WHERE {value} IS NOT NULL) AS w ON w.g = h.g AND w.r <= t.count_hi"
        )

    def draws(self, extreme: str | None) -> str | None:
        """Cells of the groups that are hit, or of those that can hold the extreme."""
        keys = "".join(f"h.{key}, " for key in self.keys)
        value = f"w.{quoted(self.layout.value)}"
        cells = f"JOIN {quoted(self.layout.values)} AS w ON w.{quoted(self.layout.group)} = h.g"
        if extreme is None:
            return f"SELECT {keys}h.g, h.hits AS h, {value} AS v FROM {HITS} AS h {cells}"
        end = f"b.{self.label}_min_hi" if extreme == "min" else f"b.{self.label}_max_lo"
        near = f"t.min_lo <= {end}" if extreme == "min" else f"t.max_hi >= {end}"
        same = [f"b.{key} IS NOT DISTINCT FROM h.{key}" for key in self.keys]
        return (
            f"SELECT {keys}h.g, h.hits AS h, {value} AS v, {end} AS edge "
            f"FROM {_matched(self.layout)} JOIN {BOUNDS} AS b ON {' AND '.join([*same, near])} "
            f"{cells}"
        )


@dataclass(frozen=True)
class DisguisedTally(PermutedTally):
    """What groups of a disguised release tell: cells are ranges, of which some may be fakes'."""

    def piece(self, name: str) -> str:
        """As for values; how many different ones ranges hold is known roughly only."""
        rough = {
            "distinct_lo": "CASE WHEN SUM(h.hits) > 0 THEN 1 ELSE 0 END",
            "distinct_hi": "SUM(h.hits)",
        }
        return rough.get(name) or super().piece(name)

    def draws(self, extreme: str | None) -> str | None:
        """Ranges are not drawn one by one."""
        del extreme
        return None
