"""The help table, computed anew from the released values and compared."""

from __future__ import annotations

from papilio.verify import sql
from papilio.verify.help_columns import wrong_columns
from papilio.verify.opened import WORK, Opened
from papilio.verify.permuted_layout import Layout
from papilio.verify.verdict import Finding, finding

#: What rounding may change, as a part of the sum of all absolute values of a group.
_ROUNDING = 1e-11


def check_help(opened: Opened, layout: Layout) -> Finding:
    """Check that the help table says of every group and number of hits what the values do.

    Counts, smallest and largest values, and sums of whole numbers must be equal; sums of doubles,
    averages, means and variances but for rounding.

    Notes
    -----
    Cost: a sort of the values and four joins with the help table, in SQL.
    """
    claim, demanded = f"help of {layout.help}", "what the values of each group allow, tight"
    _prepare(opened, layout)
    missing, strange = _extent(opened, layout)
    if missing or strange:
        measured = f"{missing} rows are missing, {strange} are too many"
        return finding(claim, demanded, measured, holds=False)
    faults = wrong_columns(opened, _tests(opened, layout), _compared(layout))
    return finding(claim, demanded, "; ".join(faults) or "all rows", not faults)


def _prepare(opened: Opened, layout: Layout) -> None:
    """Sizes of groups, and their values by rank from either end with sums up to them."""
    group, value = sql.name(layout.group), sql.name(layout.sensitive)
    kind = sql.WHOLE if _is_whole(opened, layout.values, layout.sensitive) else "DOUBLE"
    opened.keep(
        "cells", f"SELECT {group} AS g, CAST({value} AS {kind}) AS v FROM {sql.name(layout.values)}"
    )
    opened.keep(
        "sizes",
        "SELECT g, count(*) AS cells, count(v) AS known, "
        f"{sql.count_where('v < 0')} AS negative, {sql.count_where('v > 0')} AS positive, "
        "min(v) AS low, max(v) AS high, avg(coalesce(CAST(v AS DOUBLE), 0)) AS mean, "
        "var_pop(coalesce(CAST(v AS DOUBLE), 0)) AS variance, "
        f"coalesce(sum(abs(CAST(v AS DOUBLE))), 0) AS weight FROM {WORK}.cells GROUP BY g",
    )
    opened.keep("ranked", _ranked())


def _ranked() -> str:
    def end(order: str) -> str:
        own = f"OVER (PARTITION BY g ORDER BY v {order}"
        return (
            f"SELECT g, row_number() {own}) AS i, v, "
            f"sum(v) {own} ROWS UNBOUNDED PRECEDING) AS s "
            f"FROM {WORK}.cells WHERE v IS NOT NULL"
        )

    return (
        "SELECT g, i, a.v AS small, a.s AS small_sum, b.v AS large, b.s AS large_sum "
        f"FROM ({end('ASC')}) AS a JOIN ({end('DESC')}) AS b USING (g, i)"
    )


def _extent(opened: Opened, layout: Layout) -> tuple[int, int]:
    """Pairs of group and hits that are missing, and rows of the help table beyond those."""
    group = sql.name(layout.group)
    pairs = f"SELECT DISTINCT {group} AS g, hits FROM {sql.name(layout.help)}"
    proper = f"({pairs}) AS told JOIN {WORK}.sizes USING (g) WHERE hits BETWEEN 1 AND cells"
    wanted, found, rows = opened.row(
        f"SELECT (SELECT coalesce(sum(cells), 0) FROM {WORK}.sizes), "
        f"(SELECT count(*) FROM {proper} AND hits = floor(hits)), "
        f"(SELECT count(*) FROM {sql.name(layout.help)})"
    )
    return int(wanted - found), int(rows - found)


def _tests(opened: Opened, layout: Layout) -> list[tuple[str, str]]:
    """For each column of the help table, SQL that tells whether it is right."""
    slack = f"{_ROUNDING} * weight"
    sums = (
        "{0} = {1}"
        if _is_whole(opened, layout.help, "sum_lo") and _is_whole(opened, layout.help, "sum_hi")
        else f"abs({{0}} - {{1}}) <= {slack}"
    )
    mean, share = "hits * mean", "hits * variance * (cells - hits) / greatest(cells - 1, 1)"
    return [
        ("count_lo", "count_lo = least_known"),
        ("count_hi", "count_hi = most_known"),
        ("sum_lo", sums.format("sum_lo", "coalesce(lower.small_sum, 0)")),
        ("sum_hi", sums.format("sum_hi", "coalesce(upper.large_sum, 0)")),
        ("min_lo", "min_lo = low"),
        ("min_hi", "min_hi = few.large"),
        ("max_lo", "max_lo = few.small"),
        ("max_hi", "max_hi = high"),
        ("avg_lo", f"abs(avg_lo - CAST(few.small_sum AS DOUBLE) / few_known) <= {slack}"),
        ("avg_hi", f"abs(avg_hi - CAST(few.large_sum AS DOUBLE) / few_known) <= {slack}"),
        ("sum_mean", f"abs(sum_mean - {mean}) <= {slack}"),
        ("sum_var", f"abs(sum_var - {share}) <= {_ROUNDING} * ({share} + weight * weight)"),
    ]


def _compared(layout: Layout) -> str:
    """The help table joined with what it should say."""
    return (
        f"({_hits(layout)}) AS h "
        f"LEFT JOIN {WORK}.ranked AS lower ON lower.g = h.g AND lower.i = lower_known "
        f"LEFT JOIN {WORK}.ranked AS upper ON upper.g = h.g AND upper.i = upper_known "
        f"LEFT JOIN {WORK}.ranked AS few ON few.g = h.g AND few.i = few_known"
    )


def _hits(layout: Layout) -> str:
    """Rows of the help table with the numbers of known values that matter for them."""
    return (
        "SELECT *, greatest(1, least_known) AS few_known, "
        "least(greatest(negative, least_known), most_known) AS lower_known, "
        "least(greatest(positive, least_known), most_known) AS upper_known FROM "
        "(SELECT h.*, s.*, greatest(0, hits - (cells - known)) AS least_known, "
        f"least(hits, known) AS most_known FROM {sql.name(layout.help)} AS h "
        f"JOIN {WORK}.sizes AS s ON s.g = h.{sql.name(layout.group)}) AS told"
    )


def _is_whole(opened: Opened, table: str, column: str) -> bool:
    return opened.types(table)[column] in sql.WHOLE_TYPES
