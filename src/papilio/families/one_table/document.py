"""The document about one generalised table."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.document.class_parts import class_size_part, loss_part
from papilio.document.contract import assumptions, limits, promise
from papilio.document.model import (
    NARROW,
    Cell,
    Change,
    Document,
    Legend,
    Numbers,
    Part,
    Picture,
    Pictures,
    Styled,
    Tile,
    Tiles,
)
from papilio.document.of_release import columns_table, document_of_release
from papilio.document.owned import Owned
from papilio.document.text import count, percentage, plural, shown, significant
from papilio.families.one_table.distribution_chart import distribution_chart
from papilio.families.one_table.distributions import Distribution
from papilio.families.one_table.example_rows import ExampleRow
from papilio.families.one_table.facts import TableFacts, table_facts
from papilio.measure.ncp import ncp
from papilio.measure.published_classes import published_classes

WORDS = (
    (
        "Quasi-identifier",
        "A column whose value a recipient may know of a person, from elsewhere: age, postcode, "
        "profession.",
    ),
    (
        "Class",
        "All rows with the same published quasi-identifiers. The larger, the safer and the less "
        "precise.",
    ),
    (
        "Loss",
        "Normalised certainty penalty: (largest − smallest) ÷ range of the column for ranges, "
        "(values − 1) ÷ (all values − 1) for lists and for the leaves under a label. Compare it "
        "between methods and values of k; there is no good or bad by itself.",
    ),
    (
        "Moved",
        "Half the sum of the differences between before and after: the share of the rows that "
        "would have to change place to turn one picture into the other.",
    ),
)


def loss(owned: Owned) -> float:
    """Normalised certainty penalty of a release. Cost: one grouping of its rows."""
    return ncp(published_classes(owned.release, owned.order.table)).overall


def document(owned: Owned) -> Document:
    """Tell everything about a generalised table. Cost: a drawing per quasi-identifier, and two."""
    facts = table_facts(owned.release, owned.order.table)
    sizes = facts.sizes
    tiles = (
        Tile(count(sizes.smallest), f"rows in the smallest class{demanded(facts.k)}"),
        Tile(percentage(facts.loss.overall), "of the detail in quasi-identifiers lost"),
        Tile(
            count(sizes.classes),
            f"{'class' if sizes.classes == 1 else 'classes'} of rows that look alike",
        ),
        Tile(significant(sizes.average), "rows in a class on average"),
    )
    classes = class_size_part(
        sizes,
        facts.k,
        "Rows whose quasi-identifiers look the same after publishing form a class; nobody can "
        "tell them apart by these columns.",
    )
    return document_of_table(owned, facts, tiles, [classes])


def demanded(k: int | None) -> str:
    """Words for what a policy demands, after what there is."""
    return "" if k is None else f"; {count(k)} demanded"


def document_of_table(
    owned: Owned,
    facts: TableFacts,
    tiles: tuple[Tile, ...],
    classes: list[Part],
    *,
    shared: bool = False,
    words: tuple[tuple[str, str], ...] = (),
) -> Document:
    """Put a document about a generalised table together.

    Parameters
    ----------
    owned, facts
        The release and its figures.
    tiles, classes
        What sums it up, and what there is to say about its classes.
    shared
        Whether several recipients share it, each of whom sees other classes.
    words
        What further words mean.
    """
    claims = owned.release.manifest.claims
    rows, columns = facts.sizes.rows, len(facts.columns)
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(rows, 'row', 'rows')}, {plural(columns, 'column', 'columns')}",
        loss=facts.loss.overall,
        tiles=tiles,
        promises=[(promise(claim), claim.recipient) for claim in claims],
        assumptions=assumptions(claims),
        limits=limits(claims),
        columns=columns_table(facts.columns),
        parts=[
            _examples(facts),
            *classes,
            loss_part(facts.loss, (_measures(facts, shared=shared),)),
            _distributions(facts.distributions),
        ],
        words=(*WORDS[:2], *words, *WORDS[2:]),
    )


def _examples(facts: TableFacts) -> Part:
    title = "Rows before and after"
    if not facts.examples:
        sentence = "No row of the original is covered by the release: it was made from other data."
        return Part(title, sentence)
    rows = tuple(
        (shown(column.name), *(_cell(example, column.name) for example in facts.examples))
        for column in facts.columns
    )
    head = ("", *(f"Row {place + 1}" for place in range(len(facts.examples))))
    return Part(
        title,
        f"{plural(len(facts.examples), 'row', 'rows')} of the original in grey, each with a "
        "published row that covers it underneath in green; what is published as it was is black. "
        "Within a class, nobody can tell which published row was made from which original one.",
        (Numbers(head, rows, look="examples"),),
    )


def _cell(example: ExampleRow, name: str) -> Cell:
    old, new = example.before[name], example.after[name]
    return old if old == new else Change(old, new)


def _measures(facts: TableFacts, *, shared: bool) -> Tiles:
    """Discernibility and uncertainty, with what is the least and the most possible."""
    rows, least = facts.sizes.rows, facts.k
    costs = f"Each row costs the size of its class{', on everything anyone knows' * shared}."
    # Each of several recipients has classes of k rows, and those that all see may be smaller.
    if least is not None and not shared:
        best = rows * least
        more = significant(facts.discernibility / best)
        beyond = f"; this is {more} times as much" if facts.discernibility > best else ""
        costs += f" The least possible for k = {count(least)} is {count(best)}{beyond}."
    most = count(rows * len(facts.loss.per_column))
    spans = (
        "The span of each cell as a share of its column’s, summed over all rows and columns; at "
        f"most {most}."
    )
    return Tiles(
        (
            Tile(count(facts.discernibility), "Discernibility", costs),
            Tile(significant(facts.uncertainty_penalty), "Uncertainty penalty", spans),
        )
    )


def _distributions(found: tuple[Distribution, ...]) -> Part:
    return Part(
        "Before and after",
        "Each quasi-identifier as it is in the original, and as a recipient would guess it from "
        "the release, taking every value that a cell allows as equally likely. The closer the two, "
        "the more can be learnt about people in general.",
        (
            Legend(
                (
                    Styled("before: the original", "before"),
                    Styled("after: a recipient’s best guess", "after"),
                )
            ),
            Pictures(tuple(_pictures(found))),
        ),
    )


def _pictures(found: tuple[Distribution, ...]) -> Iterator[Picture]:
    for each in found:
        rows = ((bar.label, percentage(bar.before), percentage(bar.after)) for bar in each.bars)
        last = each.bars[-1]
        missing = each.axis != "label" and last.low is None
        note = f"Missing: {percentage(last.before)} before, {percentage(last.after)} after."
        yield Picture(
            shown(each.column),
            distribution_chart(each, width=NARROW),
            Numbers(("Value", "Before", "After"), tuple(rows)),
            remark=f"{percentage(each.moved)} moved",
            note=note if missing else "",
        )
