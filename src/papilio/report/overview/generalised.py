"""A generalised release at a glance, for one recipient or several."""

from __future__ import annotations

from papilio.report.charts.distribution import distribution_chart
from papilio.report.content import ReportContent
from papilio.report.distributions import Distribution
from papilio.report.number_text import count, percentage, significant
from papilio.report.overview.class_size_part import class_size_part
from papilio.report.overview.loss_part import loss_part
from papilio.report.overview.overview import (
    NARROW,
    Numbers,
    Overview,
    Part,
    Picture,
    Tile,
    overview_of,
)
from papilio.report.overview.sharing_parts import sharing_parts


def generalised(content: ReportContent) -> Overview:
    """Make the overview. Cost: one drawing per quasi-identifier, and two more."""
    parts = (
        (class_size_part(content.sizes, content.k),)
        if content.sharing is None
        else sharing_parts(content.sharing, content.k)
    )
    return overview_of(
        "generalised",
        content,
        _tiles(content),
        (*parts, loss_part(content.loss), _distributions(content.distributions)),
        examples=content.examples,
    )


def _tiles(content: ReportContent) -> tuple[Tile, ...]:
    smallest = content.sizes.smallest
    if content.sharing is not None:
        smallest = min(each.sizes.smallest for each in content.sharing.recipients)
    demanded = "" if content.k is None else f"; {count(content.k)} demanded"
    return (
        Tile(count(smallest), f"rows in the smallest class{demanded}"),
        Tile(percentage(content.loss.overall), "of the detail in quasi-identifiers lost"),
        Tile(count(content.sizes.classes), "classes"),
        Tile(significant(content.sizes.average), "rows in a class on average"),
    )


def _distributions(found: tuple[Distribution, ...]) -> Part:
    return Part(
        "Before and after",
        "Each quasi-identifier as it is in the original (grey), and as a recipient would guess it "
        "from the release (green), taking every value that a cell allows as equally likely. The "
        "closer the two, the more can be learnt about people in general.",
        tuple(_picture(each) for each in found),
    )


def _picture(each: Distribution) -> Picture:
    rows = ((bar.label, percentage(bar.before), percentage(bar.after)) for bar in each.bars)
    return Picture(
        f"{each.column}: {percentage(each.moved)} moved",
        distribution_chart(each, width=NARROW),
        Numbers(("Value", "Before", "After"), tuple(rows)),
    )
