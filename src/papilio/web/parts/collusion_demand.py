"""What must hold if recipients put together what they know, on the page."""

from __future__ import annotations

from papilio.web.parts.live import Live
from papilio.web.parts.number_demand import number_demand
from papilio.web.parts.view import View
from papilio.web.words import WORDS


def collusion_demand(view: View, live: Live) -> None:
    """Draw ``privacy.collusion_k``."""
    path = ("privacy", "collusion_k")
    label = "Least number of rows together"
    number_demand(view, live, path, WORDS["collusion"], label, start=2)
