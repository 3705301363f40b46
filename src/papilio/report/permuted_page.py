"""The page on a permuted release: content to one self-contained HTML file."""

from __future__ import annotations

from papilio.report.charts.histogram import histogram_chart
from papilio.report.page import fill
from papilio.report.permuted_content import PermutedContent

#: Width of a picture across the page.
_WIDE = 940


def render_permuted(content: PermutedContent) -> str:
    """Write the page; it needs no network and runs no script. Cost: three pictures."""
    pictures = {
        name: histogram_chart(getattr(content, name), width=_WIDE)
        for name in ("sizes", "widths", "values")
    }
    return fill("permuted.html.j2", content, pictures=pictures)
