"""Whether the files of one table with groups are those that were looked at piece by piece."""

from __future__ import annotations

from papilio.families.engines.report import OTHER_FILES, Report, are_published
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.pieces import check_pieces
from papilio.verify.witness.table import DEMANDED
from papilio.verify.witness.values import RowSum


def table_finding(
    opened: Opened, table: str, claim: str, source: RowSum, reports: tuple[Report, ...]
) -> Finding:
    """Put together what is known of the files of one table, and that they are published."""
    if not are_published(opened.manifest, [table], reports):
        return finding(claim, DEMANDED, OTHER_FILES, holds=False)
    return check_pieces(opened, {}, source, [report.truth() for report in reports], claim)
