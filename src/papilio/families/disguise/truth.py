"""Whether a disguised release that was written piece by piece is true of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.errors import InternalError
from papilio.families.disguise.methods.domain_of import FILE
from papilio.families.engines.report import (
    OTHER_FILES,
    Counts,
    Report,
    are_published,
    digests,
    table_finding,
    wrong_in,
)
from papilio.release.manifest import Manifest
from papilio.verify import sql
from papilio.verify.disguised_layout import layout_of
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.opened import Opened
from papilio.verify.target_tree import TargetTree, read_tree
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.disguised import OTHERS, check_groups
from papilio.verify.witness.group_pieces import Came, PeoplePiece, check_classes, check_people
from papilio.verify.witness.held import FITS, GROUPS, Held, leaves_of
from papilio.verify.witness.pieces import check_orders, check_pieces
from papilio.verify.witness.table import DEMANDED
from papilio.verify.witness.values import Rows, RowSum, sum_rows


@dataclass(frozen=True, eq=False)
class DisguisedCheck:
    """Looks at files as soon as they are written.

    Attributes
    ----------
    manifest, hierarchies
        How to read them; the number of subdomains need not be known yet.
    tree
        The subdomains as the verifier reads them from the text of the release.
    kind
        How their ends are compared.
    keys
        For the sum of rows.
    memory
        Bytes that the database may use.
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    tree: TargetTree
    kind: str
    keys: NDArray[np.uint64]
    memory: int | None = None

    def people(self, came: Came, rows: NDArray[np.int64], file: Path) -> Report:
        """Report on a file of people, and count them by group, leaf and what they demand."""
        column = layout_of(self.manifest).sensitive.name
        hidden, original = [column, PERSONAL], came.rows
        piece = check_people(file, self.manifest, self.hierarchies, came, hidden, rows, self.memory)
        leaves = leaves_of(self.tree, original.get_column(column), self.kind)
        said = original.get_column(PERSONAL) if PERSONAL in original.columns else None
        counts = _counted(piece.groups, leaves, said)
        return self._report(piece, original, digests(file), counts=counts)

    def classes(self, came: Came, rows: Rows, files: Mapping[str, Path]) -> Report:
        """Report on files of people and of the subdomains of all their groups."""
        told = (self.manifest, self.hierarchies, self.tree)
        piece = check_classes(files, *told, came, rows, self.memory)
        return self._report(piece, came.rows, digests(*files.values()))

    def _report(
        self,
        piece: PeoplePiece,
        original: pl.DataFrame,
        files: dict[str, str],
        counts: Counts = (),
    ) -> Report:
        order = None if piece.order is None else wrong_in(piece.order)
        fits = "" if piece.fits is None else wrong_in(piece.fits)
        total = sum_rows(original, self.keys).total
        found = wrong_in(piece.found)
        return Report(files, original.height, found, order, (total,), fits, counts)


def disguised_check(
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    tree: DomainTree,
    keys: NDArray[np.uint64],
    memory: int | None = None,
) -> DisguisedCheck:
    """Let the verifier read the tree from the text that will be published.

    Raises
    ------
    InternalError
        If it cannot; then no release would be confirmed either.
    """
    numeric = layout_of(manifest).sensitive.type == "numeric"
    read = read_tree(hierarchies[FILE], numeric=numeric)
    if isinstance(read, str):
        raise InternalError("the verifier does not understand the tree", reason="domain-tree")
    whole = tree.lows.dtype == pl.Int64
    kind = sql.TEXT if not numeric else sql.WHOLE if whole else "DOUBLE"
    return DisguisedCheck(manifest, hierarchies, read, kind, keys, memory)


def _counted(groups: NDArray[np.int64], leaves: Rows, said: pl.Series | None) -> Counts:
    """Number of people of each group, leaf and demand."""
    texts = pl.Series([None] * len(groups), dtype=pl.String) if said is None else said
    kinds = pl.DataFrame({"group": groups, "leaf": leaves, "said": texts})
    return tuple(kinds.group_by(pl.all()).len("people").rows())


