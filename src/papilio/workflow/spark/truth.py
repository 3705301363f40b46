"""Whether what workers wrote is true, line by line, and made of all rows of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.engines.spark.collected import collect
from papilio.engines.spark.read import map_frames
from papilio.families import family_of_release
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.pieces import check_orders, check_piece, check_pieces
from papilio.verify.witness.projected import check_plan
from papilio.verify.witness.row_sums import RowSum, sum_rows
from papilio.verify.witness.table import DEMANDED
from papilio.workflow.pieces.finish import Finished
from papilio.workflow.pieces.report import OTHER_FILES, Report, are_published, digests, wrong_in
from papilio.workflow.pieces.typed import typed_frame
from papilio.workflow.spark.signed import signed, unsigned
from papilio.workflow.spark.table import SparkTable

_SUMS = "rows bigint, total bigint"


@dataclass(frozen=True, eq=False)
class TableTruth:
    """What workers found out about a table that is published in pieces.

    Attributes
    ----------
    source
        Sum of the rows of the source.
    reports
        What is known of each file.
    """

    source: RowSum
    reports: tuple[Report, ...]


@dataclass(frozen=True, eq=False)
class GeneralisedTruth:
    """What workers found out about generalised tables, for the verdict.

    Attributes
    ----------
    hierarchies
        Files of paths by which workers read labels.
    tables
        What is known of each table, in the order of the manifest.
    columns
        Columns of the original, each of which must be in one of several projections.
    """

    hierarchies: Mapping[str, str]
    tables: tuple[TableTruth, ...]
    columns: tuple[str, ...]

    def __call__(self, opened: Opened) -> Iterator[Finding]:
        """As on one machine: truth, and if all is true, that no order is that of the source."""
        found = list(self._truths(opened))
        yield from found
        if all(each.status is Status.HOLDS for each in found):
            reports = (report for table in self.tables for report in table.reports)
            yield check_orders([report.truth() for report in reports])

    def _truths(self, opened: Opened) -> Iterator[Finding]:
        # Projections have the columns of the original between them, other tables have them all.
        projected = family_of_release(opened.manifest).projects
        if projected:
            yield check_plan(opened.manifest, self.columns)
        for described, truth in zip(opened.manifest.tables, self.tables, strict=True):
            claim = f"truthfulness of {described.name}" if projected else "truthfulness"
            if not are_published(opened.manifest, [described.name], truth.reports):
                yield finding(claim, DEMANDED, OTHER_FILES, holds=False)
                continue
            pieces = [report.truth() for report in truth.reports]
            yield check_pieces(opened, self.hierarchies, truth.source, pieces, claim, described)


def sum_source(table: SparkTable, keys: NDArray[np.uint64]) -> RowSum:
    """Add up the rows of the source in a pass that does nothing else with them.

    Collected: two numbers for each part of the source.
    """
    meanings = table.meanings
    loose = [meaning.column.name for meaning in meanings.quasi]

    def work(frame: pl.DataFrame) -> pa.Table:
        found = sum_rows(typed_frame(frame, meanings, labels=True), keys, loose)
        return pa.table({"rows": [found.rows], "total": [signed(found.total)]})

    sums = collect(map_frames(table.session, table.scan, work, _SUMS), "sums of rows")
    parts = zip(*(sums.column(name).to_pylist() for name in ("rows", "total")), strict=True)
    return sum((RowSum(rows, unsigned(total)) for rows, total in parts), RowSum())


@dataclass(frozen=True, eq=False)
class WorkerCheck:
    """Looks at a file as soon as a worker wrote it.

    Attributes
    ----------
    original, made
        The rows of the piece as they arrived, and what was published of them.
    manifest, hierarchies, keys
        As for :func:`papilio.verify.witness.pieces.check_piece`.
    """

    original: pl.DataFrame
    made: Finished
    manifest: Manifest
    hierarchies: Mapping[str, str]
    keys: NDArray[np.uint64]

    def __call__(self, file: Path) -> str:
        """Report what is wrong with the file, if something is, and the sum of its rows."""
        found = check_piece(
            file, self.manifest, self.hierarchies, self.original, self.made.rows, self.keys
        )
        order = None if found.order is None else wrong_in(found.order)
        sums, wrong = (found.rows.total,), wrong_in(found.found)
        said = Report(digests(file), found.rows.rows, wrong, order, sums, lines=found.lines)
        return said.text()
