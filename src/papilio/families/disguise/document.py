"""The document about a disguised release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.svg import AFTER, BEFORE, FIT, MARK, distinct_labels, to_svg
from papilio.document.class_parts import group_part
from papilio.document.contract import Owned
from papilio.document.model import WIDE, Document, Numbers, Part, Picture, Tile
from papilio.document.of_release import columns_table, document_of_release
from papilio.document.text import count, listing, percentage, plural, shown
from papilio.families.disguise.facts import DisguisedFacts, Point, disguised_facts, range_share
from papilio.privacy.group_floor import GroupFloor
from papilio.release.manifest import Claim
from papilio.release.release import Release
from papilio.release.target_tree import claim_of

_NAMES = ("source", "target", "published")


def three_distributions(facts: DisguisedFacts, *, width: int) -> Markup:
    """Draw bars for the source, a line for the target and dots for what is published."""
    names = distinct_labels([each.label for each in facts.bins])
    values = [
        {"bin": name, "what": what, "share": getattr(each, what)}
        for name, each in zip(names, facts.bins, strict=True)
        for what in _NAMES
    ]
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=list(_NAMES), range=[BEFORE, MARK, AFTER]),
        legend=alt.Legend(title=None, orient="top"),
    )
    x = alt.X("bin:N", sort=None, title=facts.sensitive).axis(
        labelAngle=-45, labelOverlap=True, grid=False
    )
    y = alt.Y("share:Q", title="share").axis(format="~%", tickCount=5)
    bars = _chart(values, "source").mark_bar().encode(x, y, colour)
    line = _chart(values, "target").mark_line(interpolate="step", strokeWidth=1.6)
    dots = _chart(values, "published").mark_point(filled=True, size=34, opacity=1)
    chart = alt.layer(bars, line.encode(x, y, colour), dots.encode(x, y, colour)).properties(
        width=width, height=240, autosize=FIT
    )
    return to_svg(
        chart,
        title=f"{facts.sensitive}: three distributions",
        description=describe_distributions(facts),
    )


def describe_distributions(facts: DisguisedFacts) -> str:
    """Say in a sentence what the picture shows."""
    return (
        f"The data is {percentage(facts.distance)} away from the target, what is published "
        f"{percentage(facts.published_distance)} (total variation)."
    )


def _chart(values: list[dict[str, Any]], what: str) -> Any:
    return alt.Chart(alt.InlineData([each for each in values if each["what"] == what]))


def loss_by_distance(facts: DisguisedFacts, *, width: int) -> Markup:
    """Draw a line for targets between the data and the one chosen, and a dot for each group."""
    x = alt.X("distance:Q", title="distance of the target from the data").axis(
        format="~%", tickCount=6
    )
    y = alt.Y("loss:Q", title="average range, share of the domain").axis(format="~%", tickCount=5)
    line = alt.Chart(_points(facts.curve)).mark_line(
        color=AFTER, strokeWidth=1.6, point=alt.OverlayMarkDef(color=AFTER, size=22)
    )
    dots = alt.Chart(_points(facts.points)).mark_point(
        color=MARK, filled=True, size=60, opacity=0.7
    )
    chart = alt.layer(line.encode(x, y), dots.encode(x, y)).properties(
        width=width, height=240, autosize=FIT
    )
    return to_svg(
        chart, title="Loss and distance of the target", description=describe_losses(facts)
    )


def describe_losses(facts: DisguisedFacts) -> str:
    """Say in a sentence what the picture shows."""
    last = facts.curve[-1]
    return (
        f"As one group, the table would lose {percentage(last.loss)} for a target "
        f"{percentage(last.distance)} away from it; the release loses {percentage(facts.loss)}."
    )


def _points(points: Sequence[Point]) -> Any:
    return alt.InlineData([{"distance": each.distance, "loss": each.loss} for each in points])


_ASSUMPTIONS = (
    "The attacker knows values of the quasi-identifiers, and nobody’s sensitive value.",
    "The attacker takes published ranges as they are, and does not ask which values would have led "
    "the method to publish them.",
    "The attacker has this release and no other release about the same people.",
    "The attacker learns nothing from the order of rows or groups: Papilio shuffles both tables.",
)
_MINIMALITY = (
    "Knowing the method",
    "Someone who knows that ranges are as narrow as the target allows can reason about which "
    "values would have led to them, and believes something else than the target afterwards. The "
    "attack ‘minimality’ measures how far; a randomised allocation lowers it.",
)
_COMMON = (
    (
        "Presence",
        "Quasi-identifiers are published as they are. That a person is in the table can be seen.",
    ),
    (
        "Sums over groups",
        "Ranges are true. The sum over all people of a group is known as precisely as its ranges "
        "are narrow, whatever the target.",
    ),
    (
        "Knowing others",
        "Someone who knows the values of other people of a group can strike out the ranges that "
        "must be theirs.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people with different targets or groups tell more than each "
        "by itself. Do not publish the same people twice.",
    ),
)
_PERSONAL = (
    "Inside one’s own demand only",
    "That a person’s value lies inside the range of their pool is public. Who names their own "
    "value as all they demand has it published.",
)
_PUBLISHED = {
    "sensitive": "apart, by group, as ranges in random order",
    "": "as it was, with the number of the group",
}
_WORDS = (
    ("Group", "People whose ranges are published together, in random order."),
    ("Target", "The distribution that each group’s ranges follow, whatever its values are."),
    (
        "Distance",
        "Total variation: the largest difference, over all sets of values, of the share they have "
        "in one distribution and in the other.",
    ),
    (
        "Fake value",
        "A range that belongs to nobody. It lets others be narrower; who asks for a sum over a "
        "group then knows less well which ranges count.",
    ),
)


def loss(owned: Owned) -> float:
    """Average range of a published cell as a share of the domain."""
    return range_share(owned.release)


def document(owned: Owned) -> Document:
    """Tell everything about a disguised release. Cost: two drawings."""
    facts = disguised_facts(owned.release, owned.order.table)
    claim = claim_of(owned.release)
    columns = plural(len(facts.columns), "column", "columns")
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(facts.rows, 'row', 'rows')}, {columns}",
        loss=facts.loss,
        tiles=_tiles(facts),
        promises=[(_promise(claim), claim.recipient), *_floors(owned.release)],
        assumptions=_ASSUMPTIONS,
        limits=_limits(claim),
        columns=columns_table(facts.columns, _PUBLISHED),
        parts=[_distributions(facts), group_part(owned.release), _cost(facts), _depths(facts)],
        words=_WORDS,
    )


def _floors(release: Release) -> Iterator[tuple[str, str]]:
    """Say what the groups of a release leave besides."""
    for claim in release.manifest.claims:
        if claim.claim == GroupFloor.name:
            told = claim.parameters
            wide = f" over at least {told['e']}" if told["e"] else ""
            people, values = (plural(told[key], *words) for key, words in _COUNTED.items())
            text = (
                f"Every group has at least {people}, and leaves at least {values} of "
                f"‘{told['column']}’{wide}."
            )
            yield text, claim.recipient


_COUNTED = {"k": ("person", "people"), "l": ("value", "values")}


def _promise(claim: Claim) -> str:
    """Say what the claim of a disguised release promises."""
    told = claim.parameters
    known = listing([f"‘{name}’" for name in claim.columns])
    if claim.claim == "personal-levels":
        return (
            f"Someone who knows the {known} of a person in this table learns a range in which "
            f"their ‘{told.get('column')}’ lies; inside what the person demanded, they learn the "
            "target distribution and nothing else."
        )
    shift = float(told.get("shift") or 0)
    near = f", up to {percentage(shift)} in each share of a split" if shift else ""
    return (
        f"Someone who knows the {known} of a person in this table learns of their "
        f"‘{told.get('column')}’ the target distribution{near}, whatever the values are."
    )


def _limits(claim: Claim) -> tuple[tuple[str, str], ...]:
    """Name what a disguised release does not protect against."""
    own = (_PERSONAL,) if claim.claim == "personal-levels" else ()
    return (_MINIMALITY, *own, *_COMMON)


def _tiles(facts: DisguisedFacts) -> tuple[Tile, ...]:
    values = "value" if facts.fakes == 1 else "values"
    groups = plural(facts.groups, "group", "groups")
    return (
        Tile(percentage(facts.loss), "of the domain is the average published range"),
        Tile(percentage(facts.exact), "of the ranges are as narrow as can be"),
        Tile(percentage(facts.distance), "distance of the data from the target"),
        Tile(count(facts.fakes), f"fake {values} in {groups}"),
    )


def _distributions(facts: DisguisedFacts) -> Part:
    rows = tuple(
        (each.label, *map(percentage, (each.source, each.target, each.published)))
        for each in facts.bins
    )
    several = (
        f", averaged over {facts.parts} parts with targets of their own" if facts.parts > 1 else ""
    )
    return Part(
        "Source, target and what is published",
        f"Bars are the values as they are, the line is the distribution that was ordered{several}, "
        "and dots are what a recipient can compute from the release: each range spread out as the "
        "target says. Dots on the line mean that the release shows the target and nothing of the "
        "bars.",
        (
            Picture(
                "Three distributions",
                three_distributions(facts, width=WIDE),
                Numbers((shown(facts.sensitive), "Source", "Target", "Published"), rows),
                titled=False,
            ),
        ),
        look="whole",
    )


def _cost(facts: DisguisedFacts) -> Part:
    rows = tuple((percentage(each.distance), percentage(each.loss)) for each in facts.curve)
    groups = " Each dot is a group of this release." if facts.points else ""
    return Part(
        "What the target costs",
        "The farther a target is from the data, the wider the ranges. The line shows targets on "
        "the way from the data’s own distribution to the one that was ordered, if the whole table "
        f"were one group.{groups}",
        (
            Picture(
                "Loss by distance",
                loss_by_distance(facts, width=WIDE),
                Numbers(("Distance from the data", "Average range"), rows),
                titled=False,
            ),
        ),
        look="whole",
    )


def _depths(facts: DisguisedFacts) -> Part:
    rows = tuple((str(depth), count(many)) for depth, many in enumerate(facts.depths))
    return Part(
        "How wide the ranges are",
        "Ranges are nodes of a tree over the domain. At depth 0 a range is the whole domain, and "
        "at each depth below a part of the one above.",
        (Numbers(("Depth in the tree", "Published ranges"), rows),),
        look="whole",
    )
