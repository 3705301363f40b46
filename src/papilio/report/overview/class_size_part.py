"""The part of an overview about class sizes."""

from __future__ import annotations

from papilio.measure.class_sizes import ClassSizes
from papilio.report.charts.class_sizes import class_sizes_chart, size_bars
from papilio.report.number_text import count, significant
from papilio.report.overview.overview import WIDE, Numbers, Part, Picture


def class_size_picture(sizes: ClassSizes, k: int | None, of: str = "Rows") -> Picture:
    """Draw how many classes there are of each size; ``of`` is what classes are made of."""
    bars = [bar for bar in size_bars(sizes, k) if bar.classes]
    numbers = Numbers(
        (f"{of} in the class", "Classes"),
        tuple((bar.label, count(bar.classes)) for bar in bars),
    )
    return Picture("Class sizes", class_sizes_chart(sizes, k, width=WIDE), numbers)


def class_size_part(sizes: ClassSizes, k: int | None) -> Part:
    """Tell and draw the sizes of the classes of rows."""
    return Part(
        "Class sizes",
        "Rows whose quasi-identifiers look the same after publishing form a class; nobody can tell "
        f"them apart by these columns. Half of the classes have {significant(sizes.median)} rows "
        f"or fewer, the largest has {count(sizes.largest)}.",
        (class_size_picture(sizes, k),),
    )
