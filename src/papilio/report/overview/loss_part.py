"""The part of an overview about what cells lost."""

from __future__ import annotations

from papilio.measure.ncp import Ncp
from papilio.report.charts.loss import loss_chart
from papilio.report.number_text import percentage
from papilio.report.overview.overview import WIDE, Numbers, Part, Picture


def loss_picture(loss: Ncp, title: str = "Loss per column", width: int = WIDE) -> Picture:
    """Draw the loss of each column."""
    numbers = Numbers(
        ("Column", "Loss"),
        tuple((name, percentage(share)) for name, share in loss.per_column.items()),
    )
    return Picture(title, loss_chart(loss, width=width), numbers)


def loss_part(loss: Ncp) -> Part:
    """Tell and draw what the cells of one table lost."""
    return Part(
        "What was lost",
        "The loss of a cell is the share of its column’s domain that it leaves open: 0% for an "
        "exact value, 100% for a cell that could be anything. Averaged over all cells it is "
        f"{percentage(loss.overall)}.",
        (loss_picture(loss),),
    )
