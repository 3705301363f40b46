"""Lines over the size of the task, as SVG that goes into the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import vl_convert
from markupsafe import Markup

from page.plan import FOLLOWED
from papilio.document.charts.svg import CONFIG, INK
from pictures import COLOURS

WIDTH, HEIGHT = 300, 190
#: Yardsticks are drawn in this way.
YARDSTICKS = ("Polars sort", "Polars group-by")
_GREY = "#a9b4bf"


@dataclass(frozen=True)
class Axis:
    """What an axis shows.

    Attributes
    ----------
    title
        Written beside it.
    logarithmic
        Whether equal steps are equal factors.
    form
        How numbers are written.
    """

    title: str
    logarithmic: bool = False
    form: str = "~g"


def lines(points: Sequence[dict[str, Any]], across: Axis, up: Axis, description: str) -> Markup:
    """Draw one line per name.

    Parameters
    ----------
    points
        Each with ``name``, ``x`` and ``y``.
    across, up
        The axes.
    description
        For those who do not see it.
    """
    names = list(dict.fromkeys(point["name"] for point in points))
    dashes = [[5, 3] if name in YARDSTICKS else [1, 0] for name in names]
    scale = {"domain": names, "range": _colours(names)}
    chart = (
        alt.Chart(alt.Data(values=list(points)), width=WIDTH, height=HEIGHT)
        .mark_line(point=alt.OverlayMarkDef(size=26), strokeWidth=1.8)
        .encode(
            x=alt.X("x:Q", **_scaled(across, sorted({point["x"] for point in points}))),
            y=alt.Y("y:Q", **_scaled(up, None)),
            color=alt.Color(
                "name:N",
                sort=names,
                scale=alt.Scale(**scale),
                legend=alt.Legend(title=None, orient="bottom", columns=2, symbolSize=90),
            ),
            strokeDash=alt.StrokeDash(
                "name:N", sort=names, scale=alt.Scale(domain=names, range=dashes), legend=None
            ),
        )
    )
    return _svg(chart, description)


def _colours(names: Sequence[str]) -> list[str]:
    """Colours that a name has in all drawings; grey ones are kept for yardsticks."""
    others = iter(COLOURS[-1:-5:-1])
    known = dict(zip(YARDSTICKS, (COLOURS[0], _GREY), strict=True)) | {
        name: next(others) for name in FOLLOWED
    }
    return [known[name] if name in known else next(others) for name in names]


def _scaled(axis: Axis, values: Sequence[float] | None) -> dict[str, Any]:
    scale: dict[str, Any] = {"type": "log"} if axis.logarithmic else {"zero": values is None}
    marks: dict[str, Any] = {"format": axis.form, "labelAngle": 0, "tickCount": 5}
    if values is not None:
        # Marks at the points themselves, and nothing beyond them.
        scale |= {"nice": False, "padding": 12}
        marks["values"] = list(values)
    return {"title": axis.title, "scale": alt.Scale(**scale), "axis": alt.Axis(**marks)}


def _svg(chart: alt.Chart, description: str) -> Markup:
    look = {"background": None, "legend": {"labelFontSize": 11, "labelColor": INK}}
    spec = {**chart.to_dict(), "config": {**CONFIG, **look}, "description": description}
    text = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return Markup(text[text.index("<svg") :])
