"""The document about one generalised table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.attack.result import AttackResult
from papilio.document.charts.bars import certain_bars, certain_rows_chart
from papilio.document.charts.svg import AFTER, BEFORE, FIT, INK, distinct_labels, to_svg
from papilio.document.class_parts import class_size_part, loss_part
from papilio.document.contract import Owned, assumptions, limits, promise
from papilio.document.model import (
    NARROW,
    WIDE,
    Bullets,
    Cell,
    Change,
    Content,
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
from papilio.document.text import count, percentage, plural, shown, significant
from papilio.families.generalising.distributions import Bar, Distribution
from papilio.families.generalising.example_rows import ExampleRow
from papilio.families.generalising.facts import PeopleFacts, TableFacts, table_facts
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes


def distribution_chart(distribution: Distribution, *, width: int) -> Markup:
    """Draw pairs of bars for labels, a histogram under a line for bins."""
    draw = _labels if distribution.axis == "label" else _bins
    chart = draw(distribution).properties(width=width, autosize=FIT)
    return to_svg(
        chart, title=f"{distribution.column} before and after", description=describe(distribution)
    )


def describe(distribution: Distribution) -> str:
    """Say in a sentence what the picture shows."""
    most = max(distribution.bars, key=lambda bar: bar.before)
    return (
        f"Shares of rows before and after; {percentage(distribution.moved)} of the rows lie "
        f"elsewhere. Most frequent before: {most.label}, {percentage(most.before)} before and "
        f"{percentage(most.after)} after."
    )


def _labels(distribution: Distribution) -> Any:
    names = distinct_labels([bar.label for bar in distribution.bars])
    values = [
        {"label": name, "when": when, "share": share}
        for name, bar in zip(names, distribution.bars, strict=True)
        for when, share in (("before", bar.before), ("after", bar.after))
    ]
    colour = alt.Scale(domain=["before", "after"], range=[BEFORE, AFTER])
    return (
        alt.Chart(alt.InlineData(values), height=alt.Step(21, **{"for": "position"}))
        .mark_bar()
        .encode(
            alt.Y("label:N", sort=None, title=None)
            .axis(labelColor=INK)
            .scale(paddingInner=0.3, paddingOuter=0.15),
            alt.X("share:Q", title="share of rows", stack=False).axis(format="~%", tickCount=5),
            alt.Color("when:N", scale=colour, legend=None),
            yOffset=alt.YOffset("when:N", sort=["before", "after"]).scale(paddingInner=0.05),
        )
    )


def _bins(distribution: Distribution) -> Any:
    bars = [bar for bar in distribution.bars if bar.low is not None and bar.high is not None]
    x = _axis(distribution).axis(grid=False, tickCount=8)
    y = alt.Y("share:Q", title="share of rows").axis(format="~%", tickCount=5)
    before = alt.InlineData([_point(bar, bar.before) for bar in bars])
    end = {"low": bars[-1].high, "share": bars[-1].after}
    after = alt.InlineData([*(_point(bar, bar.after) for bar in bars), end])
    histogram = alt.Chart(before).mark_bar(color=BEFORE, binSpacing=1, cornerRadiusEnd=0)
    area = alt.Chart(after).mark_area(color=AFTER, opacity=0.12, interpolate="step-after")
    line = alt.Chart(after).mark_line(color=AFTER, strokeWidth=1.8, interpolate="step-after")
    return alt.layer(
        histogram.encode(x, y, x2="high", y2=alt.datum(0)), area.encode(x, y), line.encode(x, y)
    ).properties(height=190)


def _axis(distribution: Distribution) -> alt.X:
    if distribution.axis == "date":
        return alt.X("low:T", title=distribution.column).scale(type="utc", nice=False)
    return alt.X("low:Q", title=distribution.column).scale(zero=False, nice=False)


def _point(bar: Bar, share: float) -> dict[str, Any]:
    return {"low": bar.low, "high": bar.high, "share": share}


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
    facts = table_facts(owned.release, owned.order.table, owned.policy)
    sizes = facts.sizes
    tiles = (
        smallest_tile(sizes.smallest, facts.people, facts.k),
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


def smallest_tile(rows: int, people: PeopleFacts | None, k: int | None, of: str = "") -> Tile:
    """The smallest class: its rows or, where people have several, the fewest people and rows."""
    if people is None:
        return Tile(count(rows), f"rows in the smallest class{of}{demanded(k)}")
    words = f"people in the class{of} that has fewest{demanded(k)}; {plural(rows, 'row', 'rows')}"
    return Tile(count(people.fewest), f"{words} in the smallest")


def size_words(rows: int, people: PeopleFacts | None) -> str:
    """How large a table is: rows, and whose they are."""
    of = "" if people is None else f" of {plural(people.people, 'person', 'people')}"
    return f"{plural(rows, 'row', 'rows')}{of}"


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
        size=f"{size_words(rows, facts.people)}, {plural(columns, 'column', 'columns')}",
        loss=facts.loss.overall,
        tiles=tiles,
        promises=[(promise(claim), claim.recipient) for claim in claims],
        assumptions=assumptions(claims),
        limits=limits(claims),
        columns=columns_table(facts.columns),
        parts=[
            _examples(facts),
            *classes,
            *alone_part(facts.alone),
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


def alone_part(found: Sequence[AttackResult]) -> Iterator[Part]:
    """Tell what attackers found who have the release and nothing else."""
    if not found:
        return
    contents: list[Content] = [
        Bullets(tuple((f"{_where(each)}{each.sentence}", "") for each in found))
    ]
    for each in found:
        bars = certain_bars(each.figures)
        if bars:
            contents.append(
                Picture(
                    f"{_where(each)}Complete rows that follow, by how many people share them",
                    certain_rows_chart(bars, width=WIDE),
                    Numbers(
                        ("People who share it", "Rows"),
                        tuple((bar.label, count(bar.rows)) for bar in bars),
                    ),
                )
            )
    yield Part(
        "What follows from the release alone",
        "Whoever has the release knows how cells are made, and so which complete rows must be in "
        "the original, without knowing anybody. Of rows that many people share this is harmless; a "
        "row of one person singles them out.",
        tuple(contents),
    )


def _where(found: AttackResult) -> str:
    """The table that somebody looked at, if there are several."""
    _, _, table = found.attacker.partition(", in ")
    return f"{table}: " if table else ""


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
