"""Truthfulness of permuted and disguised releases that are published piece by piece.

A file of people is compared with the rows it is made of, line by line. Whether these rows together
are the original's is told by sums, and so is, where values are published as they are, whether the
values of each group are those of its people: both sides add up pairs of a group, as it stands in
the file, and a value. If the sums agree, there is one list of (person, group, value) of which both
tables are a part, and whose people and values are the original's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import Manifest
from papilio.verify import sql
from papilio.verify.disguised_layout import end_kind, layout_of, load_subdomains
from papilio.verify.group_tables import columns_with, group_names
from papilio.verify.kinds import check_source_order
from papilio.verify.line_order_source import check_arrival
from papilio.verify.opened import Opened, UnreadableError, open_files
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.disguised import OTHERS, held_rows
from papilio.verify.witness.held import FITS, GROUPS, check_fits
from papilio.verify.witness.permuted import groups_of, without_group
from papilio.verify.witness.table import DEMANDED, check_table
from papilio.verify.witness.values import Rows, RowSum, keys_needed, sum_rows

_UNREAD = "a file cannot be read"


@dataclass(frozen=True, eq=False)
class Came:
    """The rows that a piece is made of, in the order in which they came.

    Attributes
    ----------
    rows
        The rows.
    places
        A number for each that grows with its place in the original.
    """

    rows: pl.DataFrame
    places: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PeoplePiece:
    """What is known of one file of people.

    Attributes
    ----------
    found
        Whether its lines are true of its rows.
    order
        Whether they follow the original, or the order in which rows came; ``None`` if they are not
        true.
    groups
        Group of each row as it stands in the file; -1 if the lines are not true.
    fits
        Whether groups can hold their people, where their subdomains are in the piece as well.
    """

    found: Finding
    order: Finding | None
    groups: NDArray[Any]
    fits: Finding | None = None


def check_people(
    file: Path,
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    original: Came,
    hidden: Sequence[str],
    rows: Rows,
    memory: int | None = None,
) -> PeoplePiece:
    """Check one file of people against the rows it is made of.

    Parameters
    ----------
    file
        The file as it was written.
    manifest, hierarchies
        How to read the release; people are its first table.
    original
        The rows that the piece is made of.
    hidden
        Their columns that are not in this table.
    rows
        Row of each line, as the method says it.
    memory
        Bytes that the database may use.

    Notes
    -----
    Cost: that of :func:`papilio.verify.witness.table.check_table`.
    """
    try:
        with open_files({manifest.tables[0].name: file}, manifest, hierarchies, memory) as opened:
            return _people(opened, original, hidden, rows)
    except UnreadableError:
        return _unreadable(original)


def check_classes(
    files: Mapping[str, Path],
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    tree: TargetTree,
    original: Came,
    rows: Rows,
    memory: int | None = None,
) -> PeoplePiece:
    """Check files of people and of their subdomains, of a disguise whose groups are in one piece.

    Parameters
    ----------
    files
        Both files by the names of their tables.
    tree
        The subdomains; the release must have the same.
    manifest, hierarchies, original, rows, memory
        As for :func:`check_people`; the disguised column is a part of the rows.
    """
    try:
        with open_files(files, manifest, hierarchies, memory) as opened:
            layout = layout_of(manifest)
            name = layout.sensitive.name
            piece = _people(opened, original, [name], rows)
            fits = finding(GROUPS, FITS, OTHERS, holds=False)
            if not load_subdomains(opened, layout, tree):
                held = held_rows(original.rows, name, piece.groups, tree, end_kind(opened, layout))
                fits = fits if held is None else check_fits(opened, tree, held)
            return PeoplePiece(piece.found, piece.order, piece.groups, fits)
    except UnreadableError:
        return _unreadable(original)


def _people(opened: Opened, original: Came, hidden: Sequence[str], rows: Rows) -> PeoplePiece:
    people, height = opened.manifest.tables[0], original.rows.height
    shown = original.rows.drop(hidden, strict=False)
    found = check_table(opened, without_group(people), shown, rows, height=height)
    if found.status is not Status.HOLDS:
        return PeoplePiece(found, None, np.full(height, -1, np.int64))
    (group,) = group_names(people)
    groups = groups_of(opened, people, group, rows, height)
    places = {people.name: original.places[rows]}
    orders = (check_source_order(opened, places), check_arrival(opened, {people.name: rows}))
    order = next((each for each in orders if each.status is not Status.HOLDS), orders[0])
    return PeoplePiece(found, order, groups)


def _unreadable(original: Came) -> PeoplePiece:
    found = finding("truthfulness", DEMANDED, _UNREAD, holds=False)
    return PeoplePiece(found, None, np.full(original.rows.height, -1, np.int64))


def pair_keys() -> int:
    """How many random keys pairs of a group and a value take."""
    return keys_needed(2)


def sum_pairs(groups: NDArray[Any], values: pl.Series, keys: NDArray[np.uint64]) -> RowSum:
    """Add up pairs of a group and a value."""
    pairs = [pl.Series("group", groups, dtype=pl.Int64), values.alias("value")]
    return sum_rows(pl.DataFrame(pairs), keys)


def sum_values(
    file: Path,
    manifest: Manifest,
    keys: NDArray[np.uint64],
    pairs: NDArray[np.uint64],
    memory: int | None = None,
) -> tuple[RowSum, RowSum]:
    """Add up the values of a file of a permuted release, and pairs of group and value.

    Parameters
    ----------
    file
        The file as it was written.
    manifest
        How to read the release; values are its second table.
    keys, pairs
        Keys for values, and for pairs of :func:`sum_pairs`.
    memory
        Bytes that the database may use.

    Raises
    ------
    UnreadableError
        If the file cannot be read.
    """
    table = manifest.tables[1]
    (group,), (value,) = group_names(table), columns_with(table, "value")
    with open_files({table.name: file}, manifest, {}, memory) as opened:
        (lines,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
        found = pl.DataFrame(opened.lines(table.name, [group, value.name], lines))
    values = found.get_column(value.name)
    numbers = found.get_column(group).cast(pl.Int64).fill_null(-1).to_numpy()
    return sum_rows(values.to_frame(), keys), sum_pairs(numbers, values, pairs)
