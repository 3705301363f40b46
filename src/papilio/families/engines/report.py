"""What is known of the files of a release whose pieces are looked at as they are written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.line_order_kinds import SAYS_NOTHING
from papilio.verify.line_order_source import SOURCE as ORDER
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.group_pieces import pair_keys
from papilio.verify.witness.pieces import PieceTruth, check_pieces
from papilio.verify.witness.table import DEMANDED
from papilio.verify.witness.values import RowSum, keys_needed

#: Files that are not those that were looked at.
OTHER_FILES = "the files are not those that were compared with the source"


#: Group, leaf, what people demand, and how many they are.
Counts: TypeAlias = tuple[tuple[int, int, str | None, int], ...]


#: A claim over people: its name, what it demands, recipient, column, and what is wrong.
Owned: TypeAlias = tuple[str, str, str | None, str | None, str]


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
    lines
        Number of lines; ``None`` if each row has one.
    people
        For each claim over people, what the claim is, what is demanded, for whom and of which
        column, and what is wrong; the last is empty if nothing is.
    """

    files: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    fault: str = ""
    order: str | None = None
    totals: tuple[int, ...] = ()
    fits: str = ""
    counts: Counts = ()
    lines: int | None = None
    people: tuple[Owned, ...] = ()

    def text(self) -> str:
        """Write it as one line."""
        return json.dumps(asdict(self))

    def truth(self) -> PieceTruth:
        """As the verifier puts it together with that of other pieces."""
        order = None
        if self.order is not None:
            order = finding(ORDER, SAYS_NOTHING, self.order, not self.order)
        found = finding("truthfulness", DEMANDED, self.fault, not self.fault)
        people = tuple(_owned(*each) for each in self.people)
        return PieceTruth(found, RowSum(self.rows, self.totals[0]), order, self.lines, people)


def people_in(piece: PieceTruth) -> tuple[Owned, ...]:
    """What a report says of the claims over people."""
    return tuple(
        (each.claim, each.demanded, each.recipient, each.column, wrong_in(each))
        for each in piece.people
    )


def _owned(
    claim: str, demanded: str, recipient: str | None, column: str | None, wrong: str
) -> Finding:
    return finding(claim, demanded, wrong, not wrong, recipient=recipient, column=column)


def reports_of(written: pl.DataFrame) -> tuple[Report, ...]:
    """Read what workers said of all pieces of a table."""
    return tuple(_read(json.loads(text)) for text in written.get_column("said"))


def _read(said: dict[str, Any]) -> Report:
    totals, counts = tuple(said["totals"]), tuple(tuple(each) for each in said["counts"])
    people = tuple(tuple(each) for each in said["people"])
    return Report(**{**said, "totals": totals, "counts": counts, "people": people})


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


@dataclass(frozen=True, eq=False)
class GroupKeys:
    """Random keys for sums.

    Attributes
    ----------
    rows
        For whole rows.
    values
        For values of the sensitive column alone.
    pairs
        For pairs of a group and a value.
    """

    rows: NDArray[np.uint64]
    values: NDArray[np.uint64]
    pairs: NDArray[np.uint64]


def group_keys(columns: int) -> GroupKeys:
    """Draw keys for rows of some columns.

    Never those of a seed: who can repeat the run must not know them.
    """
    random = Randomness(None)
    needed = (keys_needed(columns), keys_needed(1), pair_keys())
    return GroupKeys(*(random.keys(count) for count in needed))


@dataclass(frozen=True)
class SourceSums:
    """What is left of a source: sums of its rows, and of its sensitive values."""

    rows: RowSum
    values: RowSum


def table_finding(
    opened: Opened, table: str, claim: str, source: RowSum, reports: tuple[Report, ...]
) -> Finding:
    """Put together what is known of the files of one table, and that they are published."""
    if not are_published(opened.manifest, [table], reports):
        return finding(claim, DEMANDED, OTHER_FILES, holds=False)
    return check_pieces(opened, {}, source, [report.truth() for report in reports], claim)
