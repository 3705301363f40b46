"""``SUM``: the sums of what is sure and of what can make it smallest or largest.

Lower bound: sure values, and possible ones that are negative; upper bound alike. SQL's SUM of no
value is NULL, not 0: if nothing is sure and nothing that is possible makes the sum smaller than 0,
the least sum that is not NULL is the smallest value. Tight: each bound is reached. Source:
dissertation, section 2.5.1 (there without NULL); mean and variance as docs/papers.md has them.
"""

from __future__ import annotations

from papilio.query.rewrite.tally import UNKNOWN, Arithmetic, Rewriting, Tally, b, pieces, widened


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
