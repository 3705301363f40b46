"""Which rule rewrites which aggregate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from papilio.query.rewrite.avg import rewrite_avg
from papilio.query.rewrite.count import rewrite_count, rewrite_count_star
from papilio.query.rewrite.count_distinct import rewrite_count_distinct
from papilio.query.rewrite.extremes import rewrite_max, rewrite_min
from papilio.query.rewrite.sum import rewrite_sum
from papilio.query.rewrite.tally import Rewriting, Tally

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
