"""Bars: people by the size of their class, rows that follow, and an answer with its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.attack.exposure import Band
from papilio.attack.risk import RiskView
from papilio.document.charts.svg import (
    AFTER,
    BEFORE,
    FIT,
    INK,
    MARK,
    distinct_labels,
    to_svg,
    whole_ticks,
)
from papilio.document.text import count, plural, significant

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


@dataclass(frozen=True)
class CertainBar:
    """Complete rows that are certain, by how many people share each.

    Attributes
    ----------
    label
        How many people: ``1``, ``2–9``, ``≥ 10``.
    rows
        The rows.
    few
        Whether these are fewer than everybody was promised to hide among.
    """

    label: str
    rows: int
    few: bool


def certain_bars(figures: Mapping[str, int | float]) -> list[CertainBar]:
    """Complete rows that follow, from the figures of an attack that counts them; else none."""
    if not figures.get("certain"):
        return []
    certain, few, one, k = (
        int(figures[name]) for name in ("certain", "shared_by_few", "shared_by_one", "k")
    )
    between = "2" if k == 3 else f"2–{k - 1}"
    return [
        CertainBar("1", one, True),
        *([CertainBar(between, few - one, True)] if k > 2 else []),
        CertainBar(f"≥ {k}", certain - few - int(figures["wrong"]), False),
    ]


def certain_rows_chart(bars: Sequence[CertainBar], *, width: int) -> Markup:
    """Draw complete rows that follow from a release: those that few share stand out."""
    data = alt.InlineData([{"shared": bar.label, "rows": bar.rows, "few": bar.few} for bar in bars])
    most = max(bar.rows for bar in bars)
    base = alt.Chart(data).encode(
        alt.X("rows:Q", title="complete rows that must exist", stack=False).axis(
            format=",d", tickMinStep=1, tickCount=whole_ticks(most)
        ),
        alt.Y("shared:N", sort=None, title="people who share it").axis(
            labelColor=INK, labelFontSize=12
        ),
    )
    colour = alt.Color("few:N", legend=None).scale(domain=[True, False], range=[MARK, AFTER])
    numbers = base.mark_text(align="left", dx=5, color=INK, fontSize=12)
    chart = alt.layer(
        base.mark_bar().encode(colour), numbers.encode(text=alt.Text("rows:Q", format=",d"))
    ).properties(width=width, height=alt.Step(30), autosize=FIT)
    told = "; ".join(f"{bar.label}: {count(bar.rows)}" for bar in bars)
    return to_svg(
        chart,
        title="Complete rows that follow from the release",
        description=f"Complete rows by how many people share them: {told}.",
    )


@dataclass(frozen=True)
class AnswerBar:
    """Bounds of an aggregate in one group; all numbers.

    Attributes
    ----------
    group
        The group in words.
    lo, hi
        The bounds.
    estimate, truth
        Where they are known.
    """

    group: str
    lo: float
    hi: float
    estimate: float | None = None
    truth: float | None = None


def answer_bars_chart(bars: Sequence[AnswerBar], name: str, *, width: int) -> Markup:
    """Draw a line from bound to bound per group, a dot at the estimate, a diamond at the truth.

    Parameters
    ----------
    bars
        At least one.
    name
        What is aggregated.
    width
        Of the picture.
    """
    labels = distinct_labels([bar.group for bar in bars])
    data = alt.InlineData(
        [
            {"group": label, "lo": b.lo, "hi": b.hi, "estimate": b.estimate, "truth": b.truth}
            for label, b in zip(labels, bars, strict=True)
        ]
    )
    y = alt.Y("group:N", sort=None, title=None).axis(labelColor=INK, labelFontSize=12)
    base = alt.Chart(data).encode(y)
    x = alt.X("lo:Q", title=name).scale(zero=False, nice=True, padding=14).axis(tickCount=6)
    lines = base.mark_rule(color=AFTER, strokeWidth=2.5).encode(x, x2="hi")
    ends = [
        base.mark_tick(color=AFTER, thickness=2.5, size=13).encode(alt.X(f"{end}:Q", title=name))
        for end in ("lo", "hi")
    ]
    layers: list[Any] = [lines, *ends]
    layers.append(_points(base, "estimate", name, {"color": AFTER, "size": 70}))
    if any(bar.truth is not None for bar in bars):
        layers.append(_points(base, "truth", name, {"color": MARK, "size": 75, "shape": "diamond"}))
    chart = alt.layer(*layers).properties(width=width, height=alt.Step(30), autosize=FIT)
    return to_svg(chart, title=f"Bounds of {name}", description=describe_answer(bars))


def _points(base: alt.Chart, column: str, name: str, mark: dict[str, Any]) -> Any:
    shown = base.transform_filter(f"isValid(datum.{column})").mark_point(
        filled=True, opacity=1, **mark
    )
    return shown.encode(alt.X(f"{column}:Q", title=name))


def describe_answer(bars: Sequence[AnswerBar]) -> str:
    """Say in a sentence what the picture shows."""
    first = bars[0]
    return (
        f"{plural(len(bars), 'group', 'groups')}. {first.group}: between {significant(first.lo)} "
        f"and {significant(first.hi)}."
    )
