"""One picture for each figure of the butterfly paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from pictures import COLOURS, save_picture

IMAGES = Path(__file__).parents[1] / "docs" / "images"
_METHODS = ["union", "butterfly"]
_KINDS = ["union, common", "union, own", "butterfly, common", "butterfly, own"]
_SHADES = ["#5c6b7a", "#b9c3cd", "#0072b2", "#8cc4e8"]


def draw(
    run: Callable[[Any], Any],
    ks: Sequence[int],
    sizes: Sequence[int],
    losses: Mapping[str, tuple[str, Mapping[object, Any]]],
    with_common: Callable[..., Any],
    with_together: Callable[[int], Any],
    together: Sequence[int],
) -> None:
    """Draw Figures 5 to 14 from runs that were made already."""
    by_k = [(n, k, run(with_common(n, k))) for n in (2, 3) for k in ks]
    shares = [_point(k, f"{n} common", 100 * o.share) for n, k, o in by_k]
    _save("5", "rows in butterflies, %", _lines(shares, "k", ["2 common", "3 common"]))
    rates = [_point(k, f"{n} common", o.counters.success_rate) for n, k, o in by_k]
    _save("6", "success rate of built butterflies", _lines(rates, "k", ["2 common", "3 common"]))
    for figure, (what, settings) in losses.items():
        bars = [bar for value, each in settings.items() for bar in _bars(value, run(each))]
        _save(figure, "loss, in thousands", _stacks(bars, what, sorted(settings, key=float)))
    times = [p for k in ks for p in _times(k, run(with_common(3, k)))]
    _save("11", "processor seconds", _lines(times, "k", _METHODS))
    growth = [p for n in sizes for p in _times(n // 1000, run(with_common(3, ks[-1], n)))]
    _save("12", "processor seconds", _lines(growth, "thousand rows", _METHODS))
    last = [_point(n, "butterfly", 100 * run(with_together(n)).share) for n in together]
    _save("14", "rows in butterflies, %", _lines(last, "k'", ["butterfly"]))


def _point(x: int, series: str, value: float) -> dict[str, Any]:
    return {"x": x, "series": series, "value": round(value, 4)}


def _times(x: int, found: Any) -> list[dict[str, Any]]:
    return [_point(x, "union", found.union_seconds), _point(x, "butterfly", found.seconds)]


def _bars(x: object, found: Any) -> list[dict[str, Any]]:
    values = (*found.union, *found.butterfly)
    return [
        {"x": x, "series": kind, "method": kind.split(",")[0], "value": round(value / 1e3, 1)}
        for kind, value in zip(_KINDS, values, strict=True)
    ]


def _lines(points: list[dict[str, Any]], what: str, names: list[str]) -> alt.Chart:
    return (
        alt.Chart(alt.Data(values=points), width=300, height=180)
        .mark_line(point=alt.OverlayMarkDef(size=24), strokeWidth=1.8)
        .encode(
            x=alt.X("x:O", title=what, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=True)),
            color=_colour(names, COLOURS),
        )
    )


def _stacks(bars: list[dict[str, Any]], what: str, order: list[Any]) -> alt.Chart:
    return (
        alt.Chart(alt.Data(values=bars), width=300, height=180)
        .mark_bar()
        .encode(
            x=alt.X("x:O", title=what, sort=order, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("method:N", sort=_METHODS),
            y=alt.Y("value:Q", title=None, stack="zero"),
            order=alt.Order("series:N"),
            color=_colour(_KINDS, _SHADES),
        )
    )


def _colour(names: list[str], colours: Sequence[str]) -> alt.Color:
    scale = alt.Scale(domain=names, range=list(colours[: len(names)]))
    legend = alt.Legend(title=None, orient="bottom", columns=2)
    return alt.Color("series:N", sort=names, scale=scale, legend=legend)


def _save(figure: str, what: str, chart: alt.Chart) -> None:
    titled = chart.properties(title=f"Figure {figure}: {what}")
    description = f"Figure {figure} of the butterfly paper on Census-Income: {what}"
    save_picture(titled, IMAGES / f"butterfly_{figure}.svg", description)
