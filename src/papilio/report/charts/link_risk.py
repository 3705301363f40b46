"""Belief in a link by the number of links that were learnt."""

from __future__ import annotations

import altair as alt
from markupsafe import Markup

from papilio.attack.learned_links import Conclusion
from papilio.report.charts.style import AFTER, BEFORE, MARK
from papilio.report.charts.svg import to_svg
from papilio.report.number_text import percentage

_KINDS = ("allowed", "links of others", "links of those learnt about")
_COLOURS = (BEFORE, AFTER, MARK)
_FIT = alt.AutoSizeParams(type="fit-x", contains="padding")


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
                "kind:N", scale=alt.Scale(domain=list(_KINDS), range=list(_COLOURS)), legend=None
            ),
            xOffset=alt.XOffset("kind:N", sort=list(_KINDS)),
        )
        .properties(width=min(width, 620), height=190, autosize=_FIT)
    )
    description = f"Without any learnt link the strongest belief is {percentage(strongest)}."
    return to_svg(chart, title="Belief by learnt links", description=description)
