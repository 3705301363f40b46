"""A masked neighbourhood: entities of a group, its nodes, and the nodes they are linked to."""

from __future__ import annotations

from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.report.charts.style import AFTER, BEFORE, INK, MARK, MUTED
from papilio.report.charts.svg import to_svg
from papilio.report.graph_content import Neighbourhood

_HEIGHT = 320
_HUES = (AFTER, MARK, "#6a4c93", "#4d7c0f", "#1d4e89", "#9d174d", "#7c5e10", "#3f3f46")

Row = dict[str, Any]


def neighbourhood_chart(shown: Neighbourhood, *, width: int) -> Markup:
    """Draw entities, nodes and neighbours in three columns."""
    entities = _column(0.0, shown.nodes)
    nodes = _column(1.0, shown.nodes)
    others = _column(2.0, len(shown.groups))
    named = [{**at, "text": str(group)} for at, group in zip(others, shown.groups, strict=True)]
    doubt = [_line(a, b) for a in entities for b in nodes]
    links = [_line(nodes[x], others[y]) for x, y in shown.edges]
    layers: list[Any] = [
        _lines(doubt).mark_rule(color=BEFORE, strokeWidth=0.7, strokeDash=[2, 3]),
        _lines(links).mark_rule(color=MUTED, strokeWidth=1.2),
        _points(entities).mark_point(filled=True, size=110, color=INK, opacity=1, shape="square"),
        _points(nodes).mark_point(filled=True, size=110, color=BEFORE, opacity=1, stroke=INK),
        *(
            _points([at]).mark_point(
                filled=True, size=150, opacity=1, color=_HUES[(group - 1) % len(_HUES)]
            )
            for at, group in zip(others, shown.groups, strict=True)
        ),
        _points(named)
        .mark_text(align="left", dx=12, color=MUTED, fontSize=11)
        .encode(text="text:N"),
        _heads(shown),
    ]
    chart = alt.layer(*layers).properties(width=min(width, 760), height=_HEIGHT)
    description = (
        f"{shown.nodes} of {shown.entities} entities of a group of '{shown.near}', its nodes, and "
        f"{len(shown.groups)} nodes of '{shown.far}' linked to them. Any entity may be any node."
    )
    return to_svg(chart, title="A masked neighbourhood", description=description)


def _column(x: float, count: int) -> list[Row]:
    return [{"x": x, "y": 1 - (place + 0.5) / count} for place in range(count)]


def _line(one: Row, other: Row) -> Row:
    return {"x": one["x"], "y": one["y"], "x2": other["x"], "y2": other["y"]}


def _x() -> alt.X:
    return alt.X("x:Q", axis=None).scale(domain=[-0.25, 2.35], nice=False)


def _y() -> alt.Y:
    return alt.Y("y:Q", axis=None).scale(domain=[0, 1.12], nice=False)


def _lines(rows: list[Row]) -> alt.Chart:
    return alt.Chart(alt.InlineData(rows)).encode(_x(), _y(), x2="x2", y2="y2")


def _points(rows: list[Row]) -> alt.Chart:
    return alt.Chart(alt.InlineData(rows)).encode(_x(), _y())


def _heads(shown: Neighbourhood) -> alt.Chart:
    texts = (
        f"entities of {shown.near}",
        "nodes of their group",
        f"nodes of {shown.far}, with their group",
    )
    rows = [{"x": float(place), "y": 1.08, "text": text} for place, text in enumerate(texts)]
    chart = _points(rows).mark_text(color=INK, fontSize=12, fontWeight="bold")
    named: alt.Chart = chart.encode(text="text:N")
    return named
