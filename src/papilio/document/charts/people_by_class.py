"""How many people are in classes of which size, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
from markupsafe import Markup

from papilio.attack.exposure import Band
from papilio.attack.risk import RiskView
from papilio.document.charts.svg import AFTER, BEFORE, FIT, to_svg, whole_ticks
from papilio.document.text import count

_WHEN = ("original", "release")


@dataclass(frozen=True)
class BandBar:
    """People in classes of some sizes, before and after."""

    label: str
    before: int
    after: int


def band_bars(view: RiskView) -> list[BandBar]:
    """People by the size of their class, before and after."""
    pairs = zip(view.before.bands, view.after.bands, strict=True)
    over_people = view.after.several is not None
    return [
        BandBar(band_label(old, over_people=over_people), old.people, new.people)
        for old, new in pairs
    ]


def alike_words(view: RiskView) -> str:
    """What people are counted by: the size of their class, or its rows for each of theirs."""
    if view.after.several is None:
        return "rows that look alike"
    return "rows that look alike, for each that is theirs"


def band_label(band: Band, *, over_people: bool = False) -> str:
    """Write the sizes of a band: ``alone``, ``3–4``, ``≥ 100``."""
    if band.largest == 1:
        return "< 2" if over_people else "alone"
    if band.largest is None:
        return f"≥ {band.smallest}"
    return (
        str(band.smallest) if band.smallest == band.largest else f"{band.smallest}–{band.largest}"
    )


def people_by_class_chart(
    bars: list[BandBar], *, width: int, alike: str = "rows that look alike"
) -> Markup:
    """Draw people by the size of their class: the further right, the harder to find."""
    data = alt.InlineData(
        [
            {"size": bar.label, "when": when, "people": number}
            for bar in bars
            for when, number in zip(_WHEN, (bar.before, bar.after), strict=True)
        ]
    )
    most = max((max(bar.before, bar.after) for bar in bars), default=1)
    x = alt.X("size:O", sort=None, title=alike).axis(labelAngle=0)
    y = alt.Y("people:Q", title="people").axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(most)
    )
    colour = alt.Color("when:N", legend=None).scale(domain=list(_WHEN), range=[BEFORE, AFTER])
    shift = alt.XOffset("when:N", sort=list(_WHEN))
    chart = alt.Chart(data).mark_bar().encode(x, y, colour, shift)
    sized = chart.properties(width=width, height=190, autosize=FIT)
    return to_svg(
        sized, title="People by the size of their class", description=describe(bars, alike)
    )


def describe(bars: list[BandBar], alike: str = "rows that look alike") -> str:
    """Say in a sentence what the picture shows."""
    told = [f"{bar.label}: {count(bar.before)} and {count(bar.after)}" for bar in bars]
    return f"People in the original and in the release by {alike}: {'; '.join(told)}."
