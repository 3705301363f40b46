"""Drawings of a disguised release: three distributions, and what following a target loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.style import AFTER, BEFORE, MARK
from papilio.document.charts.svg import FIT, distinct_labels, to_svg
from papilio.document.text import percentage
from papilio.families.disguise.facts import DisguisedFacts, Point

_NAMES = ("source", "target", "published")


def three_distributions(facts: DisguisedFacts, *, width: int) -> Markup:
    """Draw bars for the source, a line for the target and dots for what is published."""
    names = distinct_labels([each.label for each in facts.bins])
    values = [
        {"bin": name, "what": what, "share": getattr(each, what)}
        for name, each in zip(names, facts.bins, strict=True)
        for what in _NAMES
    ]
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=list(_NAMES), range=[BEFORE, MARK, AFTER]),
        legend=alt.Legend(title=None, orient="top"),
    )
    x = alt.X("bin:N", sort=None, title=facts.sensitive).axis(
        labelAngle=-45, labelOverlap=True, grid=False
    )
    y = alt.Y("share:Q", title="share").axis(format="~%", tickCount=5)
    bars = _chart(values, "source").mark_bar().encode(x, y, colour)
    line = _chart(values, "target").mark_line(interpolate="step", strokeWidth=1.6)
    dots = _chart(values, "published").mark_point(filled=True, size=34, opacity=1)
    chart = alt.layer(bars, line.encode(x, y, colour), dots.encode(x, y, colour)).properties(
        width=width, height=240, autosize=FIT
    )
    return to_svg(
        chart,
        title=f"{facts.sensitive}: three distributions",
        description=describe_distributions(facts),
    )


def describe_distributions(facts: DisguisedFacts) -> str:
    """Say in a sentence what the picture shows."""
    return (
        f"The data is {percentage(facts.distance)} away from the target, what is published "
        f"{percentage(facts.published_distance)} (total variation)."
    )


def _chart(values: list[dict[str, Any]], what: str) -> Any:
    return alt.Chart(alt.InlineData([each for each in values if each["what"] == what]))


def loss_by_distance(facts: DisguisedFacts, *, width: int) -> Markup:
    """Draw a line for targets between the data and the one chosen, and a dot for each group."""
    x = alt.X("distance:Q", title="distance of the target from the data").axis(
        format="~%", tickCount=6
    )
    y = alt.Y("loss:Q", title="average range, share of the domain").axis(format="~%", tickCount=5)
    line = alt.Chart(_points(facts.curve)).mark_line(
        color=AFTER, strokeWidth=1.6, point=alt.OverlayMarkDef(color=AFTER, size=22)
    )
    dots = alt.Chart(_points(facts.points)).mark_point(
        color=MARK, filled=True, size=60, opacity=0.7
    )
    chart = alt.layer(line.encode(x, y), dots.encode(x, y)).properties(
        width=width, height=240, autosize=FIT
    )
    return to_svg(
        chart, title="Loss and distance of the target", description=describe_losses(facts)
    )


def describe_losses(facts: DisguisedFacts) -> str:
    """Say in a sentence what the picture shows."""
    last = facts.curve[-1]
    return (
        f"As one group, the table would lose {percentage(last.loss)} for a target "
        f"{percentage(last.distance)} away from it; the release loses {percentage(facts.loss)}."
    )


def _points(points: Sequence[Point]) -> Any:
    return alt.InlineData([{"distance": each.distance, "loss": each.loss} for each in points])
