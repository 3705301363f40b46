"""How many classes there are of each size, with k marked."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import numpy as np
from markupsafe import Markup

from papilio.document.charts.style import AFTER, MARK
from papilio.document.charts.svg import FIT, to_svg, whole_ticks
from papilio.document.text import count, plural
from papilio.measure.class_sizes import ClassSizes

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
