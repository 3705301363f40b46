"""The document about a released graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import altair as alt
from markupsafe import Markup

from papilio.attack.learned_links import Conclusion
from papilio.document.charts.svg import AFTER, BEFORE, FIT, INK, MARK, MUTED, to_svg, whole_ticks
from papilio.document.contract import Owned
from papilio.document.model import (
    NARROW,
    WIDE,
    Document,
    Numbers,
    Part,
    Picture,
    Pictures,
    Tile,
)
from papilio.document.of_release import document_of_release
from papilio.document.text import count, percentage, plural, shown
from papilio.document.text import count as number
from papilio.families.graph.facts import (
    CountBar,
    GraphFacts,
    GraphSide,
    Neighbourhood,
    doubt,
    graph_facts,
)
from papilio.privacy.safe_grouping import KNOWN_DEGREE, SafeGrouping

_KINDS = ("allowed", "links of others", "links of those learnt about")
_WIDEST_BAR = 60
_HEIGHT = 320
_HUES = (AFTER, MARK, "#6a4c93", "#4d7c0f", "#1d4e89", "#9d174d", "#7c5e10", "#3f3f46")
Row = dict[str, Any]


def neighbourhood_chart(near: Neighbourhood, *, width: int) -> Markup:
    """Draw entities, nodes and neighbours in three columns."""
    entities = _column(0.0, near.nodes)
    nodes = _column(1.0, near.nodes)
    others = _column(2.0, len(near.groups))
    named = [{**at, "text": str(group)} for at, group in zip(others, near.groups, strict=True)]
    doubt = [_line(a, b) for a in entities for b in nodes]
    links = [_line(nodes[x], others[y]) for x, y in near.edges]
    layers: list[Any] = [
        _lines(doubt).mark_rule(color=BEFORE, strokeWidth=0.7, strokeDash=[2, 3]),
        _lines(links).mark_rule(color=MUTED, strokeWidth=1.2),
        _points(entities).mark_point(filled=True, size=110, color=INK, opacity=1, shape="square"),
        _points(nodes).mark_point(filled=True, size=110, color=BEFORE, opacity=1, stroke=INK),
        *(
            _points([at]).mark_point(
                filled=True, size=150, opacity=1, color=_HUES[(group - 1) % len(_HUES)]
            )
            for at, group in zip(others, near.groups, strict=True)
        ),
        _points(named)
        .mark_text(align="left", dx=12, color=MUTED, fontSize=11)
        .encode(text="text:N"),
        *_heads(near),
    ]
    chart = alt.layer(*layers).properties(width=min(width, 760), height=_HEIGHT)
    description = (
        f"{near.nodes} of {near.entities} entities of a group of '{near.near}', its nodes, and "
        f"{len(near.groups)} nodes of '{near.far}' linked to them. Any entity may be any node."
    )
    return to_svg(chart, title="A masked neighbourhood", description=description)


def _column(x: float, count: int) -> list[Row]:
    return [{"x": x, "y": 1 - (place + 0.5) / count} for place in range(count)]


def _line(one: Row, other: Row) -> Row:
    return {"x": one["x"], "y": one["y"], "x2": other["x"], "y2": other["y"]}


def _x() -> alt.X:
    return alt.X("x:Q", axis=None).scale(domain=[-0.25, 2.35], nice=False)


def _y() -> alt.Y:
    return alt.Y("y:Q", axis=None).scale(domain=[0, 1.12], nice=False)


def _lines(rows: list[Row]) -> alt.Chart:
    return alt.Chart(alt.InlineData(rows)).encode(_x(), _y(), x2="x2", y2="y2")


def _points(rows: list[Row]) -> alt.Chart:
    return alt.Chart(alt.InlineData(rows)).encode(_x(), _y())


def _heads(near: Neighbourhood) -> list[alt.Chart]:
    """What stands in the columns; the outer ones begin and end where the picture does."""
    heads: tuple[tuple[float, Literal["left", "center", "right"], str], ...] = (
        (-0.25, "left", f"entities of {shown(near.near, 24)}"),
        (1.0, "center", "nodes of their group"),
        (2.35, "right", f"nodes of {shown(near.far, 24)}, with their group"),
    )
    style: dict[str, Any] = {"color": INK, "fontSize": 12, "fontWeight": "bold"}
    return [
        _points([{"x": x, "y": 1.08, "text": text}])
        .mark_text(align=align, **style)
        .encode(text="text:N")
        for x, align, text in heads
    ]


def link_risk_chart(
    strongest: float, bound: float, learnt: tuple[Conclusion, ...], *, width: int
) -> Markup:
    """Draw a bar per number of learnt links for what is allowed and what was found."""
    rows = [{"learnt": "0", "kind": _KINDS[0], "belief": bound}]
    rows.append({"learnt": "0", "kind": _KINDS[1], "belief": strongest})
    for each in learnt:
        found = (each.bound, each.untouched, each.touched)
        rows += [
            {"learnt": str(each.learnt), "kind": kind, "belief": belief}
            for kind, belief in zip(_KINDS, found, strict=True)
            if belief is not None
        ]
    chart = (
        alt.Chart(alt.InlineData(rows))
        .mark_bar()
        .encode(
            alt.X("learnt:O", title="links the attacker knows", sort=None).axis(labelAngle=0),
            alt.Y("belief:Q", title="strongest belief").axis(format="~%").scale(domain=[0, 1]),
            alt.Color(
                "kind:N",
                scale=alt.Scale(domain=list(_KINDS), range=[BEFORE, AFTER, MARK]),
                legend=None,
            ),
            xOffset=alt.XOffset("kind:N", sort=list(_KINDS)),
        )
        .properties(width=min(width, 620), height=190, autosize=FIT)
    )
    description = f"Without any learnt link the strongest belief is {percentage(strongest)}."
    return to_svg(chart, title="Belief by learnt links", description=description)


def count_bars_chart(
    bars: tuple[CountBar, ...], *, title: str, axis: str, things: str, width: int
) -> Markup:
    """Draw one bar per label.

    Parameters
    ----------
    bars
        What is counted.
    title
        What the picture shows, for readers who cannot see it.
    axis, things
        What the labels are, and what is counted.
    width
        Of the picture.
    """
    data = alt.InlineData([{"label": bar.label, "n": bar.count} for bar in bars])
    x = alt.X("label:O", sort=None, title=axis).axis(labelAngle=0, labelOverlap="greedy")
    y = alt.Y("n:Q", title=things).axis(
        format=",d", tickMinStep=1, tickCount=whole_ticks(max(bar.count for bar in bars))
    )
    fitting = min(width, 100 + _WIDEST_BAR * len(bars))
    chart = alt.Chart(data).mark_bar(color=AFTER).encode(x, y)
    most = max(bars, key=lambda bar: bar.count)
    description = (
        f"{number(sum(bar.count for bar in bars))} {things}; most, {number(most.count)}, have "
        f"{most.label}."
    )
    sized = chart.properties(width=fitting, height=190, autosize=FIT)
    return to_svg(sized, title=title, description=description)


_UNKNOWN = (
    "The attacker does not know how many links somebody has, nor anything else about their place "
    "in the graph."
)
_KNOWN = (
    "The attacker may know how many links people have, but nothing else about their place in the "
    "graph, such as how many links those have that they are linked to."
)
_ASSUMPTIONS = (
    "The attacker has this release and no other release of the same graph.",
    "No published attribute tells the structure, such as a number of links under another name.",
)
_LIMITS = (
    (
        "Knowing the structure",
        "The structure is published as it is. Whoever knows that somebody has more links than "
        "anyone else finds their node, and with it the nodes they are linked to.",
    ),
    (
        "Learnt links",
        "Each learnt link tells more: with r of them the belief in a link of others is at most "
        "1 in max(k, l) - r, which is no promise any more at max(k, l) - 1. Of those whose links "
        "were learnt, further links may become certain earlier.",
    ),
    (
        "A second release",
        "Two releases of one graph with different groups tell more than each by itself. A (k,1) "
        "and a (1,l) release together single most people out.",
    ),
    (
        "Presence and attributes",
        "Entities and their plain attributes are published as they are. Only who is linked to whom "
        "is masked.",
    ),
    (
        "Absence of links",
        "That two entities are not linked can often be concluded; it is not protected.",
    ),
)
_WORDS = (
    (
        "Entity and node",
        "An entity is a row with attributes; a node is a place in the graph. The release has both, "
        "and hides which entity is which node.",
    ),
    ("Group", "So many entities and as many nodes. Each of the entities is one of the nodes."),
    (
        "Safe",
        "No two nodes of a group share a neighbour. Then there are few links between any two "
        "groups, and each is uncertain.",
    ),
    ("Strict", "No group has more than one node over what is demanded."),
)


def loss(owned: Owned) -> float:
    """Doubt about an average link."""
    return doubt(owned.release)


def document(owned: Owned) -> Document:
    """Tell everything about a released graph. Cost: six drawings, and simulated attackers."""
    facts = graph_facts(owned.release)
    left, right = facts.sides
    claims = {claim.claim: claim for claim in owned.release.manifest.claims}
    claim, known = claims["safe-grouping"], claims.get(KNOWN_DEGREE)
    sides = ", ".join(f"{count(side.entities)} {shown(side.name)}" for side in facts.sides)
    return document_of_release(
        owned,
        facts.name,
        size=f"{sides}, {plural(facts.edges, 'link', 'links')}",
        loss=1.0 - facts.average,
        tiles=_tiles(facts),
        promises=[
            (_promise(facts.demanded, left.name, right.name), claim.recipient),
            *([] if known is None else [(_known(known.parameters["s"]), known.recipient)]),
        ],
        assumptions=(_UNKNOWN if known is None else _KNOWN, *_ASSUMPTIONS),
        limits=(*_missing(claim.parameters.get("dropped", 0), facts.edges), *_LIMITS),
        columns=_published(facts),
        parts=[
            *_masked(facts),
            _belief(facts),
            _bars(
                "Groups",
                "How many nodes groups have. Nodes of a group cannot be told apart: the larger it "
                "is, the safer, and the less precise are the answers.",
                [(side, side.sizes, "nodes in the group", "groups") for side in facts.sides],
            ),
            _bars(
                "Links",
                "How many links nodes have. The release shows this exactly, and every other "
                "property of the structure.",
                [(s, s.degrees, "links", f"nodes of {shown(s.name)}") for s in facts.sides],
            ),
        ],
        words=_WORDS,
    )


def _promise(demanded: SafeGrouping, left: str, right: str) -> str:
    """Say what a safe grouping promises."""
    sides = []
    for name, size in ((left, demanded.k), (right, demanded.l)):
        hidden = f"one of at least {size} nodes" if size > 1 else "known by name"
        sides.append(f"each of '{name}' is {hidden}")
    return (
        f"In the graph, {' and '.join(sides)}; from the release alone nobody can believe in a link "
        f"between two of them with more than 1 in {max(demanded.k, demanded.l)}."
    )


def _known(size: int) -> str:
    """Say what is promised to who knows degrees."""
    return (
        "Who knows how many links both ends of a link have can believe in it with no more than 1 "
        f"in {size}."
    )


def _missing(dropped: int, left: int) -> tuple[tuple[str, str], ...]:
    """Say that links are missing, if some are."""
    if not dropped:
        return ()
    text = (
        f"{count(dropped)} of {plural(dropped + left, 'link', 'links')} of the original are left "
        "out, so that all nodes of a group of one side have equally many. Answers are about those "
        "that are left."
    )
    return (("Missing links", text),)


def _tiles(facts: GraphFacts) -> tuple[Tile, ...]:
    return (
        *(
            Tile(
                count(side.groups),
                f"groups of {shown(side.name)}, of at most {count(side.largest)}; {side.letter} = "
                f"{count(side.demanded)} demanded",
            )
            for side in facts.sides
        ),
        Tile(
            percentage(facts.strongest),
            f"strongest belief in a link from the release alone; {percentage(facts.bound)} allowed",
        ),
        Tile(percentage(facts.average), "belief in a link that there is, on average"),
    )


def _published(facts: GraphFacts) -> Numbers:
    rows = tuple(
        (
            shown(side.name),
            ", ".join(map(shown, side.attributes)) or "none",
            f"each entity is one of at least {count(side.demanded)}"
            if side.demanded > 1
            else "known by name",
        )
        for side in facts.sides
    )
    return Numbers(("Table", "Attributes, as they were", "Nodes"), rows, look="plain")


def _masked(facts: GraphFacts) -> Iterator[Part]:
    near = facts.neighbourhood
    if near is not None:
        some = f" {near.nodes} of {near.entities} are shown." if near.nodes < near.entities else ""
        yield Part(
            "What is masked",
            "One group as the release shows it. On the left are entities with their attributes, in "
            "the middle the nodes of their group: any entity may be any of them. On the right are "
            "the nodes they are linked to, with a colour and a number for the group each is in; "
            f"which entity of that group it is, is masked too.{some}",
            (Picture("A group", neighbourhood_chart(near, width=WIDE), titled=False),),
            look="whole",
        )


def _belief(facts: GraphFacts) -> Part:
    rows = [("0", percentage(facts.bound), percentage(facts.strongest), "–")]
    rows += [
        (count(each.learnt), percentage(each.bound), _share(each.untouched), _share(each.touched))
        for each in facts.learnt
    ]
    head = ("Learnt links", "Allowed", "Links of others", "Links of those learnt about")
    drawn = link_risk_chart(facts.strongest, facts.bound, facts.learnt, width=WIDE)
    return Part(
        "Risk of learning links",
        "How strongly somebody could believe that two entities are linked, by the number of links "
        "they know already. Grey: what the policy allows for two entities the attacker learnt "
        "nothing about. Green: the strongest such belief of simulated attackers. Orange: their "
        "strongest belief in a further link of somebody they learnt about, which is not bounded.",
        (Picture("Belief by learnt links", drawn, Numbers(head, tuple(rows)), titled=False),),
        look="whole",
    )


def _share(share: float | None) -> str:
    return "too much work" if share is None else percentage(share)


def _bars(
    title: str, lead: str, sides: list[tuple[GraphSide, tuple[CountBar, ...], str, str]]
) -> Part:
    """Counts of both sides beside each other."""
    pictures = []
    for side, bars, axis, things in sides:
        drawn = count_bars_chart(
            bars, title=f"{title} of {side.name}", axis=axis, things=things, width=NARROW
        )
        rows = tuple((bar.label, count(bar.count)) for bar in bars if bar.count)
        head = (axis.capitalize(), things.capitalize())
        pictures.append(Picture(shown(side.name), drawn, Numbers(head, rows)))
    return Part(title, lead, (Pictures(tuple(pictures)),), look="whole")
