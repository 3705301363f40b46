"""The document about a permuted release."""

from __future__ import annotations

from papilio.document.class_parts import group_part
from papilio.document.model import WIDE, Document, Numbers, Part, Picture, Text, Tile
from papilio.document.of_release import columns_table, document_of_release
from papilio.document.owned import Owned
from papilio.document.text import (
    count,
    listing,
    percentage,
    plain_number,
    plural,
    shown,
    significant,
)
from papilio.families.permutation.facts import PermutedFacts, permuted_facts
from papilio.families.permutation.histogram import Histogram, histogram_chart
from papilio.release.manifest import Claim

_ASSUMPTIONS = (
    "The attacker knows values of the quasi-identifiers, and nobody’s sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "The attacker learns nothing from the order of rows or groups: Papilio shuffles both tables.",
)

_LIMITS = (
    (
        "Presence",
        "Quasi-identifiers are published as they are. That a person is in the table can be seen; "
        "only whose value is whose cannot.",
    ),
    (
        "Frequencies",
        "A group has k different values, but most of its rows may share one of them, or be NULL. "
        "Then guessing it is right most of the time.",
    ),
    (
        "Values close together",
        "e is the distance of the two ends of a group. All values but one may lie close together.",
    ),
    (
        "Knowing others",
        "Someone who knows the values of other people of a group can strike them out; with k "
        "different values, those of all k - 1 others, if each occurs once.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, with different groups, tell more than each by itself: "
        "a person’s value is in both groups. Do not publish the same people twice.",
    ),
)

_PUBLISHED = {
    "sensitive": "apart, by group, in random order",
    "": "as it was, with the number of the group",
}
_WORDS = (
    (
        "Quasi-identifier",
        "A column whose value a recipient may know of a person, from elsewhere: age, postcode, "
        "profession. Here they are published exactly.",
    ),
    (
        "Group",
        "Rows among which the values of the sensitive column are permuted. A person’s group is "
        "public, their value is one of the group’s.",
    ),
    (
        "k and e",
        "Every group has at least k different values, and its largest and smallest are at least e "
        "apart. Missing values do not count.",
    ),
    (
        "Width",
        "Largest minus smallest value of a group: by how much a guess at one value can be wrong.",
    ),
)


def loss(owned: Owned) -> float:
    """Average width of a group as a share of that of all values."""
    return permuted_facts(owned.release).loss


def document(owned: Owned) -> Document:
    """Tell everything about a permuted release. Cost: three drawings."""
    facts = permuted_facts(owned.release)
    columns = plural(len(facts.columns), "column", "columns")
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(facts.rows, 'row', 'rows')}, {columns}",
        loss=facts.loss,
        tiles=_tiles(facts),
        promises=[(_promise(claim), claim.recipient) for claim in owned.release.manifest.claims],
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
        columns=columns_table(facts.columns, _PUBLISHED),
        parts=[group_part(owned.release), _groups(facts), _precision(facts), _values(facts)],
        words=_WORDS,
    )


def _promise(claim: Claim) -> str:
    """Say what a claim of (k,e)-anonymity promises."""
    told = claim.parameters
    known = listing([f"‘{name}’" for name in claim.columns])
    apart = plain_number(told.get("e", 0))
    return (
        f"Someone who knows the {known} of a person in this table learns a group of values of "
        f"‘{told.get('column')}’, of which theirs is one: at least {told.get('k')} different ones, "
        f"the largest and the smallest at least {apart} apart. Which of them it is, nothing tells."
    )


def _tiles(facts: PermutedFacts) -> tuple[Tile, ...]:
    of_all = f", {percentage(facts.widest / facts.range)} of all values" if facts.range else ""
    groups = "group" if facts.groups == 1 else "groups"
    return (
        Tile(count(facts.groups), f"{groups} inside which values are permuted"),
        Tile(significant(facts.rows / facts.groups), "rows in a group on average"),
        Tile(significant(facts.widest), f"width of the widest group{of_all}"),
        Tile(count(facts.missing), "missing values, spread over the groups by their size"),
    )


def _groups(facts: PermutedFacts) -> Part:
    return Part(
        "Groups",
        "Rows are divided into groups by their sensitive value. Inside a group nothing tells which "
        "value is whose. The more rows a group has, the more people share its values; the narrower "
        "it is, the more precisely questions can be answered.",
        (
            _picture(facts.sizes),
            _picture(facts.widths),
            Text(
                f"Together, the widths of all groups are {significant(facts.total_width)}; all "
                f"values span {significant(facts.range)}."
            ),
        ),
        look="whole",
    )


def _picture(histogram: Histogram, *, titled: bool = True) -> Picture:
    rows = tuple((bar.label, count(bar.count)) for bar in histogram.bars if bar.count)
    numbers = Numbers((shown(histogram.axis).capitalize(), histogram.things.capitalize()), rows)
    drawn = histogram_chart(histogram, width=WIDE)
    return Picture(histogram.title, drawn, numbers, titled=titled)


def _precision(facts: PermutedFacts) -> Part:
    rows = tuple(
        (percentage(each.share), *map(significant, (each.low, each.mean, each.high, each.std)))
        for each in facts.precision
    )
    head = ("Rows of each group", "Lower bound", "Mean", "Upper bound", "Standard deviation")
    return Part(
        "What can be known",
        f"How precisely the sum of ‘{shown(facts.sensitive)}’ is known over rows that a condition "
        "on quasi-identifiers selects, for conditions that select the same share of each group. "
        "The true sum lies between the bounds, always; the mean and the standard deviation are "
        "those of all ways to deal the values out.",
        (Numbers(head, rows),),
        look="whole",
    )


def _values(facts: PermutedFacts) -> Part:
    return Part(
        "The sensitive column",
        f"‘{shown(facts.sensitive)}’ is published value by value, so its distribution is that of "
        "the original.",
        (_picture(facts.values, titled=False),),
        look="whole",
    )