#: People by group, leaf of their value and what they demand.
_KINDS = {"group": pl.Int64, "leaf": pl.Int64, "said": pl.String, "people": pl.Int64}


def no_kinds() -> pl.DataFrame:
    """Nobody, counted."""
    return pl.DataFrame(schema=_KINDS)


def add_kinds(kinds: pl.DataFrame, report: Report) -> pl.DataFrame:
    """Add the people of a file to those of others; cost: that of the kinds of both."""
    more = pl.DataFrame(report.counts, schema=_KINDS, orient="row")
    by = [name for name in _KINDS if name != "people"]
    return pl.concat([kinds, more]).group_by(by).agg(pl.col("people").sum())


@dataclass(frozen=True, eq=False)
class DisguisedTruth:
    """What was found out about people whose groups are few, for the verdict.

    Attributes
    ----------
    source
        Sum of the rows of the source.
    people
        What is known of each file of people.
    kinds
        People of all files, counted; see :func:`add_kinds`.
    check
        How they were looked at.
    personal
        Whether people demand something for themselves.
    """

    source: RowSum
    people: tuple[Report, ...]
    kinds: pl.DataFrame
    check: DisguisedCheck
    personal: bool

    def __call__(self, opened: Opened) -> Iterator[Finding]:
        """Say what :func:`papilio.verify.witness.disguised.check_disguised` says elsewhere."""
        name = opened.manifest.tables[0].name
        found = [table_finding(opened, name, "truthfulness", self.source, self.people)]
        if found[0].status is Status.HOLDS:
            found += check_groups(opened, self._held)
        yield from found
        if all(each.status is Status.HOLDS for each in found):
            yield check_orders([report.truth() for report in self.people])

    def _held(self, tree: TargetTree, kind: str) -> Held | None:
        """People as they were counted, if by the tree of the release."""
        if (tree, kind) != (self.check.tree, self.check.kind):
            return None
        numbers = (self.kinds.get_column(name).to_numpy() for name in ("group", "leaf", "people"))
        groups, leaves, counts = numbers
        texts = self.kinds.get_column("said") if self.personal else None
        return Held(groups, leaves, counts, texts)


@dataclass(frozen=True, eq=False)
class ClassesTruth:
    """What was found out about classes that are a group each, for the verdict.

    Attributes
    ----------
    source
        Sum of the rows of the source.
    pieces
        What is known of the files of each piece, people and subdomains.
    check
        How they were looked at.
    """

    source: RowSum
    pieces: tuple[Report, ...]
    check: DisguisedCheck

    def __call__(self, opened: Opened) -> Iterator[Finding]:
        """Say what :func:`papilio.verify.witness.disguised.check_disguised` says elsewhere."""
        found = [self._people(opened)]
        if found[0].status is Status.HOLDS:
            found.append(self._groups(opened))
        yield from found
        if all(each.status is Status.HOLDS for each in found):
            yield check_orders([report.truth() for report in self.pieces])

    def _people(self, opened: Opened) -> Finding:
        names = [table.name for table in opened.manifest.tables[:2]]
        if not are_published(opened.manifest, names, self.pieces):
            return finding("truthfulness", DEMANDED, OTHER_FILES, holds=False)
        pieces = [report.truth() for report in self.pieces]
        return check_pieces(opened, {}, self.source, pieces)

    def _groups(self, opened: Opened) -> Finding:
        """Whole groups are in one piece, so that they can hold their people if each piece can."""
        if opened.hierarchies.get(FILE) != self.check.hierarchies[FILE]:
            return finding(GROUPS, FITS, OTHERS, holds=False)
        wrong = [report.fits for report in self.pieces if report.fits]
        measured = (
            f"in {len(wrong)} of {len(self.pieces)} pieces not: {wrong[0]}"
            if wrong
            else (f"all {self.source.rows} do")
        )
        return finding(GROUPS, FITS, measured, not wrong)
