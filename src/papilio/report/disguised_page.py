"""The page on a disguised release: content to one self-contained HTML file."""

from __future__ import annotations

from papilio.report.charts.loss_by_distance import loss_by_distance
from papilio.report.charts.three_distributions import three_distributions
from papilio.report.disguised_content import DisguisedContent
from papilio.report.page import fill

#: Width of a picture across the page.
_WIDE = 940


def render_disguised(content: DisguisedContent) -> str:
    """Write the page; it needs no network and runs no script. Cost: two pictures."""
    return fill(
        "disguised.html.j2",
        content,
        distributions=three_distributions(content, width=_WIDE),
        losses=loss_by_distance(content, width=_WIDE),
    )
