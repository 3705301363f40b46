"""Sensitive columns as a graph: what they say of each other, and which go into one table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from papilio.document.charts.svg import BEFORE, INK, distinct_labels, to_svg
from papilio.document.text import percentage

#: Colours of tables, over and over again if there are more (Okabe and Ito, darkened).
COLOURS = ["#0f6b75", "#b3541e", "#4456a6", "#8a6d00", "#7d3c78", "#2f7d4f", "#a12622", "#5c6b7a"]
#: Edges with less than this share of the strongest one are not drawn.
_FAINT = 0.02
_WIDEST = 9.0


def colour_of_table(number: int) -> str:
    """Colour of a table, counted from 0."""
    return COLOURS[number % len(COLOURS)]


def dependency_graph(
    names: Sequence[str],
    information: NDArray[np.float64],
    plan: Sequence[Sequence[int]],
    *,
    width: int,
) -> Markup:
    """Draw columns on a circle, those of one table beside each other in one colour.

    Parameters
    ----------
    names
        The columns.
    information
        Mutual information of each pair; the wider an edge, the more. Edges inside a table have its
        colour, edges between tables are grey and broken: they are lost.
    plan
        Numbers of the columns of each table.
    width
        Width of the picture.
    """
    places = _places(plan)
    table_of = {column: number for number, table in enumerate(plan) for column in table}
    edges = _edges(information, places, table_of)
    nodes = _nodes(distinct_labels(list(names), 26), places, table_of)
    axis: dict[str, Any] = {"axis": None, "scale": alt.Scale(domain=[-1.75, 1.75])}
    tall: dict[str, Any] = {"axis": None, "scale": alt.Scale(domain=[-1.22, 1.22])}
    x, y = alt.X("x:Q", **axis), alt.Y("y:Q", **tall)
    layers: list[Any] = []
    for dashes, lost in (([4, 3], True), ([1, 0], False)):
        data = alt.InlineData([edge for edge in edges if edge["lost"] is lost])
        layers.append(
            alt.Chart(data)
            .mark_rule(strokeDash=dashes, opacity=0.75, strokeCap="round")
            .encode(
                x,
                y,
                x2="x2",
                y2="y2",
                color=alt.Color("colour:N", scale=None),
                strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            )
        )
    points = alt.Chart(alt.InlineData(nodes)).mark_point(size=190, filled=True, opacity=1)
    layers.append(points.encode(x, y, color=alt.Color("colour:N", scale=None)))
    for align in ("left", "right", "center"):
        data = alt.InlineData([node for node in nodes if node["align"] == align])
        text = alt.Chart(data).mark_text(align=align, baseline="middle", color=INK, fontSize=12)
        layers.append(text.encode(alt.X("tx:Q", **axis), alt.Y("ty:Q", **tall), text="name:N"))
    chart = alt.layer(*layers).properties(width=width, height=round(width * 1.22 / 1.75))
    return to_svg(chart, title="Dependency graph", description=describe(names, information, plan))


def _places(plan: Sequence[Sequence[int]]) -> dict[int, tuple[float, float]]:
    order = [column for table in plan for column in table]
    angles = {c: math.pi / 2 - 2 * math.pi * place / len(order) for place, c in enumerate(order)}
    return {column: (math.cos(angle), math.sin(angle)) for column, angle in angles.items()}


def _edges(
    information: NDArray[np.float64],
    places: dict[int, tuple[float, float]],
    table_of: dict[int, int],
) -> list[dict[str, Any]]:
    most = float(information.max(initial=0.0))
    pairs = [(i, j) for i in places for j in places if i < j]
    return [
        {
            "x": places[i][0],
            "y": places[i][1],
            "x2": places[j][0],
            "y2": places[j][1],
            "width": 0.6 + _WIDEST * float(information[i, j]) / most,
            "lost": table_of[i] != table_of[j],
            "colour": BEFORE if table_of[i] != table_of[j] else colour_of_table(table_of[i]),
        }
        for i, j in pairs
        if most > 0 and information[i, j] > _FAINT * most
    ]


def _nodes(
    names: list[str], places: dict[int, tuple[float, float]], table_of: dict[int, int]
) -> list[dict[str, Any]]:
    def side(x: float) -> str:
        return "center" if abs(x) < 0.1 else "left" if x > 0 else "right"

    return [
        {
            "x": x,
            "y": y,
            "tx": x * 1.07,
            "ty": y * (1.13 if side(x) == "center" else 1.07),
            "name": names[column],
            "align": side(x),
            "colour": colour_of_table(table_of[column]),
        }
        for column, (x, y) in places.items()
    ]


def describe(
    names: Sequence[str], information: NDArray[np.float64], plan: Sequence[Sequence[int]]
) -> str:
    """Say in sentences what the picture shows."""
    tables = "; ".join(", ".join(names[column] for column in table) for table in plan)
    upper = np.triu(information, 1)
    if not upper.any():
        return f"No two columns depend on each other. Tables: {tables}."
    i, j = np.unravel_index(int(upper.argmax()), upper.shape)
    share = percentage(float(upper.max() / upper.sum()))
    return (
        f"Tables: {tables}. Most dependent on each other are {names[int(i)]} and {names[int(j)]}, "
        f"with {share} of all mutual information."
    )
