"""Which values of the original's domain each published cell may be, as runs of codes.

Measures that ask what a recipient can still tell start here. The values of a column have the codes
of :mod:`papilio.data.encode`; a cell is a set of codes, kept as runs of neighbours: a range or a
node is one run, NULL beside it one more, a set of labels as many as it has gaps and one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, encode
from papilio.data.hierarchy.build import flat
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.table import Role, Table
from papilio.measure.read_cells import other_original, read_ranges, read_sets
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release

_ROWS = "papilio rows"


@dataclass(frozen=True, eq=False)
class Runs:
    """What the cells of a column may be, one cell per class.

    Attributes
    ----------
    domain
        Number of codes of the column.
    first
        Where the runs of each cell begin, and their end at last. No cell is without runs.
    low, high
        First and last code of each run, both included; runs of a cell do not overlap.
    """

    domain: int
    first: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many codes each cell may be."""
        return np.add.reduceat(self.high - self.low + 1, self.first[:-1])


@dataclass(frozen=True, eq=False)
class PossibleValues:
    """Classes of rows with equal cells, and what these cells may be.

    Attributes
    ----------
    sizes
        Rows of each class.
    columns
        Cells of each quasi-identifier.
    """

    sizes: NDArray[np.int64]
    columns: dict[str, Runs]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.sizes.sum())


def possible_values(
    release: Release, original: Table, *, encoded: EncodedTable | None = None
) -> PossibleValues:
    """Read the cells of a release of one table.

    Parameters
    ----------
    release
        A generalised release.
    original
        The table it was made from.
    encoded
        The quasi-identifiers of the original, if they are at hand already.

    Raises
    ------
    DataError
        If a cell may be nothing that the original knows.
    """
    meaning = (encoded or encode(original, original.with_role(Role.QUASI))).columns
    published = {each.name: each for each in release.manifest.table(original.name).columns}
    columns = [(each, published[each.column.name]) for each in meaning]
    names = [name for _, column in columns for name in column.published]
    classes = release.frames[original.name].group_by(names, maintain_order=True).len(_ROWS)
    return PossibleValues(
        classes.get_column(_ROWS).to_numpy().astype(np.int64),
        {column.name: cell_runs(each, column, classes) for each, column in columns},
    )


def exact_values(encoded: EncodedTable) -> PossibleValues:
    """Take a table as it is: equal rows are a class, and every cell is its value."""
    names = [each.column.name for each in encoded.columns]
    codes = pl.DataFrame(dict(zip(names, encoded.codes.T, strict=False)))
    distinct = codes.group_by(names).len(_ROWS).cast(pl.Int64)
    return PossibleValues(
        distinct.get_column(_ROWS).to_numpy(),
        {
            each.column.name: _one_run(len(each.values), exact, exact)
            for each in encoded.columns
            for exact in [distinct.get_column(each.column.name).to_numpy()]
        },
    )


def cell_runs(meaning: EncodedColumn, column: PublishedColumn, cells: pl.DataFrame) -> Runs:
    """Read the cells of one column: the codes that each line may have.

    Parameters
    ----------
    meaning
        What the codes of the original mean.
    column, cells
        The column as the manifest describes it, and a frame with its published columns.

    Raises
    ------
    DataError
        If a cell may be nothing that the original knows.
    """
    if column.cells == "range":
        return _range_runs(meaning, column, cells)
    cell = cells.get_column(column.published[0])
    if column.cells == "node":
        return _node_runs(meaning, cell)
    return _set_runs(meaning, column, cell)


def _one_run(domain: int, low: NDArray[np.int64], high: NDArray[np.int64]) -> Runs:
    return Runs(domain, np.arange(len(low) + 1), low, high)


def _range_runs(meaning: EncodedColumn, column: PublishedColumn, cells: pl.DataFrame) -> Runs:
    ranges = read_ranges(column, cells, meaning.values.dtype)
    nulls = int(meaning.has_null)
    known = meaning.values.slice(nulls)
    low = _places(known, ranges.low, "left") + nulls
    high = _places(known, ranges.high, "right") - 1 + nulls
    null = ranges.null.to_numpy()
    empty = ranges.low.is_null().to_numpy() | (low > high)
    wrong = int((empty & ~(null & bool(nulls))).sum())
    if wrong:
        raise other_original(column.name, wrong)
    # NULL has code 0, so its run comes first.
    pairs = np.stack([np.zeros((len(low), 2), np.int64), np.stack([low, high], 1)], 1)
    used = np.stack([null & bool(nulls), ~empty], 1)
    first = np.concatenate([[0], np.cumsum(used.sum(1))])
    return Runs(len(meaning.values), first, *pairs[used].T)


def _places(
    known: pl.Series, values: pl.Series, side: Literal["left", "right"]
) -> NDArray[np.int64]:
    """Where values belong among ascending ones; anywhere for NULL."""
    sought = values.to_physical().fill_null(0).to_numpy()
    return np.searchsorted(known.to_physical().to_numpy(), sought, side).astype(np.int64)


def _node_runs(meaning: EncodedColumn, cells: pl.Series) -> Runs:
    tree = meaning.hierarchy or flat(meaning.values)
    found = nodes_of_labels(tree, cells)
    if (found < 0).any():
        raise other_original(cells.name, int((found < 0).sum()))
    low, high = (each[found].astype(np.int64) for each in (tree.first, tree.last))
    return _one_run(len(meaning.values), low, high)


def _set_runs(meaning: EncodedColumn, column: PublishedColumn, cells: pl.Series) -> Runs:
    code_of = {value: code for code, value in enumerate(meaning.values)}
    distinct = cells.unique(maintain_order=True)
    sets = [[code_of.get(each, -1) for each in one] for one in read_sets(column, distinct)]
    wrong = sum(-1 in codes or not codes for codes in sets)
    if wrong:
        raise other_original(column.name, wrong)
    runs = [_joined(codes) for codes in sets]
    which = cells.replace_strict(distinct, pl.Series(range(len(runs)))).to_list()
    lengths = [len(runs[each]) for each in which]
    pairs = np.array([pair for each in which for pair in runs[each]], np.int64)
    return Runs(len(meaning.values), np.cumsum([0, *lengths]), *pairs.T)


def _joined(codes: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of neighbours among some codes."""
    ordered = np.unique(codes)
    breaks = np.flatnonzero(np.diff(ordered) > 1) + 1
    return [(int(part[0]), int(part[-1])) for part in np.split(ordered, breaks)]
