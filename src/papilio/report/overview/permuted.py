"""A permuted release at a glance."""

from __future__ import annotations

from papilio.release.release import Release
from papilio.report.charts.histogram import histogram_chart
from papilio.report.number_text import count, percentage, significant
from papilio.report.overview.group_example import group_example
from papilio.report.overview.overview import (
    WIDE,
    Numbers,
    Overview,
    Part,
    Picture,
    Tile,
    overview_of,
)
from papilio.report.permuted_content import Histogram, PermutedContent


def permuted(content: PermutedContent, release: Release) -> Overview:
    """Make the overview. Cost: three drawings."""
    return overview_of(
        "permuted",
        content,
        _tiles(content),
        (
            group_example(release),
            _part(
                content.sizes,
                "Group sizes",
                "Inside a group values are permuted: the larger it is, the less a value says about "
                "one of its people.",
            ),
            _part(
                content.widths,
                "Widths of groups",
                "The width of a group is its largest value minus its smallest. Answers to "
                "questions are the more precise, the smaller widths are; the policy says how small "
                "they may be.",
            ),
            _part(
                content.values,
                f"Values of {content.sensitive}",
                "All values are published as they are, so their distribution is exact.",
            ),
            _precision(content),
        ),
    )


def _tiles(content: PermutedContent) -> tuple[Tile, ...]:
    of_all = (
        f", {percentage(content.widest / content.range)} of all values" if content.range else ""
    )
    return (
        Tile(count(content.groups), "groups inside which values are permuted"),
        Tile(significant(content.rows / content.groups), "rows in a group on average"),
        Tile(significant(content.widest), f"width of the widest group{of_all}"),
        Tile(count(content.missing), "missing values"),
    )


def _part(histogram: Histogram, title: str, text: str) -> Part:
    rows = tuple((bar.label, count(bar.count)) for bar in histogram.bars if bar.count)
    numbers = Numbers((histogram.axis, histogram.things), rows)
    return Part(title, text, (Picture(title, histogram_chart(histogram, width=WIDE), numbers),))


def _precision(content: PermutedContent) -> Part:
    rows = tuple(
        (percentage(each.share), *map(significant, (each.low, each.high, each.mean, each.std)))
        for each in content.precision
    )
    return Part(
        "How precise sums are",
        f"What is known of the sum of ‘{content.sensitive}’ over a share of the rows of each "
        "group.",
        numbers=Numbers(
            ("Share of the rows", "At least", "At most", "Mean", "Standard deviation"), rows
        ),
    )
