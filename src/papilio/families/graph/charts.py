"""Drawings of a released graph: a masked neighbourhood, belief in links, and counts."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
from markupsafe import Markup

from papilio.attack.learned_links import Conclusion
from papilio.document.charts.style import AFTER, BEFORE, INK, MARK, MUTED
from papilio.document.charts.svg import FIT, to_svg, whole_ticks
from papilio.document.text import count as number
from papilio.document.text import percentage, shown
from papilio.families.graph.facts import CountBar, Neighbourhood

_KINDS = ("allowed", "links of others", "links of those learnt about")
_WIDEST_BAR = 60
_HEIGHT = 320
_HUES = (AFTER, MARK, "#6a4c93", "#4d7c0f", "#1d4e89", "#9d174d", "#7c5e10", "#3f3f46")

Row = dict[str, Any]


def neighbourhood_chart(near: Neighbourhood, *, width: int) -> Markup:
    """Draw entities, nodes and neighbours in three columns."""
    entities = _column(0.0, near.nodes)
    nodes = _column(1.0, near.nodes)
    others = _column(2.0, len(near.groups))
    named = [{**at, "text": str(group)} for at, group in zip(others, near.groups, strict=True)]
    doubt = [_line(a, b) for a in entities for b in nodes]
    links = [_line(nodes[x], others[y]) for x, y in near.edges]
    layers: list[Any] = [
        _lines(doubt).mark_rule(color=BEFORE, strokeWidth=0.7, strokeDash=[2, 3]),
        _lines(links).mark_rule(color=MUTED, strokeWidth=1.2),
        _points(entities).mark_point(filled=True, size=110, color=INK, opacity=1, shape="square"),
        _points(nodes).mark_point(filled=True, size=110, color=BEFORE, opacity=1, stroke=INK),
        *(
            _points([at]).mark_point(
                filled=True, size=150, opacity=1, color=_HUES[(group - 1) % len(_HUES)]
            )
            for at, group in zip(others, near.groups, strict=True)
        ),
        _points(named)
        .mark_text(align="left", dx=12, color=MUTED, fontSize=11)
        .encode(text="text:N"),
        *_heads(near),
    ]
    chart = alt.layer(*layers).properties(width=min(width, 760), height=_HEIGHT)
    description = (
        f"{near.nodes} of {near.entities} entities of a group of '{near.near}', its nodes, and "
        f"{len(near.groups)} nodes of '{near.far}' linked to them. Any entity may be any node."
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


def _heads(near: Neighbourhood) -> list[alt.Chart]:
    """What stands in the columns; the outer ones begin and end where the picture does."""
    heads: tuple[tuple[float, Literal["left", "center", "right"], str], ...] = (
        (-0.25, "left", f"entities of {shown(near.near, 24)}"),
        (1.0, "center", "nodes of their group"),
        (2.35, "right", f"nodes of {shown(near.far, 24)}, with their group"),
    )
    style: dict[str, Any] = {"color": INK, "fontSize": 12, "fontWeight": "bold"}
    return [
        _points([{"x": x, "y": 1.08, "text": text}])
        .mark_text(align=align, **style)
        .encode(text="text:N")
        for x, align, text in heads
    ]


def link_risk_chart(
    strongest: float, bound: float, learnt: tuple[Conclusion, ...], *, width: int
) -> Markup:
    """Draw a bar per number of learnt links for what is allowed and what was found."""
    rows = [{"learnt": "0", "kind": _KINDS[0], "belief": bound}]
    rows.append({"learnt": "0", "kind": _KINDS[1], "belief": strongest})
    for each in learnt:
        found = (each.bound, each.untouched, each.touched)
        rows += [
            {"learnt": str(each.learnt), "kind": kind, "belief": belief}
            for kind, belief in zip(_KINDS, found, strict=True)
            if belief is not None
        ]
    chart = (
        alt.Chart(alt.InlineData(rows))
        .mark_bar()
        .encode(
            alt.X("learnt:O", title="links the attacker knows", sort=None).axis(labelAngle=0),
            alt.Y("belief:Q", title="strongest belief").axis(format="~%").scale(domain=[0, 1]),
            alt.Color(
                "kind:N",
                scale=alt.Scale(domain=list(_KINDS), range=[BEFORE, AFTER, MARK]),
                legend=None,
            ),
            xOffset=alt.XOffset("kind:N", sort=list(_KINDS)),
        )
        .properties(width=min(width, 620), height=190, autosize=FIT)
    )
    description = f"Without any learnt link the strongest belief is {percentage(strongest)}."
    return to_svg(chart, title="Belief by learnt links", description=description)


def count_bars_chart(
    bars: tuple[CountBar, ...], *, title: str, axis: str, things: str, width: int
) -> Markup:
    """Draw one bar per label.

    Parameters
    ----------
    bars
        What is counted.
    title
        What the picture shows, for readers who cannot see it.
    axis, things
        What the labels are, and what is counted.
    width
        Of the picture.
    """
    data = alt.InlineData([{"label": bar.label, "n": bar.count} for bar in bars])
    x = alt.X("label:O", sort=None, title=axis).axis(labelAngle=0, labelOverlap="greedy")
    y = alt.Y("n:Q", title=things).axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(max(bar.count for bar in bars))
    )
    fitting = min(width, 100 + _WIDEST_BAR * len(bars))
    chart = alt.Chart(data).mark_bar(color=AFTER).encode(x, y)
    most = max(bars, key=lambda bar: bar.count)
    description = (
        f"{number(sum(bar.count for bar in bars))} {things}; most, {number(most.count)}, have "
        f"{most.label}."
    )
    sized = chart.properties(width=fitting, height=190, autosize=FIT)
    return to_svg(sized, title=title, description=description)
