"""Whether generalised tables that were written piece by piece are true of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.types import plain_text
from papilio.families import family_of_release
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import PiecePeople
from papilio.families.engines.report import (
    OTHER_FILES,
    Report,
    are_published,
    digests,
    people_in,
    wrong_in,
)
from papilio.families.family import Choice
from papilio.families.generalising.finish import Finished
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened
from papilio.verify.people import Totals
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.pieces import (
    PieceOwners,
    check_orders,
    check_people_in_pieces,
    check_piece,
    check_pieces,
)
from papilio.verify.witness.table import DEMANDED, check_plan
from papilio.verify.witness.values import RowSum


@dataclass(frozen=True, eq=False)
class TableTruth:
    """What was found out about a table that is published in pieces.

    Attributes
    ----------
    source
        Sum of the rows of the source.
    reports
        What is known of each file.
    totals
        What was taken for the values of the whole table, see :class:`PieceCheck`.
    """

    source: RowSum
    reports: tuple[Report, ...]
    totals: Totals = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class GeneralisedTruth:
    """What was found out about generalised tables, for the verdict.

    Attributes
    ----------
    hierarchies
        Files of paths by which labels were read.
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
            found = check_pieces(opened, self.hierarchies, truth.source, pieces, claim, described)
            yield found
            if found.status is Status.HOLDS:
                yield from check_people_in_pieces(opened, pieces, truth.totals, described)


@dataclass(frozen=True, eq=False)
class GeneralisedTable:
    """One table whose files are written.

    Attributes
    ----------
    manifest, hierarchies
        What a release of this table alone says, and the files that go with it.
    meanings
        What its columns mean.
    choice
        The method, which may depend on the number of rows.
    truth
        What was found out about its truth.
    """

    manifest: Manifest
    hierarchies: dict[str, str]
    meanings: Meanings
    choice: Choice
    truth: TableTruth


@dataclass(frozen=True, eq=False)
class PieceCheck:
    """Looks at a file as soon as it is written.

    Attributes
    ----------
    manifest, hierarchies, keys, memory
        As for :func:`papilio.verify.witness.pieces.check_piece`.
    totals
        What the whole table has of the columns that closeness over people is demanded of. That it
        is what the release has is looked at when all files are there.
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    keys: NDArray[np.uint64]
    memory: int | None = None
    totals: Totals = field(default_factory=dict)

    def report(
        self,
        file: Path,
        original: pl.DataFrame,
        made: Finished,
        people: PiecePeople | None = None,
    ) -> Report:
        """Say what is wrong with a file, if something is, and the sum of its rows.

        Parameters
        ----------
        file
            The file.
        original, made
            The rows of the piece as they came, and what was published of them.
        people
            Whose the rows are, where people may have several.
        """
        told = (self.manifest, self.hierarchies)
        owners = None
        if people is not None:
            owners = PieceOwners((people.numbers, people.several), self.totals)
        found = check_piece(file, *told, original, made.rows, self.keys, self.memory, owners)
        order = None if found.order is None else wrong_in(found.order)
        sums, wrong = (found.rows.total,), wrong_in(found.found)
        return Report(
            digests(file),
            found.rows.rows,
            wrong,
            order,
            sums,
            lines=found.lines,
            people=people_in(found),
        )


def totals_of(meanings: Meanings) -> Totals:
    """What the whole table has of the columns that closeness over people is demanded of."""
    return {name: (plain_text(each.values), each.counts) for name, each in meanings.totals.items()}
