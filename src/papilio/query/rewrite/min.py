"""``MIN``: from the smallest value that is possible to the smallest of what is sure.

Groups without hits take no part (papers D2.13). If nothing is sure, the smallest value may be as
large as the largest possible one, or NULL. Tight.
"""

from __future__ import annotations

from papilio.query.rewrite.extremes import extreme
from papilio.query.rewrite.odds import with_odds
from papilio.query.rewrite.rewriting import Rewriting
from papilio.query.rewrite.tally import Tally


def rewrite_min(tally: Tally) -> Rewriting:
    """Bounds of ``MIN``."""
    return with_odds(tally, extreme(tally, "min"), "min")
