"""One number for what a release loses, for each kind that has one."""

from __future__ import annotations

from typing import Any

from papilio.measure.linked_loss import overall_loss
from papilio.report.head import ReportHead

#: What the number is, by kind.
LOSS_WORDS = {
    "generalised": "share of the domain an average cell covers",
    "permuted": "average width of a group, as a share of all values",
    "disguised": "average published range, as a share of the domain",
    "projected": "share of the domain an average cell covers, over the tables",
    "linked": "share of rows removed, and of the domain the cells left cover",
    "graph": "doubt about an average link",
}


def loss_of(kind: str, content: ReportHead) -> float:
    """Loss of a release from what its report says, between 0 and 1.

    Parameters
    ----------
    kind
        Kind of the release; :data:`LOSS_WORDS` says what is measured for it.
    content
        What its report says.
    """
    said: Any = content
    match kind:
        case "permuted":
            return float(said.total_width / said.groups / said.range) if said.range else 0.0
        case "disguised":
            return float(said.loss)
        case "projected":
            return float(sum(each.loss.overall for each in said.tables) / len(said.tables))
        case "linked":
            return overall_loss(said.losses)
        case "graph":
            return 1.0 - float(said.average)
        case _:
            return float(said.loss.overall)
