"""What ``MIN`` and ``MAX`` share: bounds from the pieces of the tally."""

from __future__ import annotations

from papilio.query.rewrite.rewriting import Rewriting
from papilio.query.rewrite.tally import Tally, b, pieces


def extreme(tally: Tally, name: str) -> Rewriting:
    """Bounds of ``min`` or ``max``."""
    wanted = [f"{name}_lo", f"{name}_hi", *([] if tally.sure else ["count_lo"])]
    return Rewriting(
        b(tally, f"{name}_lo"),
        b(tally, f"{name}_hi"),
        count_lo=None if tally.sure else b(tally, "count_lo"),
        pieces=pieces(tally, *wanted),
    )
