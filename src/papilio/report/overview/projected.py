"""A release of projections at a glance."""

from __future__ import annotations

from papilio.report.charts.dependency_graph import dependency_graph
from papilio.report.charts.plan_curve import plan_curve
from papilio.report.number_text import count, percentage, significant
from papilio.report.overview.loss_of import loss_of
from papilio.report.overview.loss_part import loss_picture
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
from papilio.report.projected import ProjectedContent


def projected(content: ProjectedContent) -> Overview:
    """Make the overview. Cost: two drawings, and one per table."""
    return overview_of(
        "projected",
        content,
        _tiles(content),
        (_columns(content), _plans(content), _tables(content), _losses(content)),
    )


def _tiles(content: ProjectedContent) -> tuple[Tile, ...]:
    allowed = content.allowed
    return (
        Tile(count(len(content.tables)), f"tables for {count(len(content.known.names))} columns"),
        Tile(
            percentage(content.association_loss),
            f"of the dependency between columns lost{_limit(allowed.association_loss)}",
        ),
        Tile(
            percentage(content.exposure),
            f"exposed to someone who knows one column{_limit(allowed.exposure)}",
        ),
        Tile(
            percentage(loss_of("projected", content)),
            "of the detail in quasi-identifiers lost, over the tables",
        ),
    )


def _limit(allowed: float | None) -> str:
    return "" if allowed is None else f"; {percentage(allowed)} allowed"


def _columns(content: ProjectedContent) -> Part:
    known = content.known
    return Part(
        "The columns and the plan",
        "Each dot is a sensitive column, and dots of one colour are published in one table. The "
        "wider a line, the more two columns say of each other. Broken grey lines run between "
        "tables: recipients cannot see that dependency any more.",
        (
            Picture(
                "Dependencies",
                dependency_graph(known.names, known.information, content.plan, width=WIDE),
            ),
        ),
    )


def _plans(content: ProjectedContent) -> Part:
    front = [(each.association_loss, each.exposure) for each in content.front]
    greedy = [(each.association_loss, each.exposure) for each in content.greedy]
    rows = tuple(
        (count(len(each.plan)), percentage(each.association_loss), percentage(each.exposure))
        for each in content.front
    )
    drawn = plan_curve(
        front,
        greedy,
        (content.association_loss, content.exposure),
        (content.allowed.association_loss, content.allowed.exposure),
        width=WIDE,
    )
    return Part(
        "What other plans would lose and expose",
        "One table for all columns loses nothing and exposes everything; a table for each column "
        "is the opposite. Diamonds are plans that greedy merging passes through, the large dot is "
        "the plan of this release, and dashed lines are the limits of the policy.",
        (
            Picture(
                "Plans",
                drawn,
                Numbers(("Tables", "Association loss", "Exposure"), rows) if rows else None,
            ),
        ),
    )


def _tables(content: ProjectedContent) -> Part:
    rows = tuple(
        (
            each.name,
            ", ".join(each.sensitive),
            ", ".join(each.plain) or "–",
            count(each.sizes.classes),
            count(each.sizes.smallest),
            significant(each.sizes.average),
            percentage(each.loss.overall),
        )
        for each in content.tables
    )
    head = ("Table", "Sensitive", "Plain", "Classes", "Smallest", "Average", "Loss")
    return Part(
        "The tables",
        "Every table has all quasi-identifiers, generalised for this table alone, and its own "
        "sensitive columns. No two tables share a row number, an order of rows or any other "
        "column.",
        numbers=Numbers(head, rows),
    )


def _losses(content: ProjectedContent) -> Part:
    return Part(
        "What was lost",
        "The share of its column’s domain that an average cell leaves open, table by table.",
        tuple(loss_picture(each.loss, f"Table {each.name}", NARROW) for each in content.tables),
    )
