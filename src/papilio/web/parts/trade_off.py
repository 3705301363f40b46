"""Loss against privacy: a chart whose points can be opened, by mouse and by keyboard."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nicegui import ui

_WIDTH, _HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 26, 18, 58
#: Colours of lines, apart from each other also for colour-blind readers.
_COLOURS = ("#0f6b75", "#b3541e", "#4456a6", "#8a6d00", "#7d3c78", "#5c6b7a")
_RELEASE = "#16202c"


@dataclass(frozen=True)
class Point:
    """A point of the chart.

    Attributes
    ----------
    series
        Its line; empty for a release that exists.
    x, y
        Where it is; ``y`` is a share.
    words
        What it is, also for readers who cannot see it.
    open
        What a click does.
    best
        Whether it is better than others, and has a star.
    """

    series: str
    x: float
    y: float
    words: str
    open: Callable[[], object]
    best: bool = False


def trade_off(points: Sequence[Point], parameter: str, loss: str) -> None:
    """Draw lines of points, and releases as diamonds.

    Parameters
    ----------
    points
        At least one.
    parameter
        What runs along the chart, on a logarithmic axis unless it may be 0.
    loss
        What runs upwards, in words.
    """
    scale = _Scale(points)
    colours = colours_of(points)
    with ui.element("div").classes("drawing"), ui.element("svg").classes("trade-off") as svg:
        svg.props["viewBox"] = f"0 0 {_WIDTH} {_HEIGHT}"
        svg.props["role"] = "group"
        svg.props["aria-label"] = f"Loss over {parameter}; every point can be opened"
        _inner("g", "".join(_axes(scale, parameter, loss)))
        _inner("g", "".join(_line(points, name, scale, c) for name, c in colours.items()))
        for point in points:
            _mark(point, scale, colours.get(point.series, _RELEASE))
    legend(colours, releases=any(not point.series for point in points))


def colours_of(points: Sequence[Point]) -> dict[str, str]:
    """Colour of each line."""
    names = dict.fromkeys(point.series for point in points if point.series)
    return {name: _COLOURS[place % len(_COLOURS)] for place, name in enumerate(names)}


def legend(colours: dict[str, str], *, releases: bool) -> None:
    """Name the lines."""
    with ui.element("p").classes("legend"):
        for name, colour in colours.items():
            ui.element("span").classes("swatch").style(f"background: {colour}")
            ui.label(name)
        if releases:
            ui.element("span").classes("swatch diamond").style(f"background: {_RELEASE}")
            ui.label("releases of this project")


class _Scale:
    """From values to places in the picture."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._log = all(point.x > 0 for point in points)
        self.values = sorted({point.x for point in points})
        ends = [self._along(self.values[0]), self._along(self.values[-1])]
        self._first, self._length = ends[0], (ends[1] - ends[0]) or 1.0
        self._alone = ends[0] == ends[1]
        self.top = _round_up(max(point.y for point in points))

    def _along(self, value: float) -> float:
        return math.log(value) if self._log else value

    def x(self, value: float) -> float:
        """Place along the chart."""
        share = 0.5 if self._alone else (self._along(value) - self._first) / self._length
        return round(_LEFT + 18 + share * (_WIDTH - _LEFT - _RIGHT - 36), 1)

    def y(self, value: float) -> float:
        """Place from the top."""
        return round(_HEIGHT - _BOTTOM - value / self.top * (_HEIGHT - _TOP - _BOTTOM), 1)


def _round_up(most: float) -> float:
    """A round number that is not smaller, so that five steps to it are round too."""
    for top in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75):
        if most <= top:
            return top
    return 1.0


def _axes(scale: _Scale, parameter: str, loss: str) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for step in range(6):
        value = scale.top * step / 5
        y = scale.y(value)
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}" stroke="#e6ebf0"/>'
        yield _text(_LEFT - 8, y + 4, f"{value * 100:g}%", "end")
    for value in scale.values:
        yield _text(scale.x(value), bottom + 20, f"{value:g}", "middle")
    yield _text((_LEFT + right) / 2, _HEIGHT - 10, parameter, "middle")
    middle = (_TOP + bottom) / 2
    yield (
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle" '
        f'font-size="12" fill="#526175">{html.escape(loss)}</text>'
    )


def _text(x: float, y: float, said: str, anchor: str) -> str:
    place = f'x="{x}" y="{y}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" fill="#526175">{html.escape(said)}</text>'


def _line(points: Sequence[Point], name: str, scale: _Scale, colour: str) -> str:
    inside = sorted((p for p in points if p.series == name), key=lambda point: point.x)
    places = " ".join(f"{scale.x(p.x)},{scale.y(p.y)}" for p in inside)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _mark(point: Point, scale: _Scale, colour: str) -> None:
    x, y = scale.x(point.x), scale.y(point.y)
    mark = ui.element("g").classes("point")
    mark.props["tabindex"] = 0
    mark.props["role"] = "button"
    mark.props["aria-label"] = f"Open {point.words}"
    shape = (
        f'<circle cx="{x}" cy="{y}" r="6.5" fill="{colour}" stroke="#fff" stroke-width="2"/>'
        if point.series
        else f'<path d="M{x} {y - 10}l10 10l-10 10l-10 -10z" fill="{colour}" stroke="#fff" '
        'stroke-width="2"/>'
    )
    if point.best:
        shape += f'<text x="{x}" y="{y - 11}" text-anchor="middle" font-size="15">★</text>'
    # The area around a point is easier to hit than the point.
    hit = f'<circle cx="{x}" cy="{y}" r="15" fill="transparent"/>'
    mark.props["innerHTML"] = f"<title>{html.escape(point.words)}</title>{hit}{shape}"
    mark.on("click", point.open)
    mark.on("keydown.enter", point.open)
    mark.on("keydown.space", point.open)


def _inner(tag: str, markup: str) -> None:
    element = ui.element(tag)
    element.props["innerHTML"] = markup
    element.props["aria-hidden"] = "true"
