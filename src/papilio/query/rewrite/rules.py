"""Which rule rewrites which aggregate, and the rules.

``SUM``: the sums of what is sure and of what can make it smallest or largest.

Lower bound: sure values, and possible ones that are negative; upper bound alike. SQL's SUM of no
value is NULL, not 0: if nothing is sure and nothing that is possible makes the sum smaller than 0,
the least sum that is not NULL is the smallest value. Tight: each bound is reached. Source:
dissertation, section 2.5.1 (there without NULL); mean and variance as docs/papers.md has them.

``COUNT`` of an expression: how many values are surely, and possibly, not NULL.

In a permuted group of N cells, m of them known, h drawn ones hold a hypergeometric number of known
ones: mean h m / N, variance h (m / N) (1 − m / N) (N − h) / (N − 1).

``AVG``: the bounds of the sum over the number of values, if that is certain.

If it is not, because of NULL or because rows only may match, the smallest average is that of the
sure values together with the i smallest possible ones, for the best i: for a given number of
values the smallest sum is that of the smallest values, so no choice does better. Tight, and sound.
Source: dissertation, section 2.5.1; the case of uncertain numbers is not in it.

``COUNT(DISTINCT …)``: how many different values the aggregated ones can be.

Rows that are known one by one: those of the sure rows at least, those of all at most.

Permuted groups: h draws from a group hold at least as many different values as it takes to fill h
places, NULL first and then the most frequent values, and at most h. Together: at least what one
group holds, and at least the sum of what groups hold beyond values they share; at most the sum, and
at most all there are. Sound. Tight for one group, and for groups without common values; not always
otherwise. Mean: a value is absent with probability ∏ (N − h − i + 1) / (N − i + 1) over its copies
i in each group.

What ``MIN`` and ``MAX`` share: bounds from the pieces of the tally.

``MAX``: from the largest of what is sure to the largest value that is possible.

The mirror image of ``MIN``. Tight.

``MIN``: from the smallest value that is possible to the smallest of what is sure.

Groups without hits take no part (papers D2.13). If nothing is sure, the smallest value may be as
large as the largest possible one, or NULL. Tight.

The exact distribution of ``MIN`` and ``MAX`` over permuted groups: mean and standard deviation.

A group of N cells of which h are drawn has none among its j smallest with probability
∏ (N − i + 1 − h) / (N − i + 1), i = 1 … j; groups are independent. So one walk through the values
of all groups in ascending order, each multiplying the probability that MIN is still larger, gives
the whole distribution. It equals the elementary symmetric polynomials of docs/papers.md, whose
arguments here are 0 or 1. Only groups that can hold the smallest value, and of them only values up
to the upper bound, take part, so with few overlapping groups the walk is short. NULL comes last.

Which rule rewrites which aggregate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from papilio.query.rewrite.tally import (
    UNKNOWN,
    Arithmetic,
    Rewriting,
    Tally,
    b,
    nudged,
    pieces,
    quotient,
    whole_quotient,
    widened,
)


def rewrite_sum(tally: Tally) -> Rewriting:
    """Bounds of ``SUM``."""
    wanted = ["sum_lo", "sum_hi"]
    lo, hi = b(tally, "sum_lo"), b(tally, "sum_hi")
    if not tally.sure:
        wanted += ["count_lo", "min_lo", "max_hi"]
        none = f"{b(tally, 'count_lo')} = 0"
        lo = f"CASE WHEN {none} AND {lo} = 0 THEN {b(tally, 'min_lo')} ELSE {lo} END"
        hi = f"CASE WHEN {none} AND {hi} = 0 THEN {b(tally, 'max_hi')} ELSE {hi} END"
    if tally.arithmetic is Arithmetic.DOUBLE:
        wanted += ["rows", "slack"]
        lo = widened(lo, b(tally, "rows"), b(tally, "slack"), up=False)
        hi = widened(hi, b(tally, "rows"), b(tally, "slack"), up=True)
    estimate, std = UNKNOWN, UNKNOWN
    if tally.has("sum_mean"):
        wanted += ["sum_mean", "sum_var"]
        estimate, std = b(tally, "sum_mean"), f"SQRT({b(tally, 'sum_var')})"
    return Rewriting(
        lo, hi, estimate, std,
        count_lo=None if tally.sure else b(tally, "count_lo"),
        pieces=pieces(tally, *wanted),
    )  # fmt: skip


def rewrite_count_star(tally: Tally) -> Rewriting:
    """Bounds of ``COUNT(*)``; of no row it is 0."""
    lo, hi = (f"COALESCE({b(tally, name)}, 0)" for name in ("rows_lo", "rows"))
    return Rewriting(lo, hi, pieces=pieces(tally, "rows_lo", "rows"))


def rewrite_count(tally: Tally) -> Rewriting:
    """Bounds of ``COUNT``; of no row it is 0."""
    lo, hi = (f"COALESCE({b(tally, name)}, 0)" for name in ("count_lo", "count_hi"))
    needed = pieces(tally, "count_lo", "count_hi")
    draws = None if tally.sure else tally.draws(None)
    if draws is None:
        return Rewriting(lo, hi, pieces=needed)
    part = f"{tally.label}_count_odds"
    return Rewriting(
        lo, hi, f"{part}.mean", f"SQRT({part}.variance)",
        pieces=needed,
        relations={f"{part}_draws": draws},
        parts={part: _moments(tally, f"{part}_draws")},
    )  # fmt: skip


def _moments(tally: Tally, draws: str) -> str:
    listed = "".join(f"{key}, " for key in tally.keys)
    grouped = f" GROUP BY {', '.join(tally.keys)}" if tally.keys else ""
    share = "CAST(m AS DOUBLE) / n"
    return (
        f"SELECT {listed}SUM(h * ({share})) AS mean, SUM(CASE WHEN n > 1 THEN "
        f"h * ({share}) * (1 - {share}) * (n - h) / CAST(n - 1 AS DOUBLE) ELSE 0 END) AS variance "
        f"FROM (SELECT {listed}g, MIN(h) AS h, COUNT(*) AS n, COUNT(v) AS m FROM {draws} "
        f"GROUP BY {listed}g) AS c{grouped}"
    )


def rewrite_avg(tally: Tally) -> Rewriting:
    """Bounds of ``AVG``."""
    return _certain_number(tally) if tally.sure else _uncertain_number(tally)


def _certain_number(tally: Tally) -> Rewriting:
    wanted = ["rows", "sum_lo", "sum_hi"]
    rows, lo, hi = (b(tally, name) for name in wanted)
    if tally.arithmetic is Arithmetic.DOUBLE:
        wanted.append("slack")
        slack = b(tally, "slack")
        least = nudged(quotient(f"({widened(lo, rows, slack, up=False)})", rows), up=False)
        most = nudged(quotient(f"({widened(hi, rows, slack, up=True)})", rows), up=True)
    else:
        least, most = _determined(tally, lo, hi, rows)
    estimate, std = UNKNOWN, UNKNOWN
    if tally.has("sum_mean"):
        wanted += ["sum_mean", "sum_var"]
        estimate = quotient(b(tally, "sum_mean"), rows)
        std = f"SQRT({b(tally, 'sum_var')}) / {rows}"
    return Rewriting(least, most, estimate, std, pieces=pieces(tally, *wanted))


def _determined(tally: Tally, lo: str, hi: str, rows: str) -> tuple[str, str]:
    """Round outward, but give what the plain query gives if there is only one possible sum."""
    whole = tally.arithmetic is Arithmetic.WHOLE
    ends = []
    for number, up in ((lo, False), (hi, True)):
        plain = quotient(number, rows)
        rough = whole_quotient(number, rows, up=up) if whole else nudged(plain, up=up)
        ends.append(f"CASE WHEN {lo} = {hi} THEN {plain} ELSE {rough} END")
    return ends[0], ends[1]


def _uncertain_number(tally: Tally) -> Rewriting:
    low, high = f"{tally.label}_avg_low", f"{tally.label}_avg_high"
    wanted = ["rows", "count_lo", "count_hi", "sum_lo", "sum_hi"]
    rows, count_lo, count_hi, sum_lo, sum_hi = (b(tally, name) for name in wanted)
    same = f"{count_lo} = {count_hi} AND {sum_lo} = {sum_hi}"
    if tally.arithmetic is Arithmetic.DOUBLE:
        wanted.append("largest")
        largest = b(tally, "largest")
        lo = nudged(f"({widened(f'{low}.q', rows, largest, up=False)})", up=False)
        hi = nudged(f"({widened(f'{high}.q', rows, largest, up=True)})", up=True)
    else:
        lo = f"CASE WHEN {same} THEN {low}.q ELSE {low}.outward END"
        hi = f"CASE WHEN {same} THEN {high}.q ELSE {high}.outward END"
    estimate, std = UNKNOWN, UNKNOWN
    if tally.has("sum_mean"):
        # Where the number is certain after all, so is what the average is the mean of.
        wanted += ["sum_mean", "sum_var"]
        certain = f"CASE WHEN {count_lo} = {count_hi} AND {count_lo} > 0 THEN"
        estimate = f"{certain} {quotient(b(tally, 'sum_mean'), count_lo)} END"
        std = f"{certain} SQRT({b(tally, 'sum_var')}) / {count_lo} END"
    return Rewriting(
        lo, hi, estimate, std,
        count_lo=count_lo,
        pieces=pieces(tally, *wanted),
        relations={
            f"{low}_values": tally.contributions(high=False),
            f"{low}_runs": _runs(tally, f"{low}_values", "ASC"),
            f"{high}_values": tally.contributions(high=True),
            f"{high}_runs": _runs(tally, f"{high}_values", "DESC"),
        },
        parts={
            low: _best(tally, f"{low}_runs", high=False),
            high: _best(tally, f"{high}_runs", high=True),
        },
    )  # fmt: skip


def _runs(tally: Tally, values: str, order: str) -> str:
    """Sums and numbers of the sure values and the first possible ones, for each number of them."""
    within = f"PARTITION BY {', '.join(tally.keys)} " if tally.keys else ""
    sequence = (
        f"({within}ORDER BY CASE WHEN certain THEN 0 ELSE 1 END, v {order} "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    )
    listed = "".join(f"{key}, " for key in tally.keys)
    return (
        f"SELECT {listed}SUM(v) OVER {sequence} AS s, ROW_NUMBER() OVER {sequence} AS j, "
        f"COUNT(CASE WHEN certain THEN 1 END) OVER ({within.strip()}) AS c FROM {values}"
    )


def _best(tally: Tally, runs: str, *, high: bool) -> str:
    """The best average, as doubles divide and rounded outward."""
    listed = "".join(f"{key}, " for key in tally.keys)
    grouped = f" GROUP BY {', '.join(tally.keys)}" if tally.keys else ""
    best = "MAX" if high else "MIN"
    plain = quotient("s", "j")
    whole = tally.arithmetic is Arithmetic.WHOLE
    outward = whole_quotient("s", "j", up=high) if whole else nudged(plain, up=high)
    return (
        f"SELECT {listed}{best}({plain}) AS q, {best}({outward}) AS outward FROM {runs} "
        f"WHERE j >= c{grouped}"
    )


def rewrite_count_distinct(tally: Tally) -> Rewriting:
    """Bounds of ``COUNT(DISTINCT …)``; of no row it is 0."""
    draws = tally.draws(None)
    if draws is None:
        lo, hi = (f"COALESCE({b(tally, name)}, 0)" for name in ("distinct_lo", "distinct_hi"))
        return Rewriting(lo, hi, pieces=pieces(tally, "distinct_lo", "distinct_hi"))
    part = f"{tally.label}_distinct"
    names = {
        name: f"{part}_{name}" for name in ("draws", "cells", "copies", "kinds", "groups", "odds")
    }
    return Rewriting(
        f"COALESCE({part}.lo, 0)",
        f"COALESCE({part}.hi, 0)",
        f"{part}.mean",
        pieces=pieces(tally, "rows"),
        relations={
            names["draws"]: draws,
            names["cells"]: _cells(tally, names["draws"]),
            names["copies"]: _copies(tally, names["cells"]),
            names["kinds"]: _kinds(tally, names["copies"]),
            names["groups"]: _groups(tally, names["kinds"]),
            names["odds"]: _odds(tally, names["cells"]),
        },
        parts={part: _together(tally, names)},
    )


def _listed(tally: Tally, alias: str = "") -> str:
    return "".join(f"{alias}{key}, " for key in tally.keys)


def _cells(tally: Tally, draws: str) -> str:
    """Cells with the size of their group, and which copy of its value each is."""
    return (
        f"SELECT {_listed(tally)}g, h, v, COUNT(*) OVER (PARTITION BY {_listed(tally)}g) AS n, "
        f"COUNT(v) OVER (PARTITION BY {_listed(tally)}g) AS m, "
        f"ROW_NUMBER() OVER (PARTITION BY {_listed(tally)}g, v ORDER BY v) AS nth FROM {draws}"
    )


def _copies(tally: Tally, cells: str) -> str:
    """Values of each group, how often they occur, and how many draws NULL cannot take up."""
    return (
        f"SELECT {_listed(tally)}g, v, MIN(h) AS h, MIN(h) - MIN(n) + MIN(m) AS filled, "
        f"COUNT(*) AS copies FROM {cells} WHERE v IS NOT NULL GROUP BY {_listed(tally)}g, v"
    )


def _kinds(tally: Tally, copies: str) -> str:
    """Values with the copies of more frequent ones in their group, and whether others have it."""
    return (
        f"SELECT {_listed(tally)}g, v, h, filled, SUM(copies) OVER (PARTITION BY {_listed(tally)}g "
        "ORDER BY copies DESC, v ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - copies AS "
        f"ahead, COUNT(*) OVER (PARTITION BY {_listed(tally)}v) AS holders FROM {copies}"
    )


def _groups(tally: Tally, kinds: str) -> str:
    return (
        f"SELECT {_listed(tally)}g, COUNT(CASE WHEN ahead < filled THEN 1 END) AS few, "
        "LEAST(MIN(h), COUNT(*)) AS many, COUNT(CASE WHEN holders > 1 THEN 1 END) AS shared "
        f"FROM {kinds} GROUP BY {_listed(tally)}g"
    )


def _odds(tally: Tally, cells: str) -> str:
    """Probability that a value occurs among the draws."""
    left = "n - h - nth + 1"
    return (
        f"SELECT {_listed(tally)}v, CASE WHEN MIN({left}) <= 0 THEN 1 ELSE 1 - EXP(SUM(CASE WHEN "
        f"{left} > 0 THEN LN(CAST({left} AS DOUBLE) / (n - nth + 1)) END)) END AS p "
        f"FROM {cells} WHERE v IS NOT NULL GROUP BY {_listed(tally)}v"
    )


def _together(tally: Tally, names: dict[str, str]) -> str:
    grouped = f" GROUP BY {', '.join(tally.keys)}" if tally.keys else ""
    sides = (
        f"SELECT {_listed(tally)}GREATEST(MAX(few), SUM(GREATEST(few - shared, 0))) AS lo, "
        f"SUM(many) AS hi FROM {names['groups']}{grouped}"
    )
    values = f"SELECT {_listed(tally)}COUNT(*) AS d, SUM(p) AS mean FROM {names['odds']}{grouped}"
    same = " AND ".join(f"s.{key} IS NOT DISTINCT FROM d.{key}" for key in tally.keys)
    join = f"JOIN ({values}) AS d ON {same}" if same else f"CROSS JOIN ({values}) AS d"
    return (
        f"SELECT {_listed(tally, 's.')}s.lo AS lo, LEAST(s.hi, d.d) AS hi, d.mean AS mean "
        f"FROM ({sides}) AS s {join}"
    )


def with_odds(tally: Tally, rule: Rewriting, name: str) -> Rewriting:
    """Add mean and standard deviation to the bounds of ``min`` or ``max``."""
    lowest = name == "min"
    end = "min_hi" if lowest else "max_lo"
    draws = tally.draws(name)
    if draws is None or tally.arithmetic is Arithmetic.ORDERED:
        return rule
    part = f"{tally.label}_{name}_odds"
    mean, square = f"{part}.mean", f"{part}.square"
    return replace(
        rule,
        estimate=f"{b(tally, end)} + {mean}",
        std=f"SQRT(GREATEST({square} - {mean} * {mean}, 0))",
        relations={
            f"{part}_draws": draws,
            f"{part}_steps": _steps(tally, f"{part}_draws", lowest),
            f"{part}_left": _left(tally, f"{part}_steps", lowest),
        },
        parts={part: _moments_of_extreme(tally, f"{part}_left")},
    )


def _steps(tally: Tally, draws: str, lowest: bool) -> str:
    """Each value with how much likelier it makes that all drawn cells are beyond it."""
    order = "ASC" if lowest else "DESC"
    cells = (
        f"SELECT {_listed(tally)}g, h, v, edge, "
        f"COUNT(*) OVER (PARTITION BY {_listed(tally)}g) AS n, "
        f"ROW_NUMBER() OVER (PARTITION BY {_listed(tally)}g ORDER BY v {order} NULLS LAST) AS r "
        f"FROM {draws}"
    )
    return (
        f"SELECT {_listed(tally)}g, r, CAST(v - edge AS DOUBLE) AS x, "
        "CASE WHEN n - r + 1 > h THEN LN(CAST(n - r + 1 - h AS DOUBLE) / (n - r + 1)) END AS l, "
        "CASE WHEN n - r + 1 > h THEN 0 ELSE 1 END AS past "
        f"FROM ({cells}) AS c WHERE v {'<=' if lowest else '>='} edge"
    )


def _left(tally: Tally, steps: str, lowest: bool) -> str:
    within = f"PARTITION BY {', '.join(tally.keys)} " if tally.keys else ""
    order = "ASC" if lowest else "DESC"
    walk = f"({within}ORDER BY x {order}, g, r ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    return (
        f"SELECT {_listed(tally)}x, g, r, CASE WHEN MAX(past) OVER {walk} = 1 THEN 0 "
        f"ELSE EXP(SUM(l) OVER {walk}) END AS p, ROW_NUMBER() OVER {walk} AS place FROM {steps}"
    )


def _moments_of_extreme(tally: Tally, left: str) -> str:
    within = f"PARTITION BY {', '.join(tally.keys)} " if tally.keys else ""
    grouped = f" GROUP BY {', '.join(tally.keys)}" if tally.keys else ""
    lost = f"COALESCE(LAG(p) OVER ({within}ORDER BY place), 1) - p"
    return (
        f"SELECT {_listed(tally)}SUM(x * d) AS mean, SUM(x * x * d) AS square "
        f"FROM (SELECT {_listed(tally)}x, {lost} AS d FROM {left}) AS c{grouped}"
    )


def extreme(tally: Tally, name: str) -> Rewriting:
    """Bounds of ``min`` or ``max``."""
    wanted = [f"{name}_lo", f"{name}_hi", *([] if tally.sure else ["count_lo"])]
    return Rewriting(
        b(tally, f"{name}_lo"),
        b(tally, f"{name}_hi"),
        count_lo=None if tally.sure else b(tally, "count_lo"),
        pieces=pieces(tally, *wanted),
    )


def rewrite_max(tally: Tally) -> Rewriting:
    """Bounds of ``MAX``."""
    return with_odds(tally, extreme(tally, "max"), "max")


def rewrite_min(tally: Tally) -> Rewriting:
    """Bounds of ``MIN``."""
    return with_odds(tally, extreme(tally, "min"), "min")


RULES: Mapping[str, Callable[[Tally], Rewriting]] = {
    "sum": rewrite_sum,
    "avg": rewrite_avg,
    "min": rewrite_min,
    "max": rewrite_max,
    "count": rewrite_count,
    "count_star": rewrite_count_star,
    "count_distinct": rewrite_count_distinct,
}


def rewrite(function: str, tally: Tally) -> Rewriting:
    """Rewrite one aggregate."""
    return RULES[function](tally)
