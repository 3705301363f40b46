"""A released graph at a glance."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.report.charts.count_bars import count_bars_chart
from papilio.report.charts.link_risk import link_risk_chart
from papilio.report.charts.neighbourhood import neighbourhood_chart
from papilio.report.graph_content import CountBar, GraphContent, GraphSide
from papilio.report.number_text import count, percentage
from papilio.report.overview.overview import (
    NARROW,
    WIDE,
    Numbers,
    Overview,
    Part,
    Picture,
    Tile,
    overview_of,
)


def graph(content: GraphContent) -> Overview:
    """Make the overview. Cost: six drawings."""
    return overview_of(
        "graph",
        content,
        _tiles(content),
        (*_neighbourhood(content), _risk(content), _groups(content), _links(content)),
    )


def _tiles(content: GraphContent) -> tuple[Tile, ...]:
    return (
        *(
            Tile(
                count(side.groups),
                f"groups of {side.name}; {side.letter} = {count(side.demanded)} demanded",
            )
            for side in content.sides
        ),
        Tile(
            percentage(content.strongest),
            f"strongest belief in a link; {percentage(content.bound)} allowed",
        ),
        Tile(percentage(content.average), "belief in a link that there is, on average"),
    )


def _neighbourhood(content: GraphContent) -> Iterator[Part]:
    if content.neighbourhood is not None:
        yield Part(
            "What is masked",
            "One group as the release shows it. On the left are entities with their attributes, in "
            "the middle the nodes of their group: any entity may be any of them. On the right are "
            "the nodes they are linked to, with a colour and a number for the group each is in.",
            (Picture("A group", neighbourhood_chart(content.neighbourhood, width=WIDE)),),
        )


def _risk(content: GraphContent) -> Part:
    drawn = link_risk_chart(content.strongest, content.bound, content.learnt, width=WIDE)
    rows: list[tuple[str, ...]] = [
        ("0", percentage(content.bound), percentage(content.strongest), "–")
    ]
    rows += [
        (count(each.learnt), *map(_belief, (each.bound, each.untouched, each.touched)))
        for each in content.learnt
    ]
    head = ("Learnt links", "Allowed", "Links of others", "Links of those learnt about")
    return Part(
        "Belief in links",
        "How strongly somebody could believe that two entities are linked, by the number of links "
        "they know already. Grey: what the policy allows. Green: the strongest belief of simulated "
        "attackers about others. Orange: their strongest belief in a further link of somebody they "
        "learnt about, which is not bounded.",
        (Picture("Belief by learnt links", drawn, Numbers(head, tuple(rows))),),
    )


def _belief(share: float | None) -> str:
    return "–" if share is None else percentage(share)


def _groups(content: GraphContent) -> Part:
    return Part(
        "Groups",
        "Nodes of a group cannot be told apart; the larger a group, the safer.",
        tuple(_bars(s, s.sizes, "nodes in the group", "groups") for s in content.sides),
    )


def _links(content: GraphContent) -> Part:
    return Part(
        "Links",
        "How many links nodes have is published as it is.",
        tuple(_bars(s, s.degrees, "links", f"nodes of {s.name}") for s in content.sides),
    )


def _bars(side: GraphSide, bars: tuple[CountBar, ...], axis: str, things: str) -> Picture:
    drawn = count_bars_chart(bars, title=side.name, axis=axis, things=things, width=NARROW)
    numbers = Numbers((axis, things), tuple((bar.label, count(bar.count)) for bar in bars))
    return Picture(side.name, drawn, numbers)
