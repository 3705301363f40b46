"""Parts about classes, cells and groups, for the families that have them."""

from __future__ import annotations

import polars as pl

from papilio.document.charts.class_sizes import class_sizes_chart, size_bars
from papilio.document.charts.loss import loss_chart
from papilio.document.model import WIDE, Content, Numbers, Part, Picture
from papilio.document.text import count, percentage, plural, shown, significant
from papilio.measure.class_sizes import ClassSizes
from papilio.measure.ncp import Ncp
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release

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
