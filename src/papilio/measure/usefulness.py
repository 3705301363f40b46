"""What a release is still good for: predicting a column, and answering random queries.

Classification metric.

Source: Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002 (CM).

Query answerability: how many published rows may answer random queries.

Source: Tang, Wu, Liao, Wang, "Utility-based k-anonymization", section V: the
query ratio. A query asks for equality with one value on each of some quasi-identifiers, joined by
"and"; a published row answers it if each of these cells may be the value asked for. The paper draws
"7000 queries with different length" and does not say how; here a query has one to d conditions,
each number equally likely, on columns and values that are equally likely as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.table import Role, Table
from papilio.errors import DataError
from papilio.measure.possible_values import PossibleValues, Runs
from papilio.randomness import Randomness
from papilio.release.release import Release

_ROWS = "papilio rows"


def classification(release: Release, original: Table, label: str) -> float:
    r"""Share of rows a majority vote of their class mislabels: :math:`\frac{1}{n} \sum penalty`.

    A row is penalised by 1 if its label is not the most frequent one of its class, or if the
    release leaves it out. Between 0 (classes are pure) and 1; a release as one single class has
    the share of all but the most frequent label, and cells that say nothing about the label come
    out the same. NULL is one more label.

    Parameters
    ----------
    release
        A generalised release.
    original
        The table it was made from.
    label
        A column that is published as it is, which a recipient may want to predict.

    Raises
    ------
    DataError
        If the release has no such column.
    """
    published = release.manifest.table(original.name).columns
    kept = [each.published[0] for each in published if each.cells == "value"]
    if label not in kept:
        raise DataError(
            f"'{label}' is no column that is published as it is; these are: "
            f"{', '.join(kept) or 'none'}",
            reason="no-label",
        )
    cells = [n for each in published if each.role == Role.QUASI for n in each.published]
    counts = release.frames[original.name].group_by([*cells, label]).len(_ROWS)
    majority = counts.group_by(cells).agg(pl.col(_ROWS).max()).get_column(_ROWS).sum()
    return 1 - int(majority) / original.height


#: How many queries the paper asks.
QUERIES = 7000
#: Classes looked at in one go: their bits for one value fill a kilobyte.
_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Queries:
    """Conjunctions of equalities.

    Attributes
    ----------
    columns
        Names of the quasi-identifiers.
    values
        One line per query: the code asked for in each column, -1 where nothing is.
    """

    columns: tuple[str, ...]
    values: NDArray[np.int64]


def random_queries(original: EncodedTable, randomness: Randomness, count: int = QUERIES) -> Queries:
    """Draw queries about a table.

    Parameters
    ----------
    original
        The quasi-identifiers. Only values that occur are asked for, NULL like any other.
    randomness
        Where they come from; the same seed gives the same queries.
    count
        How many.
    """
    width = len(original.columns)
    length = randomness.keys(count) % np.uint64(width) + np.uint64(1)
    # The first so many columns of a random order: every set of columns is equally likely.
    order = np.argsort(randomness.keys(count * width).reshape(count, width), axis=1)
    asked = np.argsort(order, axis=1) < length[:, None]
    values = np.full((count, width), -1, np.int64)
    for place in range(width):
        occurring = np.unique(original.codes[:, place])
        drawn = occurring[randomness.keys(count) % np.uint64(len(occurring))]
        values[:, place] = np.where(asked[:, place], drawn, -1)
    return Queries(tuple(each.column.name for each in original.columns), values)


def matching_rows(cells: PossibleValues, queries: Queries) -> NDArray[np.int64]:
    """Count, for each query, the rows that may answer it.

    Cost: (classes times queries times columns) / 64 operations on words; memory does not grow with
    the number of classes.
    """
    counts = np.zeros(len(queries.values), np.int64)
    for begin in range(0, len(cells.sizes), _BLOCK):
        sizes = cells.sizes[begin : begin + _BLOCK]
        matches = np.tile(_bits(np.ones(len(sizes), bool)), (len(counts), 1))
        for place, name in enumerate(queries.columns):
            asked = queries.values[:, place]
            rows = np.flatnonzero(asked >= 0)
            values, which = np.unique(asked[rows], return_inverse=True)
            covering = _covering(cells.columns[name], values, begin, begin + len(sizes))
            matches[rows] &= covering[which]
        counts += _weigh(matches, sizes)
    return counts


def query_ratio(cells: PossibleValues, queries: Queries) -> float:
    r"""Share of (query, row) pairs that match: :math:`\sum_q |answers(q)| / (queries \cdot rows)`.

    Between the ratio of the original, which :func:`matching_rows` of
    :func:`~papilio.measure.possible_values.exact_values` gives, and 1, if no row is left out; the
    lower, the more precise are the answers. Rows that a release leaves out do not count at all.
    """
    return int(matching_rows(cells, queries).sum()) / (len(queries.values) * cells.rows)


def _covering(cells: Runs, values: NDArray[np.int64], begin: int, end: int) -> NDArray[np.uint64]:
    """Bits, one line per value: which cells from ``begin`` to ``end`` may be it.

    A run covers neighbours among the ascending values. It turns its cell's bit at the first of
    them and again after the last; going down the lines, bits are set between the two.
    """
    first, last = cells.first[begin], cells.first[end]
    cell = np.repeat(np.arange(end - begin), np.diff(cells.first[begin : end + 1]))
    word, bit = cell // 64, np.left_shift(np.uint64(1), (cell % 64).astype(np.uint64))
    turns = np.zeros((len(values) + 1, -(-(end - begin) // 64)), np.uint64)
    np.bitwise_xor.at(turns, (np.searchsorted(values, cells.low[first:last]), word), bit)
    beyond = np.searchsorted(values, cells.high[first:last], side="right")
    np.bitwise_xor.at(turns, (beyond, word), bit)
    return np.bitwise_xor.accumulate(turns, axis=0)[:-1]


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack flags into words, 64 to each, filled up with zeros."""
    padded = np.zeros(-(-len(flags) // 64) * 64, bool)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def _weigh(matches: NDArray[np.uint64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the sizes of the classes whose bits are set, one binary digit of the sizes at a time."""
    counts = np.zeros(len(matches), np.int64)
    for digit in range(int(sizes.max()).bit_length()):
        having = _bits(((sizes >> digit) & 1).astype(bool))
        counts += np.bitwise_count(matches & having).sum(axis=1, dtype=np.int64) << digit
    return counts
