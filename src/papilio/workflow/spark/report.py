"""What a worker says of the files it wrote, on its way to this process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from papilio.release.manifest import Manifest
from papilio.verify.line_order import SAYS_NOTHING
from papilio.verify.line_order_source import SOURCE as ORDER
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.pieces import PieceTruth
from papilio.verify.witness.row_sums import RowSum
from papilio.verify.witness.table import DEMANDED

#: Group, leaf, what people demand, and how many they are.
Counts: TypeAlias = tuple[tuple[int, int, str | None, int], ...]


@dataclass(frozen=True)
class Report:
    """What is known of one piece: counts, sums and names.

    Attributes
    ----------
    files
        SHA-256 of each file that was looked at, by its name.
    rows
        Number of rows that the piece is made of.
    fault
        What is not true of these rows; empty if everything is.
    order
        In what lines follow the order in which rows came; ``None`` if nobody looked.
    totals
        Sums of the rows, modulo 2**64, each under keys of its own.
    fits
        In what groups cannot hold their people; empty if they can, or if nobody looked.
    counts
        People by group, leaf of the disguised value and what they demand.
    """

    files: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    fault: str = ""
    order: str | None = None
    totals: tuple[int, ...] = ()
    fits: str = ""
    counts: Counts = ()

    def text(self) -> str:
        """Write it as one line."""
        return json.dumps(asdict(self))

    def truth(self) -> PieceTruth:
        """As the verifier puts it together with that of other pieces."""
        order = None
        if self.order is not None:
            order = finding(ORDER, SAYS_NOTHING, self.order, not self.order)
        found = finding("truthfulness", DEMANDED, self.fault, not self.fault)
        return PieceTruth(found, RowSum(self.rows, self.totals[0]), order)


def reports_of(written: pl.DataFrame) -> tuple[Report, ...]:
    """Read what workers said of all pieces of a table."""
    return tuple(_read(json.loads(text)) for text in written.get_column("said"))


def _read(said: dict[str, Any]) -> Report:
    totals, counts = tuple(said["totals"]), tuple(tuple(each) for each in said["counts"])
    return Report(**{**said, "totals": totals, "counts": counts})


def wrong_in(found: Finding) -> str:
    """What a finding blames; empty if it holds."""
    return "" if found.status is Status.HOLDS else found.measured or found.status.value


def digests(*files: Path) -> dict[str, str]:
    """SHA-256 of files, by their names; empty for those that are not there.

    Cost: a second for some gigabytes.
    """
    return {file.name: _sha256(file) if file.is_file() else "" for file in files}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def are_published(manifest: Manifest, tables: Sequence[str], reports: Iterable[Report]) -> bool:
    """Whether the files of some tables are those that workers looked at, no more and no fewer.

    An engine may run a task twice, and what is written last need not be what was reported.
    """
    published = {file.name: file.sha256 for file in manifest.files if file.table in tables}
    seen = {name: sha for report in reports for name, sha in report.files.items()}
    return seen == published
