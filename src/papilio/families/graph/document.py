"""The document about a released graph."""

from __future__ import annotations

from collections.abc import Iterator

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
from papilio.document.owned import Owned
from papilio.document.text import count, percentage, plural, shown
from papilio.families.graph.charts import count_bars_chart, link_risk_chart, neighbourhood_chart
from papilio.families.graph.facts import CountBar, GraphFacts, GraphSide, doubt, graph_facts
from papilio.privacy.safe_grouping import SafeGrouping

_ASSUMPTIONS = (
    "The attacker does not know how many links somebody has, nor anything else about their place "
    "in the graph.",
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
    (claim, *_) = owned.release.manifest.claims
    sides = ", ".join(f"{count(side.entities)} {shown(side.name)}" for side in facts.sides)
    return document_of_release(
        owned,
        facts.name,
        size=f"{sides}, {plural(facts.edges, 'link', 'links')}",
        loss=1.0 - facts.average,
        tiles=_tiles(facts),
        promises=[(_promise(facts.demanded, left.name, right.name), claim.recipient)],
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
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
