"""How much of each column is lost."""

from __future__ import annotations

import altair as alt
from markupsafe import Markup

from papilio.document.charts.style import AFTER, INK
from papilio.document.charts.svg import FIT, distinct_labels, to_svg
from papilio.document.text import percentage
from papilio.measure.ncp import Ncp


def loss_chart(loss: Ncp, *, width: int) -> Markup:
    """Draw a bar per column, the largest loss first."""
    losses = sorted(loss.per_column.items(), key=lambda item: -item[1])
    names = distinct_labels([name for name, _ in losses])
    values = [
        {"column": name, "loss": share, "text": percentage(share)}
        for name, (_, share) in zip(names, losses, strict=True)
    ]
    y = alt.Y("column:N", sort=None, title=None).axis(labelColor=INK, labelFontSize=12)
    x = alt.X(
        "loss:Q", title="share of the column’s domain that an average cell covers", stack=False
    )
    axis = x.scale(domain=[0, 1]).axis(format="~%", tickCount=5)
    base = alt.Chart(alt.InlineData(values)).encode(axis, y)
    bars = base.mark_bar(color=AFTER, height=13)
    text = base.mark_text(align="left", dx=5, color=INK, fontSize=11).encode(text="text:N")
    chart = alt.layer(bars, text).properties(
        width=width,
        height=alt.Step(25),
        autosize=FIT,
    )
    described = ", ".join(f"{name} {percentage(share)}" for name, share in losses)
    return to_svg(chart, title="Loss per column", description=f"Bar chart: {described}.")
