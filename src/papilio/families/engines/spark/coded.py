"""Codes of rows on Spark: their signs, their slots and their way to the driver.

Classes that no worker could hold: several files with the same cells.

A region that allows no cut is one class, however many rows it has; a strict t may leave the whole
table as one. What its cells are follows from the counts of its codes, so that its rows need not
come together: they are dealt out by chance, and each share is a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, codes_for, stack_codes
from papilio.data.table import Role
from papilio.families.engines.meanings import Meanings, typed_frame
from papilio.families.engines.piece import top_codes
from papilio.families.generalising.top_tree import NodeCounts, TopTree
from papilio.kernels.codes import Codes
from papilio.randomness import Randomness


def codes_as_read(frame: pl.DataFrame, meanings: Meanings) -> tuple[Codes, NDArray[np.int32]]:
    """Codes by which the top of the tree is cut: quasi-identifiers, and sensitive columns.

    The same as :func:`papilio.families.engines.piece.top_codes` of the typed rows.
    """
    codes = [_codes(frame, each, meanings) for each in meanings.quasi]
    about = {each.meaning.column.name for each in meanings.sensitive}
    columns = tuple(each for each in meanings.columns if each.name in about)
    rest = replace(meanings, columns=columns, quasi=())
    sensitive = top_codes(typed_frame(frame, rest), rest)[1] if about else _none(frame.height)
    return stack_codes(codes, frame.height), sensitive


def _codes(frame: pl.DataFrame, meaning: EncodedColumn, meanings: Meanings) -> Codes:
    name = meaning.column.name
    one = replace(meanings, columns=(meaning.column,))
    series = frame.get_column(name)
    if not isinstance(series.dtype, pl.Enum):
        return codes_for(meaning, typed_frame(frame.select(name), one).get_column(name))
    texts = series.dtype.categories.alias(name)
    known = codes_for(meaning, typed_frame(pl.DataFrame([texts]), one).get_column(name))
    places = series.to_physical()
    # The last entry is for NULL, which is always code 0.
    padded = np.append(known, known.dtype.type(0))
    return cast(Codes, padded[places.fill_null(len(known)).to_numpy()])


def _none(height: int) -> NDArray[np.int32]:
    return np.empty((height, 0), np.int32)


def signed(total: int) -> int:
    """A sum as a number that the engine has."""
    return total - (1 << 64) if total >= 1 << 63 else total


def unsigned(total: int) -> int:
    """A sum back from the engine."""
    return total % (1 << 64)


@dataclass(frozen=True, eq=False)
class Slots:
    """Files that pieces are written to.

    Attributes
    ----------
    first
        Number of the first file of each piece, then the number of files.
    boxes
        By file of a piece that has several: lines that, column by column, hold every code of the
        whole piece.
    """

    first: NDArray[np.int64]
    boxes: Mapping[int, EncodedTable]

    @property
    def count(self) -> int:
        """Number of files."""
        return int(self.first[-1])


def slots_of(tree: TopTree, counts: Sequence[NodeCounts], meanings: Meanings, most: int) -> Slots:
    """Give each piece its file, and a class of more than ``most`` rows several.

    Parameters
    ----------
    tree, counts
        Pieces and what occurs in them.
    meanings
        The table. Where it knows only bins of a column, the ends of a class do not follow from
        counts, and its rows come together after all; so they do where people may have several,
        who are counted where all rows of a class are.
    most
        Rows of a file.
    """
    known = all(each.span is None for each in meanings.quasi)
    carried = any(each.role is not Role.QUASI for each in meanings.columns)
    several = known and carried and meanings.people is None
    many = [
        -(-rows // most) if one and several else 1
        for rows, one in zip(tree.rows, tree.one_class, strict=True)
    ]
    first = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    boxes = {
        int(slot): box
        for piece, files in enumerate(many)
        if files > 1
        for box in [_box(counts[piece], meanings)]
        for slot in range(first[piece], first[piece + 1])
    }
    return Slots(first, boxes)


def dealt(slots: Slots, pieces: NDArray[np.int32], randomness: Randomness) -> NDArray[np.int32]:
    """File of each row: that of its piece, or by chance one of those."""
    many = np.diff(slots.first)
    # Evenly, and by chance: which rows share a file must say nothing of where they stood.
    turns = randomness.permutation(len(pieces)) if many.max() > 1 else np.zeros(1, np.int64)
    return (slots.first[pieces] + turns % many[pieces]).astype(np.int32)


def _box(counts: NodeCounts, meanings: Meanings) -> EncodedTable:
    found = [np.flatnonzero(each).astype(np.int32) for each in counts.codes]
    height = max(map(len, found))
    # Shorter columns go round again, so that all have as many lines.
    codes = stack_codes([each[np.arange(height) % len(each)] for each in found], height)
    return EncodedTable(codes, meanings.quasi)
