"""The page on a projected release."""

from __future__ import annotations

from papilio.report.charts.dependency_graph import colour_of_table, dependency_graph
from papilio.report.charts.plan_curve import plan_curve
from papilio.report.page import fill
from papilio.report.projected import ProjectedContent

_WIDE = 940


def render_projected(content: ProjectedContent) -> str:
    """Write the page; what is true of :func:`papilio.report.page.render` is true of it."""
    allowed = (content.allowed.association_loss, content.allowed.exposure)
    return fill(
        "projected.html.j2",
        content,
        graph=dependency_graph(
            content.known.names, content.known.information, content.plan, width=_WIDE
        ),
        curve=plan_curve(
            [(each.association_loss, each.exposure) for each in content.front],
            [(each.association_loss, each.exposure) for each in content.greedy],
            (content.association_loss, content.exposure),
            allowed,
            width=_WIDE,
        ),
        colours=[colour_of_table(number) for number in range(len(content.tables))],
    )
