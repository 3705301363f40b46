"""Parts about classes, cells and groups, and their charts, for the families that have them."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import numpy as np
import polars as pl
from markupsafe import Markup

from papilio.document.charts.svg import AFTER, FIT, INK, MARK, distinct_labels, to_svg, whole_ticks
from papilio.document.model import WIDE, Content, Numbers, Part, Picture
from papilio.document.text import count, percentage, plural, shown, significant
from papilio.measure.losses import Ncp
from papilio.measure.published_classes import ClassSizes
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release

_MOST_BARS = 30
_WIDEST_BAR = 60


@dataclass(frozen=True)
class SizeBar:
    """Number of classes whose size lies between two whole numbers, both included.

    ``largest`` is ``None`` in the last bar if it takes all larger classes as well.
    """

    smallest: int
    largest: int | None
    classes: int

    @property
    def label(self) -> str:
        """The sizes in words."""
        if self.largest is None:
            return f"≥ {count(self.smallest)}"
        if self.smallest == self.largest:
            return count(self.smallest)
        return f"{count(self.smallest)}–{count(self.largest)}"


def size_bars(sizes: ClassSizes, k: int | None) -> list[SizeBar]:
    """Put class sizes into at most 30 bars of equal width, so that one of them begins at k.

    The last bar takes the largest one in a hundred classes, so that a few huge ones do not
    squeeze all others together.
    """
    start = sizes.smallest if k is None else min(k, sizes.smallest)
    size = np.array(sorted(sizes.histogram))
    classes = np.array([sizes.histogram[each] for each in size.tolist()])
    usual = int(size[np.searchsorted(classes.cumsum(), 0.99 * classes.sum())])
    width = -(-(usual - start + 1) // (_MOST_BARS - 1))
    # Below k, bars end where k begins.
    start -= 0 if k is None else -(k - start) % width
    bar = np.minimum((size - start) // width, (usual - start) // width + 1)
    counts = np.bincount(bar, classes).astype(int).tolist()
    bars = [
        SizeBar(start + place * width, start + (place + 1) * width - 1, number)
        for place, number in enumerate(counts)
    ]
    beyond = sizes.largest > (bars[-1].largest or 0)
    return [*bars[:-1], SizeBar(bars[-1].smallest, None, counts[-1])] if beyond else bars


def class_sizes_chart(sizes: ClassSizes, k: int | None, of: str = "rows", *, width: int) -> Markup:
    """Draw the histogram of class sizes; ``of`` is what classes are made of."""
    bars = size_bars(sizes, k)
    data = alt.InlineData([{"size": bar.label, "classes": bar.classes} for bar in bars])
    x = alt.X("size:O", sort=None, title=f"{of} in the class").axis(
        labelAngle=0, labelOverlap="greedy", labelSeparation=4
    )
    y = alt.Y("classes:Q", title="classes", stack=False).axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(max(bar.classes for bar in bars))
    )
    layers: list[alt.Chart] = [alt.Chart(data).mark_bar(color=AFTER).encode(x, y)]
    marked = next((bar for bar in bars if bar.smallest == k), None)
    if marked is not None:
        layers += _mark(marked.label, f"k = {count(marked.smallest)}")
    # Few bars would otherwise be as wide as the page.
    fitting = min(width, 100 + _WIDEST_BAR * len(bars))
    chart = alt.layer(*layers).properties(width=fitting, height=210, autosize=FIT)
    return to_svg(chart, title="Class sizes", description=describe(sizes, k, of))


def _mark(at: str, text: str) -> list[alt.Chart]:
    data = alt.InlineData([{"size": at, "text": text}])
    x = alt.X("size:O", sort=None, bandPosition=0)
    rule = alt.Chart(data).mark_rule(color=MARK, strokeDash=[4, 3], strokeWidth=1.5).encode(x)
    label = alt.Chart(data).mark_text(
        color=MARK, align="left", baseline="bottom", dx=-2, dy=-3, fontSize=12, fontWeight="bold"
    )
    return [rule, label.encode(x, y=alt.value(0), text="text:N")]


def describe(sizes: ClassSizes, k: int | None, of: str = "rows") -> str:
    """Say in a sentence what the picture shows."""
    demanded = "" if k is None else f" At least {count(k)} are demanded."
    return (
        f"Histogram of {plural(sizes.classes, 'class', 'classes')}: the smallest has "
        f"{count(sizes.smallest)} {of}, the largest {count(sizes.largest)}.{demanded}"
    )


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


#: Most people and values of a group that are shown.
_SHOWN = 8


def class_size_picture(sizes: ClassSizes, k: int | None, of: str = "rows") -> Picture:
    """Draw how many classes there are of each size; ``of`` is what classes are made of."""
    bars = [bar for bar in size_bars(sizes, k) if bar.classes]
    numbers = Numbers(
        (f"{of.capitalize()} in the class", "Classes"),
        tuple((bar.label, count(bar.classes)) for bar in bars),
    )
    drawn = class_sizes_chart(sizes, k, of, width=WIDE)
    return Picture("Class sizes", drawn, numbers, titled=False)


def class_size_part(sizes: ClassSizes, k: int | None, what: str, of: str = "rows") -> Part:
    """Tell and draw the sizes of classes; ``what`` says in a sentence what a class is."""
    return Part(
        "Class sizes",
        f"{what} Half of the classes have {significant(sizes.median)} {of} or fewer, the largest "
        f"has {count(sizes.largest)}.",
        (class_size_picture(sizes, k, of),),
        look="whole",
    )


def loss_picture(loss: Ncp, title: str = "", width: int = WIDE) -> Picture:
    """Draw the loss of each column."""
    numbers = Numbers(
        ("Column", "Loss"),
        tuple((shown(name), percentage(share)) for name, share in loss.per_column.items()),
    )
    drawn = loss_chart(loss, width=width)
    return Picture(title or "Loss per column", drawn, numbers, titled=bool(title))


def loss_part(loss: Ncp, more: tuple[Content, ...] = ()) -> Part:
    """Tell and draw what the cells of one table lost."""
    return Part(
        "What was lost",
        "The loss of a cell is the share of its column’s domain that it leaves open: 0% for an "
        "exact value, 100% for a cell that could be anything. Averaged over all cells it is "
        f"{percentage(loss.overall)}.",
        (loss_picture(loss), *more),
        look="whole",
    )


def group_part(release: Release) -> Part:
    """Show the smallest group of people and values as the release shows it.

    For the page only, which shows rows of the release anyway.
    """
    people, values = release.manifest.tables[:2]
    left = _group_first(release.frames[people.name], people)
    right = _group_first(release.frames[values.name], values)
    group = left.columns[0]
    number, rows = left.group_by(group).len().sort("len", group).row(0)
    sides = [
        frame.filter(pl.col(group) == number).drop(group).head(_SHOWN) for frame in (left, right)
    ]
    lines = tuple(
        (str(place + 1), *(cell for side in sides for cell in _line(side, place)))
        for place in range(max(side.height for side in sides))
    )
    head = ("Row", *(shown(name) for side in sides for name in side.columns))
    first = f" The first {_SHOWN} are shown." if rows > _SHOWN else ""
    return Part(
        "One group as it is published",
        f"{plural(rows, 'person', 'people')} on the left and the values of their group on the "
        f"right, in random order: which of them belongs to whom is not published.{first}",
        (Numbers(head, lines, look="plain"),),
        where="page",
    )


def _line(side: pl.DataFrame, place: int) -> tuple[str, ...]:
    """Cells of a row; blank ones beyond the last."""
    if place >= side.height:
        return ("",) * side.width
    return tuple("NULL" if cell is None else shown(str(cell)) for cell in side.row(place))


def _group_first(frame: pl.DataFrame, table: PublishedTable) -> pl.DataFrame:
    """The frame with the number of the group as its first column."""
    (group,) = (column.published[0] for column in table.columns if column.cells == "group")
    return frame.select(group, pl.exclude(group))
