"""How many people are in classes of which size, before and after."""

from __future__ import annotations

import altair as alt
from markupsafe import Markup

from papilio.report.charts.style import AFTER, BEFORE
from papilio.report.charts.svg import to_svg
from papilio.report.number_text import count
from papilio.report.risk import BandBar

_FIT = alt.AutoSizeParams(type="fit-x", contains="padding")
_WHEN = ("original", "release")


def risk_bands_chart(bars: list[BandBar], *, width: int) -> Markup:
    """Draw people by the size of their class: the further right, the harder to find."""
    data = alt.InlineData(
        [
            {"size": bar.label, "when": when, "people": number}
            for bar in bars
            for when, number in zip(_WHEN, (bar.before, bar.after), strict=True)
        ]
    )
    x = alt.X("size:O", sort=None, title="rows that look alike").axis(labelAngle=0)
    y = alt.Y("people:Q", title="people").axis(format=",d", tickMinStep=1, tickCount=5)
    colour = alt.Color("when:N", legend=None).scale(domain=list(_WHEN), range=[BEFORE, AFTER])
    shift = alt.XOffset("when:N", sort=list(_WHEN))
    chart = alt.Chart(data).mark_bar().encode(x, y, colour, shift)
    sized = chart.properties(width=width, height=190, autosize=_FIT)
    return to_svg(sized, title="People by the size of their class", description=describe(bars))


def describe(bars: list[BandBar]) -> str:
    """Say in a sentence what the picture shows."""
    said = [f"{bar.label}: {count(bar.before)} and {count(bar.after)}" for bar in bars]
    return f"People in the original and in the release by rows that look alike: {'; '.join(said)}."
