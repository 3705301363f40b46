"""Pictures of measurements, as SVG files for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from papilio.document.charts.svg import AFTER, CONFIG, INK

#: Colours that can be told apart by people who see colours differently (Okabe and Ito).
COLOURS = ["#5c6b7a", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#0072b2", "#d55e00"]
PACKAGES = [AFTER, "#e69f00", "#cc79a7", "#8a5a00"]
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-right"]

Rows = Sequence[dict[str, Any]]


def lines_over_k(
    rows: Rows, measures: Sequence[str], names: Sequence[str], dashed: Sequence[str]
) -> alt.TopLevelMixin:
    """Small multiples: one plot a measure, one line an algorithm, k from left to right.

    Parameters
    ----------
    rows
        Each with ``measure``, ``algorithm``, ``k`` and ``value``.
    measures, names
        In the order in which they appear.
    dashed
        Algorithms drawn with dashes.
    """
    plots = [_one_measure(rows, measure, names, dashed) for measure in measures]
    return alt.concat(*plots, columns=3, spacing=28)


def _one_measure(
    rows: Rows, measure: str, names: Sequence[str], dashed: Sequence[str]
) -> alt.Chart:
    mine = [row for row in rows if row["measure"] == measure]
    dash = [[5, 3] if name in dashed else [1, 0] for name in names]
    return (
        alt.Chart(alt.Data(values=mine), title=measure, width=230, height=170)
        .mark_line(point=alt.OverlayMarkDef(size=22), strokeWidth=1.8)
        .encode(
            x=alt.X("k:O", title="k", axis=alt.Axis(labelAngle=0)),
            y=alt.Y(
                "value:Q",
                title=None,
                scale=alt.Scale(type="log" if _wide(mine) else "linear", zero=False),
                axis=alt.Axis(tickCount=5, format="~s" if _large(mine) else "~g"),
            ),
            color=_colour("algorithm", names, COLOURS),
            strokeDash=alt.StrokeDash(
                "algorithm:N", sort=list(names), scale=alt.Scale(domain=list(names), range=dash)
            ),
        )
    )


def _wide(rows: Rows) -> bool:
    """Whether numbers differ so much that a linear axis would hide the small ones."""
    values = [row["value"] for row in rows]
    return max(values) > 20 * min(values) > 0


def _large(rows: Rows) -> bool:
    return max(row["value"] for row in rows) >= 10_000


def loss_over_seconds(rows: Rows, ks: Sequence[int], names: Sequence[str]) -> alt.TopLevelMixin:
    """One plot for each k: what a package loses against how long it takes; low and left is best.

    Parameters
    ----------
    rows
        Each with ``k``, ``name``, ``seconds`` and ``ncp``.
    ks, names
        In the order in which they appear.
    """
    plots = [_one_k(rows, k, names) for k in ks]
    return alt.concat(*plots, columns=3, spacing=28)


def _one_k(rows: Rows, k: int, names: Sequence[str]) -> alt.Chart:
    mine = [row for row in rows if row["k"] == k]
    looks = package_looks(names)
    return (
        alt.Chart(alt.Data(values=mine), title=f"k = {k}", width=230, height=230)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(
            x=alt.X(
                "seconds:Q",
                title="seconds (logarithmic)",
                scale=alt.Scale(type="log", domain=[0.1, 1000]),
                axis=alt.Axis(values=[0.1, 1, 10, 100, 1000], format="~g"),
            ),
            y=alt.Y(
                "ncp:Q",
                title="NCP (logarithmic)",
                scale=alt.Scale(type="log", domain=[0.02, 1]),
                axis=alt.Axis(values=[0.02, 0.05, 0.1, 0.2, 0.5, 1], format="~g"),
            ),
            color=_colour("name", names, [PACKAGES[place] for place, _ in looks]),
            shape=alt.Shape(
                "name:N",
                sort=list(names),
                scale=alt.Scale(domain=list(names), range=[SHAPES[place] for _, place in looks]),
            ),
        )
    )


def package_looks(names: Sequence[str]) -> list[tuple[int, int]]:
    """Number of each name's package, its first word, and its place among the names of it."""
    packages = [name.split()[0].rstrip(",") for name in names]
    numbers = {package: number for number, package in enumerate(dict.fromkeys(packages))}
    return [
        (numbers[package], packages[:place].count(package))
        for place, package in enumerate(packages)
    ]


def _colour(field: str, names: Sequence[str], colours: Sequence[str]) -> alt.Color:
    legend = alt.Legend(title=None, orient="bottom", columns=4, labelLimit=260, symbolSize=90)
    scale = alt.Scale(domain=list(names), range=list(colours[: len(names)]))
    return alt.Color(f"{field}:N", sort=list(names), scale=scale, legend=legend)


def save_picture(picture: alt.TopLevelMixin, path: Path, description: str) -> None:
    """Write a picture on white, so that it can be read on dark pages too."""
    look = {"background": "white", "title": {"color": INK, "fontSize": 12, "anchor": "start"}}
    legend = {"labelFontSize": 11, "labelColor": INK}
    spec = {
        **picture.to_dict(),
        "config": {**CONFIG, **look, "legend": legend},
        "description": description,
        "padding": 12,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]), encoding="utf-8")
