"""Linked tables at a glance."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.measure.linked_loss import TableLoss
from papilio.measure.ncp import Ncp
from papilio.report.charts.entity_tree import entity_tree
from papilio.report.linked_content import LinkedContent
from papilio.report.number_text import count, percentage, significant
from papilio.report.overview.class_size_part import class_size_picture
from papilio.report.overview.loss_part import loss_picture
from papilio.report.overview.overview import (
    NARROW,
    Numbers,
    Overview,
    Part,
    Picture,
    Tile,
    overview_of,
)


def linked(content: LinkedContent) -> Overview:
    """Make the overview. Cost: one drawing per table, and three more."""
    return overview_of(
        "linked",
        content,
        _tiles(content),
        (*_example(content), _sizes(content), _losses(content)),
    )


def _tiles(content: LinkedContent) -> tuple[Tile, ...]:
    demanded = "" if content.k is None else f"; {count(content.k)} demanded"
    return (
        Tile(count(content.sizes.smallest), f"people in the smallest class{demanded}"),
        Tile(count(content.sizes.classes), "classes of people whose rows look alike"),
        *(
            Tile(percentage(each.share_removed), f"of the rows of {each.name} removed")
            for each in content.losses[1:3]
        ),
    )


def _example(content: LinkedContent) -> Iterator[Part]:
    if content.example is not None:
        before, after = content.example.before, content.example.after
        yield Part(
            "One person before and after",
            "Rows are indented below the row they belong to. Rows struck out have no counterpart "
            "with others of the class and are removed; the cells of the others are those that all "
            "members of the class share.",
            (
                Picture("As it was", entity_tree(before, title="Before", width=NARROW)),
                Picture("As it is published", entity_tree(after, title="After", width=NARROW)),
            ),
        )


def _sizes(content: LinkedContent) -> Part:
    return Part(
        "Class sizes",
        "People whose rows look the same after publishing, in all tables together, form a class. "
        f"Half of the classes have {significant(content.sizes.median)} people or fewer, the "
        f"largest has {count(content.sizes.largest)}.",
        (class_size_picture(content.sizes, content.k, "People"),),
    )


def _losses(content: LinkedContent) -> Part:
    rows = tuple(
        (each.name, count(each.rows), count(each.removed), percentage(each.share_removed))
        for each in content.losses
    )
    return Part(
        "What was lost",
        "Rows that are missing are counted here and nowhere else: the release does not say how "
        "many there were. The pictures show the share of a column’s domain that an average cell "
        "leaves open.",
        tuple(_picture(each) for each in content.losses if each.columns),
        Numbers(("Table", "Rows", "Removed", "Share"), rows),
    )


def _picture(table: TableLoss) -> Picture:
    overall = sum(table.columns.values()) / len(table.columns)
    return loss_picture(Ncp(overall, table.columns), f"Cells of {table.name}", NARROW)
