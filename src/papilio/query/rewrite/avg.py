"""``AVG``: the bounds of the sum over the number of values, if that is certain.

If it is not, because of NULL or because rows only may match, the smallest average is that of the
sure values together with the i smallest possible ones, for the best i: for a given number of
values the smallest sum is that of the smallest values, so no choice does better. Tight, and sound.
Source: dissertation, section 2.5.1; the case of uncertain numbers is not in it.
"""

from __future__ import annotations

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
