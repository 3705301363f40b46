"""The document about a projected release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import altair as alt
from markupsafe import Markup

from papilio.document.charts.svg import AFTER, BEFORE, FIT, INK, MARK, to_svg
from papilio.document.class_parts import loss_picture
from papilio.document.contract import Owned, assumptions, limits, promise
from papilio.document.model import (
    NARROW,
    WIDE,
    Cell,
    Document,
    Numbers,
    Part,
    Picture,
    Pictures,
    Styled,
    Tile,
)
from papilio.document.of_release import document_of_release
from papilio.document.text import count, percentage, plural, shown, significant
from papilio.families.generalising.document import alone_part
from papilio.families.generalising.facts import found_alone
from papilio.families.projections.dependency_graph import colour_of_table, dependency_graph
from papilio.families.projections.facts import (
    ProjectedFacts,
    ProjectedTable,
    average_loss,
    projected_facts,
    projected_tables,
)
from papilio.release.manifest import Claim

#: A plan as (association loss, exposure).
Ratios = tuple[float, float]


def plan_curve(
    front: Sequence[Ratios],
    greedy: Sequence[Ratios],
    chosen: Ratios,
    limits: tuple[float | None, float | None],
    *,
    width: int,
) -> Markup:
    """Draw the front of all plans, the plans of greedy merging, and the plan of the release.

    Parameters
    ----------
    front
        Plans that no other beats in both ratios; empty if there are too many columns.
    greedy
        Plans that CODIP* passes through.
    chosen
        The plan of the release.
    limits
        Largest association loss and exposure that the policy allows.
    width
        Width of the picture.
    """
    x = alt.X("loss:Q", title="association loss", scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("exposed:Q", title="exposure", scale=alt.Scale(domain=[0, 1]))
    x, y = x.axis(format="~%", tickCount=5), y.axis(format="~%", tickCount=5)
    layers: list[Any] = _rules(limits)
    steps = sorted(front)
    line = alt.Chart(_data(steps)).mark_line(color=AFTER, interpolate="step-after", strokeWidth=1.6)
    small = alt.Chart(_data(steps)).mark_point(color=AFTER, filled=True, size=9, opacity=1)
    hollow = alt.Chart(_data(greedy)).mark_point(color=INK, size=60, shape="diamond", opacity=0.8)
    marked = alt.Chart(_data([chosen])).mark_point(color=MARK, filled=True, size=130, opacity=1)
    layers += [each.encode(x, y) for each in (line, small, hollow, marked)]
    chart = alt.layer(*layers).properties(width=width, height=300, autosize=FIT)
    return to_svg(chart, title="Loss and exposure of plans", description=describe(front, chosen))


def _data(points: Sequence[Ratios]) -> alt.InlineData:
    return alt.InlineData([{"loss": loss, "exposed": exposed} for loss, exposed in points])


def _rules(limits: tuple[float | None, float | None]) -> list[Any]:
    loss, exposed = limits
    rules: list[Any] = []
    style: dict[str, Any] = {"color": BEFORE, "strokeDash": [5, 4], "strokeWidth": 1.4}
    if loss is not None:
        rules.append(alt.Chart(_data([(loss, 0.0)])).mark_rule(**style).encode(x="loss:Q"))
    if exposed is not None:
        rules.append(alt.Chart(_data([(0.0, exposed)])).mark_rule(**style).encode(y="exposed:Q"))
    return rules


def describe(front: Sequence[Ratios], chosen: Ratios) -> str:
    """Say in a sentence what the picture shows."""
    loss, exposed = map(percentage, chosen)
    beside = f"; {len(front)} plans are not beaten by any other" if front else ""
    return f"The plan of this release loses {loss} and exposes {exposed}{beside}."


_JOINING = (
    "Dependencies across tables",
    "Tables are shuffled by themselves, so that nothing links their rows. Someone who knows from "
    "elsewhere how columns of different tables depend on each other can still tell likely "
    "combinations of a person’s values from unlikely ones.",
)
_WITHIN = (
    "Knowing a sensitive value",
    "Within a table, someone who knows one sensitive value of a person may read off the others. "
    "The exposure says how much of that is left; it is an average, not a bound for each person.",
)
_WORDS = (
    (
        "Association loss",
        "Mutual information between columns of different tables, as a share of that between all "
        "pairs of columns. It is what a recipient can no longer find out about how sensitive "
        "columns hang together.",
    ),
    (
        "Exposure",
        "What someone who knows one sensitive column of a person could newly learn of another in "
        "the same table, as a share of what they could learn if all columns were in one table, "
        "weighted by how many columns the table has. Values called harmless do not count.",
    ),
    ("Class", "All rows of a table with the same published quasi-identifiers."),
    (
        "Loss",
        "Normalised certainty penalty: the share of a column’s domain that an average cell covers.",
    ),
)


def loss(owned: Owned) -> float:
    """Loss of an average cell, over the tables."""
    return average_loss(projected_tables(owned.release, owned.order.table))


def document(owned: Owned) -> Document:
    """Tell everything about a projected release. Cost: two drawings, and one per table."""
    facts = projected_facts(owned.release, owned.order, owned.policy)
    manifest = owned.release.manifest
    columns = plural(len(facts.known.names), "sensitive column", "sensitive columns")
    tables = plural(len(facts.tables), "table", "tables")
    return document_of_release(
        owned,
        manifest.tables[0].name.rpartition("_")[0],
        size=f"{plural(facts.rows, 'row', 'rows')}, {columns}, {tables}",
        loss=facts.loss,
        tiles=_tiles(facts, columns),
        promises=_promises(manifest.claims),
        assumptions=assumptions(manifest.claims),
        limits=(*limits(manifest.claims), _WITHIN, _JOINING),
        columns=_tables(facts),
        parts=[
            _columns(facts),
            _plans(facts),
            *alone_part(found_alone(owned.release, owned.order.table, owned.policy)),
            _losses(facts),
        ],
        words=_WORDS,
    )


def _promises(claims: Sequence[Claim]) -> list[tuple[str, str]]:
    """Sentences, one for all columns of a table of which the same is claimed."""
    grouped: dict[tuple[str, str, str], list[Claim]] = {}
    for claim in claims:
        others = {key: value for key, value in claim.parameters.items() if key != "column"}
        grouped.setdefault((claim.table, claim.claim, repr(others)), []).append(claim)
    return [
        (promise(_joined(same)), f"{same[0].recipient}, of {table}")
        for (table, _, _), same in grouped.items()
    ]


def _joined(claims: list[Claim]) -> Claim:
    columns = [str(c.parameters["column"]) for c in claims if "column" in c.parameters]
    if len(columns) < 2:
        return claims[0]
    # The sentence puts quotation marks around the whole.
    return replace(claims[0], parameters={**claims[0].parameters, "column": "’, ‘".join(columns)})


def _tiles(facts: ProjectedFacts, columns: str) -> tuple[Tile, ...]:
    allowed = facts.allowed
    tables = "table" if len(facts.tables) == 1 else "tables"
    return (
        Tile(count(len(facts.tables)), f"{tables} for {columns}"),
        Tile(
            percentage(facts.association_loss),
            f"of the dependency between columns lost{_limit(allowed.association_loss)}",
        ),
        Tile(
            percentage(facts.exposure),
            f"exposed to someone who knows one column{_limit(allowed.exposure)}",
        ),
        Tile(
            percentage(facts.loss),
            "of the detail in quasi-identifiers lost, on average over the tables",
        ),
    )


def _limit(allowed: float | None) -> str:
    return "" if allowed is None else f"; {percentage(allowed)} allowed"


def _columns(facts: ProjectedFacts) -> Part:
    known = facts.known
    return Part(
        "The columns and the plan",
        "Each dot is a sensitive column, and dots of one colour are published in one table. The "
        "wider a line, the more two columns say of each other. Broken grey lines run between "
        "tables: recipients cannot see that dependency any more.",
        (
            Picture(
                "Dependencies",
                dependency_graph(known.names, known.information, facts.plan, width=WIDE),
                _information(facts),
                titled=False,
            ),
        ),
        look="whole",
    )


def _information(facts: ProjectedFacts) -> Numbers:
    known = facts.known
    rows = tuple(
        (
            shown(name),
            *(
                f"({significant(float(known.entropy[row]))})"
                if row == other
                else significant(float(known.information[row, other]))
                for other in range(len(known.names))
            ),
        )
        for row, name in enumerate(known.names)
    )
    return Numbers(
        ("Column", *map(shown, known.names)),
        rows,
        "Mutual information in nats; in brackets the entropy of the column itself",
    )


def _plans(facts: ProjectedFacts) -> Part:
    rows = tuple(
        (count(len(each.plan)), percentage(each.association_loss), percentage(each.exposure))
        for each in facts.front
    )
    drawn = plan_curve(
        [(each.association_loss, each.exposure) for each in facts.front],
        [(each.association_loss, each.exposure) for each in facts.greedy],
        (facts.association_loss, facts.exposure),
        (facts.allowed.association_loss, facts.allowed.exposure),
        width=WIDE,
    )
    every = (
        "No plan at all lies below the line, which is made of "
        f"{plural(len(facts.front), 'plan', 'plans')} that no other beats."
        if facts.front
        else "There are too many columns to find every plan."
    )
    numbers = Numbers(("Tables", "Association loss", "Exposure"), rows) if rows else None
    return Part(
        "What other plans would lose and expose",
        "One table for all columns loses nothing and exposes everything; a table for each column "
        f"is the opposite. {every} Diamonds are the plans that greedy merging (CODIP*) passes "
        "through, the large dot is the plan of this release, and dashed lines are the limits of "
        "the policy.",
        (Picture("Plans", drawn, numbers, titled=False),),
        look="whole",
    )


def _tables(facts: ProjectedFacts) -> Numbers:
    rows = tuple(_table_row(place, table) for place, table in enumerate(facts.tables))
    head = (
        "Table",
        "Sensitive columns",
        "Plain columns",
        "Classes",
        "Smallest",
        "Average",
        "Loss",
    )
    caption = (
        "Every table has all quasi-identifiers, generalised for this table alone, and its own "
        "sensitive columns. No two tables share a row number, an order of rows or any other "
        "column."
    )
    return Numbers(head, rows, caption, look="plain")


def _table_row(place: int, table: ProjectedTable) -> tuple[Cell, ...]:
    figures = (
        count(table.sizes.classes),
        count(table.sizes.smallest),
        significant(table.sizes.average),
        percentage(table.loss.overall),
    )
    return (
        Styled(table.name, colour=colour_of_table(place)),
        ", ".join(map(shown, table.sensitive)),
        ", ".join(map(shown, table.plain)) or "–",
        *(Styled(figure, "count") for figure in figures),
    )


def _losses(facts: ProjectedFacts) -> Part:
    pictures = tuple(loss_picture(each.loss, f"Table {each.name}", NARROW) for each in facts.tables)
    return Part(
        "What was lost",
        "The share of its column’s domain that an average cell leaves open, table by table.",
        (Pictures(pictures),),
    )
