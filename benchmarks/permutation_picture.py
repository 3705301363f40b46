"""Errors of averages, figure by figure, as small plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from pictures import COLOURS

#: What is on the axis of each figure.
_AXES = {
    "Figure 2.2": "rows selected", "Figure 2.3": "span of ages", "Figure 2.4": "rows selected",
    "Figure 2.5": "span of ages", "Figure 2.6": "rows selected", "Figure 2.7": "span of ages",
    "Figure 2.8": "noise", "Figure 2.9": "k", "Figure 2.10": "e",
}  # fmt: skip


def error_lines(rows: Sequence[dict[str, Any]]) -> alt.TopLevelMixin:
    """One plot a figure, one line an algorithm.

    Parameters
    ----------
    rows
        Each with ``figure``, ``algorithm``, ``at`` and ``error``.
    """
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    figures = dict.fromkeys(row["figure"] for row in rows)
    return alt.concat(*(_one(rows, figure, names) for figure in figures), columns=3, spacing=28)


def _one(rows: Sequence[dict[str, Any]], figure: str, names: Sequence[str]) -> alt.Chart:
    legend = alt.Legend(title=None, orient="bottom", columns=5, labelLimit=260, symbolSize=90)
    colours = [*COLOURS, "#8a5a00", "#000000"][: len(names)]
    return (
        alt.Chart(
            alt.Data(values=[row for row in rows if row["figure"] == figure]),
            title=figure,
            width=230,
            height=170,
        )
        .mark_line(point=alt.OverlayMarkDef(size=22), strokeWidth=1.8)
        .encode(
            x=alt.X("at:Q", title=_AXES[figure]),
            y=alt.Y(
                "error:Q",
                title="width of the bounds / average",
                scale=alt.Scale(type="symlog", constant=0.1),
                axis=alt.Axis(format="~%", tickCount=5),
            ),
            color=alt.Color(
                "algorithm:N",
                sort=list(names),
                scale=alt.Scale(domain=list(names), range=colours),
                legend=legend,
            ),
        )
    )
