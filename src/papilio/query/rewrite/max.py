"""``MAX``: from the largest of what is sure to the largest value that is possible.

The mirror image of ``MIN``. Tight.
"""

from __future__ import annotations

from papilio.query.rewrite.extremes import extreme
from papilio.query.rewrite.odds import with_odds
from papilio.query.rewrite.rewriting import Rewriting
from papilio.query.rewrite.tally import Tally


def rewrite_max(tally: Tally) -> Rewriting:
    """Bounds of ``MAX``."""
    return with_odds(tally, extreme(tally, "max"), "max")
