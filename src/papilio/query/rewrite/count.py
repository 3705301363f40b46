"""``COUNT`` of an expression: how many values are surely, and possibly, not NULL.

In a permuted group of N cells, m of them known, h drawn ones hold a hypergeometric number of known
ones: mean h m / N, variance h (m / N) (1 − m / N) (N − h) / (N − 1).
"""

from __future__ import annotations

from papilio.query.rewrite.tally import Rewriting, Tally, b, pieces


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
