"""A column before and after."""

from __future__ import annotations

from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.style import AFTER, BEFORE, INK
from papilio.document.charts.svg import FIT, distinct_labels, to_svg
from papilio.document.text import percentage
from papilio.families.one_table.distributions import Bar, Distribution


def distribution_chart(distribution: Distribution, *, width: int) -> Markup:
    """Draw pairs of bars for labels, a histogram under a line for bins."""
    draw = _labels if distribution.axis == "label" else _bins
    chart = draw(distribution).properties(width=width, autosize=FIT)
    return to_svg(
        chart, title=f"{distribution.column} before and after", description=describe(distribution)
    )


def describe(distribution: Distribution) -> str:
    """Say in a sentence what the picture shows."""
    most = max(distribution.bars, key=lambda bar: bar.before)
    return (
        f"Shares of rows before and after; {percentage(distribution.moved)} of the rows lie "
        f"elsewhere. Most frequent before: {most.label}, {percentage(most.before)} before and "
        f"{percentage(most.after)} after."
    )


def _labels(distribution: Distribution) -> Any:
    names = distinct_labels([bar.label for bar in distribution.bars])
    values = [
        {"label": name, "when": when, "share": share}
        for name, bar in zip(names, distribution.bars, strict=True)
        for when, share in (("before", bar.before), ("after", bar.after))
    ]
    colour = alt.Scale(domain=["before", "after"], range=[BEFORE, AFTER])
    return (
        alt.Chart(alt.InlineData(values), height=alt.Step(21, **{"for": "position"}))
        .mark_bar()
        .encode(
            alt.Y("label:N", sort=None, title=None)
            .axis(labelColor=INK)
            .scale(paddingInner=0.3, paddingOuter=0.15),
            alt.X("share:Q", title="share of rows", stack=False).axis(format="~%", tickCount=5),
            alt.Color("when:N", scale=colour, legend=None),
            yOffset=alt.YOffset("when:N", sort=["before", "after"]).scale(paddingInner=0.05),
        )
    )


def _bins(distribution: Distribution) -> Any:
    bars = [bar for bar in distribution.bars if bar.low is not None and bar.high is not None]
    x = _axis(distribution).axis(grid=False, tickCount=8)
    y = alt.Y("share:Q", title="share of rows").axis(format="~%", tickCount=5)
    before = alt.InlineData([_point(bar, bar.before) for bar in bars])
    end = {"low": bars[-1].high, "share": bars[-1].after}
    after = alt.InlineData([*(_point(bar, bar.after) for bar in bars), end])
    histogram = alt.Chart(before).mark_bar(color=BEFORE, binSpacing=1, cornerRadiusEnd=0)
    area = alt.Chart(after).mark_area(color=AFTER, opacity=0.12, interpolate="step-after")
    line = alt.Chart(after).mark_line(color=AFTER, strokeWidth=1.8, interpolate="step-after")
    return alt.layer(
        histogram.encode(x, y, x2="high", y2=alt.datum(0)), area.encode(x, y), line.encode(x, y)
    ).properties(height=190)


def _axis(distribution: Distribution) -> alt.X:
    if distribution.axis == "date":
        return alt.X("low:T", title=distribution.column).scale(type="utc", nice=False)
    return alt.X("low:Q", title=distribution.column).scale(zero=False, nice=False)


def _point(bar: Bar, share: float) -> dict[str, Any]:
    return {"low": bar.low, "high": bar.high, "share": share}
