"""Source, target and published distribution of a disguised column in one picture."""

from __future__ import annotations

from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.report.charts.labels import distinct_labels
from papilio.report.charts.style import AFTER, BEFORE, MARK
from papilio.report.charts.svg import to_svg
from papilio.report.disguised_content import DisguisedContent
from papilio.report.number_text import percentage

_NAMES = ("source", "target", "published")


def three_distributions(content: DisguisedContent, *, width: int) -> Markup:
    """Draw bars for the source, a line for the target and dots for what is published."""
    names = distinct_labels([each.label for each in content.bins])
    values = [
        {"bin": name, "what": what, "share": getattr(each, what)}
        for name, each in zip(names, content.bins, strict=True)
        for what in _NAMES
    ]
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=list(_NAMES), range=[BEFORE, MARK, AFTER]),
        legend=alt.Legend(title=None, orient="top"),
    )
    x = alt.X("bin:N", sort=None, title=content.sensitive).axis(
        labelAngle=-45, labelOverlap=True, grid=False
    )
    y = alt.Y("share:Q", title="share").axis(format="~%", tickCount=5)
    bars = _chart(values, "source").mark_bar().encode(x, y, colour)
    line = _chart(values, "target").mark_line(interpolate="step", strokeWidth=1.6)
    dots = _chart(values, "published").mark_point(filled=True, size=34, opacity=1)
    chart = alt.layer(bars, line.encode(x, y, colour), dots.encode(x, y, colour)).properties(
        width=width, height=240, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
    return to_svg(
        chart, title=f"{content.sensitive}: three distributions", description=describe(content)
    )


def describe(content: DisguisedContent) -> str:
    """Say in a sentence what the picture shows."""
    return (
        f"The data is {percentage(content.distance)} away from the target, what is published "
        f"{percentage(content.published_distance)} (total variation)."
    )


def _chart(values: list[dict[str, Any]], what: str) -> Any:
    return alt.Chart(alt.InlineData([each for each in values if each["what"] == what]))
