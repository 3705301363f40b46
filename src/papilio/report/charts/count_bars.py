"""Bars of counts with labels of their own."""

from __future__ import annotations

import altair as alt
from markupsafe import Markup

from papilio.report.charts.style import AFTER
from papilio.report.charts.svg import to_svg
from papilio.report.graph_content import CountBar
from papilio.report.number_text import count

_FIT = alt.AutoSizeParams(type="fit-x", contains="padding")
_WIDEST_BAR = 60


def count_bars_chart(
    bars: tuple[CountBar, ...], *, title: str, axis: str, things: str, width: int
) -> Markup:
    """Draw one bar per label.

    Parameters
    ----------
    bars
        What is counted.
    title
        What the picture shows, for readers who cannot see it.
    axis, things
        What the labels are, and what is counted.
    width
        Of the picture.
    """
    data = alt.InlineData([{"label": bar.label, "n": bar.count} for bar in bars])
    x = alt.X("label:O", sort=None, title=axis).axis(labelAngle=0, labelOverlap="greedy")
    y = alt.Y("n:Q", title=things).axis(format=",d", tickMinStep=1, tickCount=5)
    fitting = min(width, 100 + _WIDEST_BAR * len(bars))
    chart = alt.Chart(data).mark_bar(color=AFTER).encode(x, y)
    most = max(bars, key=lambda bar: bar.count)
    description = (
        f"{count(sum(bar.count for bar in bars))} {things}; most, {count(most.count)}, have "
        f"{most.label}."
    )
    sized = chart.properties(width=fitting, height=190, autosize=_FIT)
    return to_svg(sized, title=title, description=description)
