"""How often numbers occur, with what is demanded marked."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
from markupsafe import Markup

from papilio.document.charts.style import AFTER, MARK
from papilio.document.charts.svg import FIT, to_svg, whole_ticks
from papilio.document.text import count, plain_number


@dataclass(frozen=True)
class Bar:
    """How many lie between two numbers; without them the label says which."""

    label: str
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Histogram:
    """How a number is distributed.

    Attributes
    ----------
    title
        What is counted, for readers who cannot see the picture.
    axis, things
        What the number is, and what is counted.
    bars
        Counts.
    mark
        A number that is demanded, and how it is called; ``None`` if none is.
    """

    title: str
    axis: str
    things: str
    bars: tuple[Bar, ...]
    mark: tuple[float, str] | None = None


def histogram_chart(histogram: Histogram, *, width: int) -> Markup:
    """Draw a histogram over a number axis."""
    data = alt.InlineData(
        [{"low": bar.low, "high": bar.high, "n": bar.count} for bar in histogram.bars]
    )
    x = alt.X("low:Q", title=histogram.axis).scale(zero=False, nice=False)
    y = alt.Y("n:Q", title=histogram.things).axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(max(bar.count for bar in histogram.bars))
    )
    bars = alt.Chart(data).mark_bar(color=AFTER, binSpacing=1, cornerRadiusEnd=0)
    layers = [
        bars.encode(x.axis(grid=False, tickCount=8), y, x2="high", y2=alt.datum(0)),
        *_mark(histogram),
    ]
    chart = alt.layer(*layers).properties(width=width, height=190, autosize=FIT)
    return to_svg(chart, title=histogram.title, description=describe(histogram))


def _mark(histogram: Histogram) -> list[alt.Chart]:
    if histogram.mark is None:
        return []
    at, name = histogram.mark
    data = alt.InlineData([{"low": at, "text": f"{name} = {plain_number(at)}"}])
    x = alt.X("low:Q", title=histogram.axis)
    rule = alt.Chart(data).mark_rule(color=MARK, strokeDash=[4, 3], strokeWidth=1.5).encode(x)
    label = alt.Chart(data).mark_text(
        color=MARK, align="left", baseline="bottom", dx=4, dy=-3, fontSize=12, fontWeight="bold"
    )
    return [rule, label.encode(x, y=alt.value(0), text="text:N")]


def describe(histogram: Histogram) -> str:
    """Say in a sentence what the picture shows."""
    most = max(histogram.bars, key=lambda bar: bar.count)
    return (
        f"Histogram of {count(sum(bar.count for bar in histogram.bars))} {histogram.things}; "
        f"most, {count(most.count)}, lie at {most.label}."
    )
