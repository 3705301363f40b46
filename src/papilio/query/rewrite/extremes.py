"""What ``MIN`` and ``MAX`` share: bounds from the pieces of the tally.

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
"""

from __future__ import annotations

from dataclasses import replace

from papilio.query.rewrite.tally import Arithmetic, Rewriting, Tally, b, pieces


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
        parts={part: _moments(tally, f"{part}_left")},
    )


def _listed(tally: Tally) -> str:
    return "".join(f"{key}, " for key in tally.keys)


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


def _moments(tally: Tally, left: str) -> str:
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
