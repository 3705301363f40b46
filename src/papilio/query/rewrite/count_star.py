"""``COUNT(*)`` where it is not exact: the rows that must match, and those that may besides."""

from __future__ import annotations

from papilio.query.rewrite.rewriting import Rewriting
from papilio.query.rewrite.tally import Tally, b, pieces


def rewrite_count_star(tally: Tally) -> Rewriting:
    """Bounds of ``COUNT(*)``; of no row it is 0."""
    lo, hi = (f"COALESCE({b(tally, name)}, 0)" for name in ("rows_lo", "rows"))
    return Rewriting(lo, hi, pieces=pieces(tally, "rows_lo", "rows"))
