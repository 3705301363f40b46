"""The page on a released graph: content to one self-contained HTML file."""

from __future__ import annotations

from markupsafe import Markup

from papilio.report.charts.count_bars import count_bars_chart
from papilio.report.charts.link_risk import link_risk_chart
from papilio.report.charts.neighbourhood import neighbourhood_chart
from papilio.report.graph_content import GraphContent, GraphSide
from papilio.report.page import fill

#: Width of a picture across the page, and of one of two beside each other.
_WIDE, _NARROW = 940, 440


def render_graph(content: GraphContent) -> str:
    """Write the page; it needs no network and runs no script. Cost: six pictures."""
    return fill(
        "graph.html.j2",
        content,
        degrees=[_degrees(side) for side in content.sides],
        sizes=[_sizes(side) for side in content.sides],
        risk=link_risk_chart(content.strongest, content.bound, content.learnt, width=_WIDE),
        neighbourhood=_neighbourhood(content),
    )


def _degrees(side: GraphSide) -> Markup:
    title = f"Links of {side.name}"
    return count_bars_chart(
        side.degrees, title=title, axis="links", things=f"nodes of {side.name}", width=_NARROW
    )


def _sizes(side: GraphSide) -> Markup:
    title = f"Groups of {side.name}"
    return count_bars_chart(
        side.sizes, title=title, axis="nodes in the group", things="groups", width=_NARROW
    )


def _neighbourhood(content: GraphContent) -> Markup | None:
    if content.neighbourhood is None:
        return None
    return neighbourhood_chart(content.neighbourhood, width=_WIDE)
