"""An answer as a picture in the style of reports: bounds, the estimate, and the truth if known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.svg import AFTER, FIT, INK, MARK, distinct_labels, to_svg
from papilio.document.text import plural, significant


@dataclass(frozen=True)
class AnswerBar:
    """Bounds of an aggregate in one group; all numbers.

    Attributes
    ----------
    group
        The group in words.
    lo, hi
        The bounds.
    estimate, truth
        Where they are known.
    """

    group: str
    lo: float
    hi: float
    estimate: float | None = None
    truth: float | None = None


def answer_bars_chart(bars: Sequence[AnswerBar], name: str, *, width: int) -> Markup:
    """Draw a line from bound to bound per group, a dot at the estimate, a diamond at the truth.

    Parameters
    ----------
    bars
        At least one.
    name
        What is aggregated.
    width
        Of the picture.
    """
    labels = distinct_labels([bar.group for bar in bars])
    data = alt.InlineData(
        [
            {"group": label, "lo": b.lo, "hi": b.hi, "estimate": b.estimate, "truth": b.truth}
            for label, b in zip(labels, bars, strict=True)
        ]
    )
    y = alt.Y("group:N", sort=None, title=None).axis(labelColor=INK, labelFontSize=12)
    base = alt.Chart(data).encode(y)
    x = alt.X("lo:Q", title=name).scale(zero=False, nice=True, padding=14).axis(tickCount=6)
    lines = base.mark_rule(color=AFTER, strokeWidth=2.5).encode(x, x2="hi")
    ends = [
        base.mark_tick(color=AFTER, thickness=2.5, size=13).encode(alt.X(f"{end}:Q", title=name))
        for end in ("lo", "hi")
    ]
    layers: list[Any] = [lines, *ends]
    layers.append(_points(base, "estimate", name, {"color": AFTER, "size": 70}))
    if any(bar.truth is not None for bar in bars):
        layers.append(_points(base, "truth", name, {"color": MARK, "size": 75, "shape": "diamond"}))
    chart = alt.layer(*layers).properties(width=width, height=alt.Step(30), autosize=FIT)
    return to_svg(chart, title=f"Bounds of {name}", description=describe(bars))


def _points(base: alt.Chart, column: str, name: str, mark: dict[str, Any]) -> Any:
    shown = base.transform_filter(f"isValid(datum.{column})").mark_point(
        filled=True, opacity=1, **mark
    )
    return shown.encode(alt.X(f"{column}:Q", title=name))


def describe(bars: Sequence[AnswerBar]) -> str:
    """Say in a sentence what the picture shows."""
    first = bars[0]
    return (
        f"{plural(len(bars), 'group', 'groups')}. {first.group}: between {significant(first.lo)} "
        f"and {significant(first.hi)}."
    )
