"""What plans lose against what they expose, with the chosen plan and the limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.style import AFTER, BEFORE, INK, MARK
from papilio.document.charts.svg import FIT, to_svg
from papilio.document.text import percentage

#: A plan as (association loss, exposure).
Ratios = tuple[float, float]


def plan_curve(
    front: Sequence[Ratios],
    greedy: Sequence[Ratios],
    chosen: Ratios,
    limits: tuple[float | None, float | None],
    *,
    width: int,
) -> Markup:
    """Draw the front of all plans, the plans of greedy merging, and the plan of the release.

    Parameters
    ----------
    front
        Plans that no other beats in both ratios; empty if there are too many columns.
    greedy
        Plans that CODIP* passes through.
    chosen
        The plan of the release.
    limits
        Largest association loss and exposure that the policy allows.
    width
        Width of the picture.
    """
    x = alt.X("loss:Q", title="association loss", scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("exposed:Q", title="exposure", scale=alt.Scale(domain=[0, 1]))
    x, y = x.axis(format="~%", tickCount=5), y.axis(format="~%", tickCount=5)
    layers: list[Any] = _rules(limits)
    steps = sorted(front)
    line = alt.Chart(_data(steps)).mark_line(color=AFTER, interpolate="step-after", strokeWidth=1.6)
    small = alt.Chart(_data(steps)).mark_point(color=AFTER, filled=True, size=9, opacity=1)
    hollow = alt.Chart(_data(greedy)).mark_point(color=INK, size=60, shape="diamond", opacity=0.8)
    marked = alt.Chart(_data([chosen])).mark_point(color=MARK, filled=True, size=130, opacity=1)
    layers += [each.encode(x, y) for each in (line, small, hollow, marked)]
    chart = alt.layer(*layers).properties(width=width, height=300, autosize=FIT)
    return to_svg(chart, title="Loss and exposure of plans", description=describe(front, chosen))


def _data(points: Sequence[Ratios]) -> alt.InlineData:
    return alt.InlineData([{"loss": loss, "exposed": exposed} for loss, exposed in points])


def _rules(limits: tuple[float | None, float | None]) -> list[Any]:
    loss, exposed = limits
    rules: list[Any] = []
    style: dict[str, Any] = {"color": BEFORE, "strokeDash": [5, 4], "strokeWidth": 1.4}
    if loss is not None:
        rules.append(alt.Chart(_data([(loss, 0.0)])).mark_rule(**style).encode(x="loss:Q"))
    if exposed is not None:
        rules.append(alt.Chart(_data([(0.0, exposed)])).mark_rule(**style).encode(y="exposed:Q"))
    return rules


def describe(front: Sequence[Ratios], chosen: Ratios) -> str:
    """Say in a sentence what the picture shows."""
    loss, exposed = map(percentage, chosen)
    beside = f"; {len(front)} plans are not beaten by any other" if front else ""
    return f"The plan of this release loses {loss} and exposes {exposed}{beside}."
