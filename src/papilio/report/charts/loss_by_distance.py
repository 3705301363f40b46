"""What following a target loses, against how far it is from the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.report.charts.style import AFTER, MARK
from papilio.report.charts.svg import to_svg
from papilio.report.disguised_content import DisguisedContent, Point
from papilio.report.number_text import percentage


def loss_by_distance(content: DisguisedContent, *, width: int) -> Markup:
    """Draw a line for targets between the data and the one chosen, and a dot for each group."""
    x = alt.X("distance:Q", title="distance of the target from the data").axis(
        format="~%", tickCount=6
    )
    y = alt.Y("loss:Q", title="average range, share of the domain").axis(format="~%", tickCount=5)
    line = alt.Chart(_data(content.curve)).mark_line(
        color=AFTER, strokeWidth=1.6, point=alt.OverlayMarkDef(color=AFTER, size=22)
    )
    dots = alt.Chart(_data(content.points)).mark_point(
        color=MARK, filled=True, size=60, opacity=0.7
    )
    chart = alt.layer(line.encode(x, y), dots.encode(x, y)).properties(
        width=width, height=240, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
    return to_svg(chart, title="Loss and distance of the target", description=describe(content))


def describe(content: DisguisedContent) -> str:
    """Say in a sentence what the picture shows."""
    last = content.curve[-1]
    return (
        f"As one group, the table would lose {percentage(last.loss)} for a target "
        f"{percentage(last.distance)} away from it; the release loses {percentage(content.loss)}."
    )


def _data(points: Sequence[Point]) -> Any:
    return alt.InlineData([{"distance": each.distance, "loss": each.loss} for each in points])
