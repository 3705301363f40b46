"""An answer as a picture: a bar from lower to upper bound per group, a dot at the estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from papilio.query.refusal import QueryError

if TYPE_CHECKING:
    from papilio.query.answer import Answer

#: Most groups that are drawn.
_DRAWN = 500


def error_bars(answer: Answer, aggregate: str | None = None) -> alt.LayerChart:
    """Draw the bounds of one aggregate.

    Raises
    ------
    QueryError
        If there is no such aggregate, or so many groups that nothing could be read.
    """
    names = list(dict.fromkeys(line["aggregate"] for line in answer.lines()))
    name = aggregate or (names[0] if names else "")
    if name not in names:
        raise QueryError(
            f"the answer has no aggregate '{name}' to draw; it has {', '.join(names) or 'none'}",
            reason="unknown-aggregate",
        )
    if len(answer.rows) > _DRAWN:
        raise QueryError(
            f"{len(answer.rows)} groups are too many to draw; ask for at most {_DRAWN}",
            reason="too-many-groups",
        )
    rows: list[dict[str, object]] = [
        {
            "group": ", ".join("NULL" if each is None else str(each) for each in row.group.values())
            or "all rows",
            "lo": row.answers[name].lo,
            "hi": row.answers[name].hi,
            "estimate": row.answers[name].estimate,
        }
        for row in answer.rows
        if row.answers[name].lo is not None
    ]
    return _drawn(rows, name, ", ".join(answer.rows[0].group) if answer.rows else "")


def _drawn(rows: list[dict[str, object]], name: str, groups: str) -> alt.LayerChart:
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("group:N", sort=None, title=groups or None),
        tooltip=[alt.Tooltip(f"{each}:Q") for each in ("lo", "estimate", "hi")],
    )
    bars = base.mark_errorbar(ticks=True).encode(
        x=alt.X("lo:Q", title=name, scale=alt.Scale(zero=False)), x2="hi:Q"
    )
    dots = (
        base.mark_point(filled=True)
        .encode(x="estimate:Q")
        .transform_filter("isValid(datum.estimate)")
    )
    return alt.LayerChart(layer=[bars, dots])
