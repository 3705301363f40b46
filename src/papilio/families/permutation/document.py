"""The document about a permuted release."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import numpy as np
import polars as pl
from markupsafe import Markup
from numpy.typing import NDArray

from papilio.document.bins import bins_over, count_points
from papilio.document.charts.svg import AFTER, FIT, MARK, to_svg, whole_ticks
from papilio.document.class_parts import group_part
from papilio.document.contract import Owned
from papilio.document.model import WIDE, Document, Numbers, Part, Picture, Text, Tile
from papilio.document.of_release import columns_table, document_of_release
from papilio.document.text import (
    count,
    listing,
    percentage,
    plain_number,
    plural,
    shown,
    significant,
)
from papilio.release.manifest import Claim, PublishedColumn
from papilio.release.release import Release


@dataclass(frozen=True)
class Bar:
    """How many lie between two numbers; without them the label says which."""

    label: str
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Histogram:
    """How a number is distributed.

    Attributes
    ----------
    title
        What is counted, for readers who cannot see the picture.
    axis, things
        What the number is, and what is counted.
    bars
        Counts.
    mark
        A number that is demanded, and how it is called; ``None`` if none is.
    """

    title: str
    axis: str
    things: str
    bars: tuple[Bar, ...]
    mark: tuple[float, str] | None = None


def histogram_chart(histogram: Histogram, *, width: int) -> Markup:
    """Draw a histogram over a number axis."""
    data = alt.InlineData(
        [{"low": bar.low, "high": bar.high, "n": bar.count} for bar in histogram.bars]
    )
    x = alt.X("low:Q", title=histogram.axis).scale(zero=False, nice=False)
    y = alt.Y("n:Q", title=histogram.things).axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(max(bar.count for bar in histogram.bars))
    )
    bars = alt.Chart(data).mark_bar(color=AFTER, binSpacing=1, cornerRadiusEnd=0)
    layers = [
        bars.encode(x.axis(grid=False, tickCount=8), y, x2="high", y2=alt.datum(0)),
        *_mark(histogram),
    ]
    chart = alt.layer(*layers).properties(width=width, height=190, autosize=FIT)
    return to_svg(chart, title=histogram.title, description=describe(histogram))


def _mark(histogram: Histogram) -> list[alt.Chart]:
    if histogram.mark is None:
        return []
    at, name = histogram.mark
    data = alt.InlineData([{"low": at, "text": f"{name} = {plain_number(at)}"}])
    x = alt.X("low:Q", title=histogram.axis)
    rule = alt.Chart(data).mark_rule(color=MARK, strokeDash=[4, 3], strokeWidth=1.5).encode(x)
    label = alt.Chart(data).mark_text(
        color=MARK, align="left", baseline="bottom", dx=4, dy=-3, fontSize=12, fontWeight="bold"
    )
    return [rule, label.encode(x, y=alt.value(0), text="text:N")]


def describe(histogram: Histogram) -> str:
    """Say in a sentence what the picture shows."""
    most = max(histogram.bars, key=lambda bar: bar.count)
    return (
        f"Histogram of {count(sum(bar.count for bar in histogram.bars))} {histogram.things}; "
        f"most, {count(most.count)}, lie at {most.label}."
    )


#: Shares of the rows of each group that the examples of questions select.
SHARES = (0.1, 0.25, 0.5, 0.9, 1.0)


@dataclass(frozen=True)
class Precision:
    """What is known of a sum over a share of the rows of each group.

    Attributes
    ----------
    share
        The share, rounded up to whole rows in each group.
    low, high, mean, std
        Bounds, mean and standard deviation.
    """

    share: float
    low: float
    high: float
    mean: float
    std: float


@dataclass(frozen=True, kw_only=True)
class PermutedFacts:
    """Figures of a permuted release; all follow from the published tables.

    Attributes
    ----------
    name, columns
        The table, and the columns of people and values as they are published.
    sensitive
        The sensitive column.
    rows, groups, missing
        Number of people, of groups and of missing values.
    widest, total_width, range
        Width of the widest group, of all together, and of all values.
    sizes, widths, values
        Rows of groups, widths of groups, and the sensitive column.
    precision
        What is known of sums.
    """

    name: str
    columns: tuple[PublishedColumn, ...]
    sensitive: str
    rows: int
    groups: int
    missing: int
    widest: float
    total_width: float
    range: float
    sizes: Histogram
    widths: Histogram
    values: Histogram
    precision: tuple[Precision, ...]

    @property
    def loss(self) -> float:
        """Average width of a group as a share of that of all values."""
        return self.total_width / self.groups / self.range if self.range else 0.0


def permuted_facts(release: Release) -> PermutedFacts:
    """Measure a permuted release. Cost: one grouping of its values."""
    people, values, _ = release.manifest.tables
    (group,) = (column.name for column in people.columns if column.cells == "group")
    (sensitive,) = (column.name for column in values.columns if column.cells == "value")
    series = release.frames[values.name].get_column(sensitive)
    groups = _groups(release.frames[values.name], group, sensitive)
    widths, known = groups.get_column("width"), series.drop_nulls()
    return PermutedFacts(
        name=people.name,
        columns=(*(c for c in people.columns if c.cells == "value"), values.columns[1]),
        sensitive=sensitive,
        rows=len(series),
        groups=groups.height,
        missing=series.null_count(),
        widest=_number(widths.max()),
        total_width=float(widths.sum()),
        range=_number(known.max()) - _number(known.min()),
        sizes=_histogram(groups.get_column("rows"), "Group sizes", "rows in the group", "groups"),
        widths=_histogram(
            widths,
            "Widths of groups",
            "largest minus smallest value",
            "groups",
            _demanded(release),
        ),
        values=_histogram(known, sensitive, sensitive, "rows"),
        precision=tuple(_precision(release, group, groups, share) for share in SHARES),
    )


def _groups(frame: pl.DataFrame, group: str, sensitive: str) -> pl.DataFrame:
    value = pl.col(sensitive).cast(pl.Float64)
    return frame.group_by(pl.col(group).alias("group")).agg(
        pl.len().cast(pl.Int64).alias("rows"), (value.max() - value.min()).alias("width")
    )


def _demanded(release: Release) -> tuple[float, str] | None:
    e = release.manifest.claims[0].parameters.get("e") if release.manifest.claims else None
    return (float(e), "e") if isinstance(e, int | float) and e > 0 else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _histogram(
    series: pl.Series,
    title: str,
    axis: str,
    things: str,
    mark: tuple[float, str] | None = None,
) -> Histogram:
    bins = bins_over(series)
    counts: NDArray[np.float64] = count_points(
        bins.positions(series), np.ones(len(series)), bins.edges
    )
    parts = zip(bins.labels, bins.axis, bins.axis[1:], counts, strict=False)
    bars = tuple(Bar(label, float(low), float(high), int(n)) for label, low, high, n in parts)
    return Histogram(title, axis, things, bars, mark)


def _precision(release: Release, group: str, groups: pl.DataFrame, share: float) -> Precision:
    """Bounds of the sum over this share of the rows of every group."""
    helping = release.frames[release.manifest.tables[2].name]
    hits = (pl.col("rows") * share).ceil().cast(pl.Int64).alias("hits")
    asked = groups.select(pl.col("group").alias(group), hits)
    found = helping.join(asked, on=[group, "hits"]).select(
        pl.col("sum_lo", "sum_hi", "sum_mean", "sum_var").cast(pl.Float64).sum()
    )
    low, high, mean, variance = found.row(0)
    return Precision(share, low, high, mean, variance**0.5)


_ASSUMPTIONS = (
    "The attacker knows values of the quasi-identifiers, and nobody’s sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "The attacker learns nothing from the order of rows or groups: Papilio shuffles both tables.",
)
_LIMITS = (
    (
        "Presence",
        "Quasi-identifiers are published as they are. That a person is in the table can be seen; "
        "only whose value is whose cannot.",
    ),
    (
        "Frequencies",
        "A group has k different values, but most of its rows may share one of them, or be NULL. "
        "Then guessing it is right most of the time.",
    ),
    (
        "Values close together",
        "e is the distance of the two ends of a group. All values but one may lie close together, "
        "unless ‘near’ is promised.",
    ),
    (
        "Knowing others",
        "Someone who knows the values of other people of a group can strike them out; with k "
        "different values, those of all k - 1 others, if each occurs once. ‘known’ says how many "
        "do no harm.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, with different groups, tell more than each by itself: "
        "a person’s value is in both groups. Do not publish the same people twice.",
    ),
)
_PUBLISHED = {
    "sensitive": "apart, by group, in random order",
    "": "as it was, with the number of the group",
}
_WORDS = (
    (
        "Quasi-identifier",
        "A column whose value a recipient may know of a person, from elsewhere: age, postcode, "
        "profession. Here they are published exactly.",
    ),
    (
        "Group",
        "Rows among which the values of the sensitive column are permuted. A person’s group is "
        "public, their value is one of the group’s.",
    ),
    (
        "k and e",
        "Every group has at least k different values, and its largest and smallest are at least e "
        "apart. Missing values do not count.",
    ),
    (
        "Width",
        "Largest minus smallest value of a group: by how much a guess at one value can be wrong.",
    ),
)


def loss(owned: Owned) -> float:
    """Average width of a group as a share of that of all values."""
    return permuted_facts(owned.release).loss


def document(owned: Owned) -> Document:
    """Tell everything about a permuted release. Cost: three drawings."""
    facts = permuted_facts(owned.release)
    columns = plural(len(facts.columns), "column", "columns")
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(facts.rows, 'row', 'rows')}, {columns}",
        loss=facts.loss,
        tiles=_tiles(facts),
        promises=[(_promise(claim), claim.recipient) for claim in owned.release.manifest.claims],
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
        columns=columns_table(facts.columns, _PUBLISHED),
        parts=[
            group_part(owned.release),
            _groups_part(facts),
            _precision_part(facts),
            _values(facts),
        ],
        words=_WORDS,
    )


def _promise(claim: Claim) -> str:
    """Say what a claim of (k,e)-anonymity promises."""
    told = claim.parameters
    known = listing([f"‘{name}’" for name in claim.columns])
    apart = plain_number(told.get("e", 0))
    return (
        f"Someone who knows the {known} of a person in this table learns a group of values of "
        f"‘{told.get('column')}’, of which theirs is one: at least {told.get('k')} different ones, "
        f"the largest and the smallest at least {apart} apart. Which of them it is, nothing tells."
        + _further(claim)
    )


def _further(claim: Claim) -> str:
    """What is promised besides k and e."""
    known, near = (claim.parameters.get(key) for key in ("known", "near"))
    told = ""
    if isinstance(known, int):
        people = "one other person" if known == 1 else f"{count(known)} others"
        told += f" So it is even for someone who knows the values of {people} of the group."
    if isinstance(near, dict):
        told += (
            f" No window of width {plain_number(near['width'])} holds more than "
            f"{percentage(near['at_most'])} of the values of a group."
        )
    return told


def _tiles(facts: PermutedFacts) -> tuple[Tile, ...]:
    of_all = f", {percentage(facts.widest / facts.range)} of all values" if facts.range else ""
    groups = "group" if facts.groups == 1 else "groups"
    return (
        Tile(count(facts.groups), f"{groups} inside which values are permuted"),
        Tile(significant(facts.rows / facts.groups), "rows in a group on average"),
        Tile(significant(facts.widest), f"width of the widest group{of_all}"),
        Tile(count(facts.missing), "missing values, spread over the groups by their size"),
    )


def _groups_part(facts: PermutedFacts) -> Part:
    return Part(
        "Groups",
        "Rows are divided into groups by their sensitive value. Inside a group nothing tells which "
        "value is whose. The more rows a group has, the more people share its values; the narrower "
        "it is, the more precisely questions can be answered.",
        (
            _picture(facts.sizes),
            _picture(facts.widths),
            Text(
                f"Together, the widths of all groups are {significant(facts.total_width)}; all "
                f"values span {significant(facts.range)}."
            ),
        ),
        look="whole",
    )


def _picture(histogram: Histogram, *, titled: bool = True) -> Picture:
    rows = tuple((bar.label, count(bar.count)) for bar in histogram.bars if bar.count)
    numbers = Numbers((shown(histogram.axis).capitalize(), histogram.things.capitalize()), rows)
    drawn = histogram_chart(histogram, width=WIDE)
    return Picture(histogram.title, drawn, numbers, titled=titled)


def _precision_part(facts: PermutedFacts) -> Part:
    rows = tuple(
        (percentage(each.share), *map(significant, (each.low, each.mean, each.high, each.std)))
        for each in facts.precision
    )
    head = ("Rows of each group", "Lower bound", "Mean", "Upper bound", "Standard deviation")
    return Part(
        "What can be known",
        f"How precisely the sum of ‘{shown(facts.sensitive)}’ is known over rows that a condition "
        "on quasi-identifiers selects, for conditions that select the same share of each group. "
        "The true sum lies between the bounds, always; the mean and the standard deviation are "
        "those of all ways to deal the values out.",
        (Numbers(head, rows),),
        look="whole",
    )


def _values(facts: PermutedFacts) -> Part:
    return Part(
        "The sensitive column",
        f"‘{shown(facts.sensitive)}’ is published value by value, so its distribution is that of "
        "the original.",
        (_picture(facts.values, titled=False),),
        look="whole",
    )
