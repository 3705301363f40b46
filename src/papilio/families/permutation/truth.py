"""Whether a permuted release that was written piece by piece is true of the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papilio.families.engines.report import (
    GroupKeys,
    Report,
    SourceSums,
    digests,
    table_finding,
    wrong_in,
)
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened, UnreadableError
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.group_pieces import Came, check_people, sum_pairs, sum_values
from papilio.verify.witness.permuted import AMONG, GROUPS
from papilio.verify.witness.pieces import check_orders
from papilio.verify.witness.values import RowSum, sum_rows


@dataclass(frozen=True, eq=False)
class PermutedCheck:
    """Looks at files as soon as they are written.

    Attributes
    ----------
    manifest
        How to read them.
    sensitive
        The permuted column.
    keys
        For the sums.
    memory
        Bytes that the database may use.
    """

    manifest: Manifest
    sensitive: str
    keys: GroupKeys
    memory: int | None = None

    def people(self, came: Came, rows: NDArray[np.int64], file: Path) -> Report:
        """Report on a file of people.

        Sums: of the rows, and of pairs of a group, as it stands in the file, and a value.
        """
        original = came.rows
        piece = check_people(file, self.manifest, {}, came, [self.sensitive], rows, self.memory)
        order = None if piece.order is None else wrong_in(piece.order)
        pairs = sum_pairs(piece.groups, original.get_column(self.sensitive), self.keys.pairs)
        totals = (sum_rows(original, self.keys.rows).total, pairs.total)
        found = wrong_in(piece.found)
        return Report(digests(file), original.height, found, order, totals)

    def values(self, file: Path) -> Report:
        """Report on a file of values; sums: of the values, and of pairs of group and value."""
        try:
            values, pairs = sum_values(
                file, self.manifest, self.keys.values, self.keys.pairs, self.memory
            )
        except UnreadableError:
            return Report(fault="a file cannot be read", totals=(0, 0))
        totals = (values.total, pairs.total)
        return Report(digests(file), values.rows, totals=totals)


@dataclass(frozen=True, eq=False)
class PermutedTruth:
    """What was found out about people and values, for the verdict.

    Attributes
    ----------
    source
        Sums of the source.
    people, values
        What is known of each file of both tables.
    """

    source: SourceSums
    people: tuple[Report, ...]
    values: tuple[Report, ...]

    def __call__(self, opened: Opened) -> Iterator[Finding]:
        """Say what :func:`papilio.verify.witness.permuted.check_permuted` says on one machine."""
        people, values, _ = (table.name for table in opened.manifest.tables)
        found = [
            table_finding(opened, people, "truthfulness", self.source.rows, self.people),
            table_finding(
                opened, values, f"truthfulness of {values}", self.source.values, self.values
            ),
        ]
        if all(each.status is Status.HOLDS for each in found):
            found.append(self._groups())
        yield from found
        if all(each.status is Status.HOLDS for each in found):
            yield check_orders([report.truth() for report in self.people])

    def _groups(self) -> Finding:
        sides = [
            sum((RowSum(each.rows, each.totals[1]) for each in reports), RowSum())
            for reports in (self.people, self.values)
        ]
        agree = sides[0] == sides[1]
        measured = "all rows are" if agree else "some groups have other values than their people"
        return finding(GROUPS, AMONG, measured, agree)
