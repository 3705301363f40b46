"""The page on linked tables: content to one self-contained HTML file."""

from __future__ import annotations

from markupsafe import Markup

from papilio.measure.linked_loss import TableLoss
from papilio.measure.ncp import Ncp
from papilio.report.charts.class_sizes import class_sizes_chart, size_bars
from papilio.report.charts.entity_tree import entity_tree
from papilio.report.charts.loss import loss_chart
from papilio.report.linked_content import LinkedContent
from papilio.report.page import CELLS, fill

#: Width of a picture across the page, and of one of two beside each other.
_WIDE, _NARROW = 940, 440


def render_linked(content: LinkedContent) -> str:
    """Write the page; it needs no network and runs no script."""
    bars = size_bars(content.sizes, content.k)
    return fill(
        "linked.html.j2",
        content,
        bars=[bar for bar in bars if bar.classes],
        sizes=class_sizes_chart(content.sizes, content.k, width=_WIDE),
        cells=CELLS,
        losses=[(each.name, _loss(each)) for each in content.losses if each.columns],
        example=_example(content),
    )


def _loss(table: TableLoss) -> Markup:
    overall = sum(table.columns.values()) / len(table.columns)
    return loss_chart(Ncp(overall, table.columns), width=_WIDE)


def _example(content: LinkedContent) -> tuple[Markup, Markup] | None:
    if content.example is None:
        return None
    return (
        entity_tree(content.example.before, title="Before", width=_NARROW),
        entity_tree(content.example.after, title="After", width=_NARROW),
    )
