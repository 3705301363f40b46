"""How many people are in classes of which size, before and after."""

from __future__ import annotations

import altair as alt
from markupsafe import Markup

from papilio.attack.exposure import Band
from papilio.report.charts.style import AFTER, BEFORE
from papilio.report.charts.svg import to_svg
from papilio.report.number_text import count, percentage

_FIT = alt.AutoSizeParams(type="fit-x", contains="padding")


def people_by_class_chart(
    before: tuple[Band, ...], after: tuple[Band, ...], *, width: int
) -> Markup:
    """Draw two bars per band of class sizes: the original and the release."""
    rows = [
        {"size": _label(band), "when": when, "share": share}
        for when, bands in (("before", before), ("after", after))
        for band, share in zip(bands, _shares(bands), strict=True)
    ]
    chart = (
        alt.Chart(alt.InlineData(rows))
        .mark_bar()
        .encode(
            alt.X("size:O", sort=None, title="rows that look like theirs").axis(labelAngle=0),
            alt.Y("share:Q", title="share of people")
            .axis(format="~%", tickCount=5)
            .scale(domainMin=0),
            alt.Color(
                "when:N",
                legend=None,
                scale=alt.Scale(domain=["before", "after"], range=[BEFORE, AFTER]),
            ),
            xOffset=alt.XOffset("when:N", sort=["before", "after"]),
        )
        .properties(width=width, height=200, autosize=_FIT)
    )
    return to_svg(chart, title="People by the size of their class", description=_words(rows))


def _label(band: Band) -> str:
    if band.largest is None:
        return f"≥ {count(band.smallest)}"
    if band.smallest == band.largest:
        return count(band.smallest)
    return f"{count(band.smallest)}–{count(band.largest)}"


def _shares(bands: tuple[Band, ...]) -> list[float]:
    total = sum(band.people for band in bands) or 1
    return [band.people / total for band in bands]


def _words(rows: list[dict[str, object]]) -> str:
    half = len(rows) // 2
    told = [
        f"{old['size']}: {percentage(float(str(old['share'])))} before, "
        f"{percentage(float(str(new['share'])))} after"
        for old, new in zip(rows[:half], rows[half:], strict=True)
        if old["share"] or new["share"]
    ]
    return f"Share of people by class size. {'; '.join(told)}."
