"""A measure over what varies, one line per method."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
from markupsafe import Markup

from papilio.document.charts.svg import FIT, INK, to_svg
from papilio.document.text import percentage, plain_number, significant

_IMPROVED = "+improve"
#: Values further apart than this hardly show on one linear axis.
_WIDE = 10
#: How far an axis of bars goes beyond the longest.
_ROOM = 1.2
#: Colours and marks of lines, apart from each other also for colour-blind readers.
_LOOKS = (
    ("#0f6b75", "circle"),
    ("#b3541e", "square"),
    ("#4456a6", "triangle-up"),
    ("#8a6d00", "diamond"),
    ("#7d3c78", "triangle-down"),
    ("#5c6b7a", "cross"),
)


@dataclass(frozen=True)
class Point:
    """What one method, or variant of it, has at one value of what varies."""

    method: str
    at: float
    value: float
    best: bool = False


@dataclass(frozen=True)
class Axis:
    """What is drawn.

    Attributes
    ----------
    name
        Its name.
    title
        What stands on the axis.
    share
        Whether it is a share, to be written in per cent.
    stretch
        Whether a logarithmic axis may tell apart what lies far below the largest value.
    """

    name: str
    title: str
    share: bool = False
    stretch: bool = False


def trade_off_chart(
    points: Sequence[Point],
    axis: Axis,
    *,
    width: int,
    height: int,
    reference: float | None = None,
    along: str = "k",
) -> Markup:
    """Draw lines over what varies, or bars if it has one value only; the best have a star.

    Parameters
    ----------
    points
        What is drawn, in the order of the methods.
    axis
        What it is.
    width, height
        Size of the picture; bars have a height of their own.
    reference
        Where a dotted line runs across.
    along
        What varies.
    """
    several = len({point.at for point in points}) > 1
    drawn = (
        _lines(points, axis, reference, along).properties(height=height)
        if several
        else _bars(points, axis, reference)
    )
    return to_svg(
        drawn.properties(width=width, autosize=FIT),
        title=f"{axis.name} over {along}" if several else axis.name,
        description=describe(points, axis, along),
    )


def describe(points: Sequence[Point], axis: Axis, along: str = "k") -> str:
    """Say in a sentence what the picture shows."""
    write = percentage if axis.share else significant
    methods = dict.fromkeys(point.method for point in points)
    told = [
        f"{method}: "
        + ", ".join(
            f"{write(p.value)} at {along} = {plain_number(p.at)}"
            for p in points
            if p.method == method
        )
        for method in methods
    ]
    return "; ".join(told) + "."


def looks_of(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Colour and mark of each line; the improvement of a method has those of the method."""
    plain = list(dict.fromkeys(_plain(name) for name in names))
    return {name: _LOOKS[plain.index(_plain(name)) % len(_LOOKS)] for name in names}


def _plain(name: str) -> str:
    return name.replace(_IMPROVED, "")


def is_dashed(method: str) -> bool:
    """Whether a method is drawn with dashes, which is how the improvement shows."""
    return _IMPROVED in method


def _lines(points: Sequence[Point], axis: Axis, reference: float | None, along: str) -> Any:
    data = alt.InlineData([_datum(point) for point in points])
    places = sorted({point.at for point in points})
    # Sizes grow by factors; what may be nothing cannot.
    scale: Literal["log", "linear"] = "log" if places[0] > 0 else "linear"
    x = (
        alt.X("at:Q", title=along)
        .scale(type=scale, domain=[places[0], places[-1]], nice=False, padding=12)
        .axis(values=places, format=",~g", grid=False, labelOverlap="greedy")
    )
    y = _height(points, axis, reference)
    colour, shape = _scales(points)
    base = alt.Chart(data).encode(x, y, colour)
    dash = alt.StrokeDash("improved:N", legend=None).scale(
        domain=[False, True], range=[[1, 0], [5, 3]]
    )
    lines = base.mark_line(strokeWidth=2, strokeCap="butt").encode(dash, detail="method:N")
    marks = base.mark_point(filled=True, size=46, opacity=1).encode(shape)
    layers = [lines, marks]
    starred = [_datum(point) for point in points if point.best]
    if starred:
        stars = alt.Chart(alt.InlineData(starred)).encode(x, y)
        layers.append(stars.mark_text(text="★", dy=-11, fontSize=13, color=INK))
    if reference is not None:
        across = alt.Chart(alt.InlineData([{"value": reference}])).encode(y)
        layers.insert(0, across.mark_rule(color=INK, strokeDash=[2, 3]))
    return alt.layer(*layers)


def _height(points: Sequence[Point], axis: Axis, reference: float | None) -> alt.Y:
    values = [point.value for point in points] + ([] if reference is None else [reference])
    y = alt.Y("value:Q", title=axis.title)
    if not axis.stretch or min(values) <= 0 or max(values) / min(values) <= _WIDE:
        return y.scale(zero=True).axis(format=_format(axis), tickCount=5)
    marks = round_marks(min(values), max(values))
    scale = y.scale(type="log", domain=[marks[0], marks[-1]], nice=False)
    return scale.axis(format=_format(axis), values=marks)


def round_marks(low: float, high: float) -> list[float]:
    """Round numbers that enclose a range, for a logarithmic axis: 1, 2, 5, 10, or 1, 10, 100."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if last - first <= 2 else (1,)
    # Logarithms are rounded, so one power more on each side; text gives the nearest float.
    powers = range(first - 1, last + 2)
    marks = [float(f"{digit}e{power}") for power in powers for digit in digits]
    begin = max(place for place, mark in enumerate(marks) if mark <= low)
    end = min(place for place, mark in enumerate(marks) if mark >= high)
    return marks[begin : end + 1]


def _bars(points: Sequence[Point], axis: Axis, reference: float | None) -> Any:
    write = percentage if axis.share else significant
    data = alt.InlineData([{**_datum(p), "text": write(p.value) + " ★" * p.best} for p in points])
    y = alt.Y("method:N", sort=None, title=None).axis(labelColor=INK, labelFontSize=12)
    # Room for the numbers beside the bars.
    end = _ROOM * max(point.value for point in points) or 1.0
    x = (
        alt.X("value:Q", title=axis.title)
        .scale(domain=[0, end], nice=False)
        .axis(format=_format(axis), tickCount=5)
    )
    colour, _ = _scales(points)
    base = alt.Chart(data).encode(x, y)
    bars = base.mark_bar(height=13).encode(colour)
    text = base.mark_text(align="left", dx=5, color=INK, fontSize=11).encode(text="text:N")
    if reference is None:
        return alt.layer(bars, text).properties(height=alt.Step(25))
    across = alt.Chart(alt.InlineData([{"value": reference}])).encode(x)
    rule = across.mark_rule(color=INK, strokeDash=[2, 3])
    return alt.layer(bars, text, rule).properties(height=alt.Step(25))


def _scales(points: Sequence[Point]) -> tuple[alt.Color, alt.Shape]:
    methods = list(dict.fromkeys(point.method for point in points))
    looks = looks_of(methods).values()
    colour = alt.Color("method:N", legend=None).scale(
        domain=methods, range=[colour for colour, _ in looks]
    )
    shape = alt.Shape("method:N", legend=None).scale(
        domain=methods, range=[shape for _, shape in looks]
    )
    return colour, shape


def _datum(point: Point) -> dict[str, Any]:
    return {
        "method": point.method,
        "improved": is_dashed(point.method),
        "at": point.at,
        "value": point.value,
    }


def _format(axis: Axis) -> str:
    return "~%" if axis.share else "~g"
