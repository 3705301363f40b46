"""The document about linked tables."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.document.class_parts import class_size_part, loss_picture
from papilio.document.model import (
    NARROW,
    Cell,
    Document,
    Numbers,
    Part,
    Picture,
    Pictures,
    Tile,
)
from papilio.document.of_release import cells_of, document_of_release, role
from papilio.document.owned import Owned
from papilio.document.text import count, percentage, plural, shown
from papilio.families.linked.entity_tree import entity_tree
from papilio.families.linked.facts import (
    LinkedFacts,
    cell_loss,
    linked_facts,
    losses_of,
)
from papilio.measure.linked_loss import overall_loss
from papilio.measure.ncp import Ncp
from papilio.release.manifest import Claim, PublishedColumn, PublishedTable

_ASSUMPTIONS = (
    "The attacker knows quasi-identifiers, of any rows of a person in any table, and how many rows "
    "there are; no sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "Keys are drawn at random and rows are shuffled, so neither tells anything.",
)
_LIMITS = (
    (
        "Homogeneity",
        "If the rows at one place of the trees of a class share a sensitive value, everyone in the "
        "class has it. Demand l of the column against that.",
    ),
    (
        "Sensitive values as clues",
        "A row keeps its sensitive values, also beside those of the person’s other rows. Someone "
        "who knows one of them may find the person and read the rest.",
    ),
    (
        "Removed rows",
        "Rows without counterpart in their class are missing. Counts over the release are lower "
        "bounds, and removal falls on unusual people first.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, each anonymous by itself, may single people out when "
        "they are joined.",
    ),
)
_WORDS = (
    (
        "Tree",
        "A person’s row with all rows that refer to it, and those that refer to these. Two people "
        "are alike if their trees have the same cells and shape, whatever the order.",
    ),
    (
        "Place",
        "Where a row stands in the tree of its person. At each place a class has a row of every "
        "member.",
    ),
    (
        "Removed",
        "A row, with all rows below it, that some member of the class has no counterpart for.",
    ),
    (
        "Loss",
        "The share of a column’s domain that an average published cell covers: 0% is as it was, "
        "100% says nothing.",
    ),
)


def loss(owned: Owned) -> float:
    """Share of rows removed, and of the domain that the cells of the others cover."""
    return overall_loss(losses_of(owned.release, owned.order.snowflake, owned.policy))


def document(owned: Owned) -> Document:
    """Tell everything about linked tables. Cost: one drawing per table, and three more."""
    facts = linked_facts(owned.release, owned.order.snowflake, owned.policy)
    tables = plural(len(facts.tables), "table", "tables")
    sizes = class_size_part(
        facts.sizes,
        facts.k,
        "People whose rows look the same after publishing, in all tables together, form a class.",
        "people",
    )
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(facts.sizes.rows, 'person', 'people')}, {tables}",
        loss=overall_loss(facts.losses),
        tiles=_tiles(facts),
        promises=[(_promise(claim), claim.recipient) for claim in owned.release.manifest.claims],
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
        columns=_columns(facts),
        parts=[*_example(facts), sizes, _losses(facts)],
        words=_WORDS,
    )


def _promise(claim: Claim) -> str:
    if "k" in claim.parameters:
        k = claim.parameters["k"]
        return (
            "Whatever someone knows of the quasi-identifiers of a person’s rows, in however many "
            f"tables, fits at least {plural(k, 'person', 'people')} of this release or none; they "
            f"pick the right one with a chance of at most 1 in {count(k)}."
        )
    told = ", ".join(
        f"{key} = {value}" for key, value in claim.parameters.items() if key != "column"
    )
    kind = claim.claim.removeprefix("entity-")
    return (
        f"Wherever a row of ‘{claim.table}’ stands in the trees of a class, the values of "
        f"‘{claim.parameters.get('column')}’ there meet {kind} with {told}."
    )


def _tiles(facts: LinkedFacts) -> tuple[Tile, ...]:
    demanded = "" if facts.k is None else f"; {count(facts.k)} demanded"
    classes = "class" if facts.sizes.classes == 1 else "classes"
    return (
        Tile(count(facts.sizes.smallest), f"people in the smallest class{demanded}"),
        Tile(count(facts.sizes.classes), f"{classes} of people whose rows look alike"),
        *(
            Tile(percentage(each.share_removed), f"of the rows of {shown(each.name)} removed")
            for each in facts.losses[1:3]
        ),
    )


def _columns(facts: LinkedFacts) -> Numbers:
    rows = tuple(
        (
            "" if place else shown(table.name),
            shown(column.name),
            _role(column),
            _published(table, column),
        )
        for table in facts.tables
        for place, column in enumerate(table.columns)
    )
    return Numbers(("Table", "Column", "Role", "Published"), rows, look="plain")


def _role(column: PublishedColumn) -> Cell:
    return column.role if column.role in ("key", "parent") else role(column.role)


def _published(table: PublishedTable, column: PublishedColumn) -> str:
    if column.role == "key":
        return "random numbers"
    if column.role == "parent":
        return f"keys of {', '.join(map(shown, table.parent or ()))}"
    return cells_of(column)


def _example(facts: LinkedFacts) -> Iterator[Part]:
    if facts.example is not None:
        before, after = facts.example.before, facts.example.after
        times = f"As it is published, at least {count(facts.k or 1)} times"
        yield Part(
            "One person before and after",
            "Rows are indented below the row they belong to. Rows struck out have no counterpart "
            "with others of the class and are removed; the cells of the others are those that all "
            "members of the class share.",
            (
                Pictures(
                    (
                        Picture("As it was", entity_tree(before, title="Before", width=NARROW)),
                        Picture(times, entity_tree(after, title="After", width=NARROW)),
                    )
                ),
            ),
            look="whole",
        )


def _losses(facts: LinkedFacts) -> Part:
    rows = tuple(
        (
            shown(each.name),
            count(each.rows),
            count(each.removed),
            percentage(each.share_removed),
            count(each.over),
        )
        for each in facts.losses
    )
    pictures = tuple(
        loss_picture(Ncp(cell_loss(each), each.columns), f"Cells of {shown(each.name)}", NARROW)
        for each in facts.losses
        if each.columns
    )
    return Part(
        "What was lost",
        "Rows that are missing are counted here and nowhere else: the release does not say how "
        "many there were. The pictures show the share of a column’s domain that an average cell "
        "leaves open.",
        (
            Numbers(("Table", "Rows", "Removed", "Share", "Beyond at_most"), rows),
            Pictures(pictures),
        ),
        look="whole",
    )
