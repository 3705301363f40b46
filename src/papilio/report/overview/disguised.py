"""A disguised release at a glance."""

from __future__ import annotations

from papilio.release.release import Release
from papilio.report.charts.loss_by_distance import loss_by_distance
from papilio.report.charts.three_distributions import three_distributions
from papilio.report.disguised_content import DisguisedContent
from papilio.report.number_text import count, percentage
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


def disguised(content: DisguisedContent, release: Release) -> Overview:
    """Make the overview. Cost: two drawings."""
    return overview_of(
        "disguised",
        content,
        _tiles(content),
        (_distributions(content), group_example(release), _cost(content), _depths(content)),
    )


def _tiles(content: DisguisedContent) -> tuple[Tile, ...]:
    return (
        Tile(percentage(content.loss), "of the domain is the average published range"),
        Tile(percentage(content.exact), "of the ranges are as narrow as can be"),
        Tile(percentage(content.distance), "distance of the data from the target"),
        Tile(count(content.fakes), f"fake values in {count(content.groups)} groups"),
    )


def _distributions(content: DisguisedContent) -> Part:
    rows = tuple(
        (each.label, *map(percentage, (each.source, each.target, each.published)))
        for each in content.bins
    )
    return Part(
        "Source, target and what is published",
        "Bars are the values as they are, the line is the distribution that was ordered, and dots "
        "are what a recipient can compute from the release. Dots on the line mean that the release "
        "shows the target and nothing of the bars.",
        (
            Picture(
                "Three distributions",
                three_distributions(content, width=WIDE),
                Numbers((content.sensitive, "Source", "Target", "Published"), rows),
            ),
        ),
    )


def _cost(content: DisguisedContent) -> Part:
    rows = tuple((percentage(each.distance), percentage(each.loss)) for each in content.curve)
    groups = " Each dot is a group of this release." if content.points else ""
    return Part(
        "What the target costs",
        "The farther a target is from the data, the wider the ranges. The line shows targets on "
        "the way from the data’s own distribution to the one that was ordered, if the whole table "
        f"were one group.{groups}",
        (
            Picture(
                "Loss by distance",
                loss_by_distance(content, width=WIDE),
                Numbers(("Distance from the data", "Average range"), rows),
            ),
        ),
    )


def _depths(content: DisguisedContent) -> Part:
    rows = tuple((str(depth), count(many)) for depth, many in enumerate(content.depths))
    return Part(
        "How wide the ranges are",
        "Ranges are nodes of a tree over the domain. At depth 0 a range is the whole domain, and "
        "at each depth below a part of the one above.",
        numbers=Numbers(("Depth in the tree", "Published ranges"), rows),
    )
