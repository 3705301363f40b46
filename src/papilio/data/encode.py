"""Values to integer codes, once per column; everything after works on codes.

A column becomes codes ``0 .. size - 1`` in the order in which its values can be cut: numbers and
dates ascending, the leaves of a hierarchy in tree order, labels alphabetically or in the order the
policy gives. NULL, where it occurs, is always code 0. Codes are int16 where every column fits,
int32 otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import share_of_span
from papilio.data.hierarchy.build import build, leaf_codes
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.table import Column, Table
from papilio.errors import DataError
from papilio.kernels.attributes import RANGE, SET, TREE, Attributes
from papilio.kernels.codes import Codes

#: A lookup table is used for whole numbers spread over at most this many times their count.
_SPREAD = 4
#: Numbers are found by a lookup table if it has fewer entries than this, else by binary search.
_LOOKUP = 1 << 20


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """What the codes of one column mean.

    Attributes
    ----------
    column
        The column.
    values
        Value of each code; the first is NULL if NULL occurs.
    has_null
        Whether code 0 is NULL.
    hierarchy
        The tree over the codes, if the column has one.
    span
        Smallest and largest number of the whole column, physical for dates, if ``values`` are only
        those of some rows; widths are shares of this span.
    """

    column: Column
    values: pl.Series
    has_null: bool
    hierarchy: Hierarchy | None = None
    span: tuple[float, float] | None = None

    @property
    def kind(self) -> int:
        """``RANGE``, ``TREE`` or ``SET``, as kernels distinguish them."""
        if self.hierarchy is not None:
            return TREE
        return RANGE if self.column.type.ordered else SET


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """The quasi-identifiers of a table as codes.

    Attributes
    ----------
    codes
        One line per row, one code per column, padded with zeros to a multiple of eight bytes.
    columns
        What the codes mean; padding has no entry.
    """

    codes: Codes
    columns: tuple[EncodedColumn, ...]

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.codes)


def encode(table: Table, columns: tuple[Column, ...]) -> EncodedTable:
    """Encode the given columns of a table.

    Cost: one hash or lookup per cell for labels and whole numbers, a sort for other numbers;
    ``2 d`` bytes per row for d columns of at most 32 767 values.
    """
    encoded = []
    codes = []
    for column in columns:
        meaning, numbers = encode_column(table.frame.get_column(column.name), column)
        encoded.append(meaning)
        codes.append(numbers)
    return EncodedTable(stack_codes(codes, table.height), tuple(encoded))


def encode_column(
    series: pl.Series, column: Column, counts: NDArray[np.int64] | None = None
) -> tuple[EncodedColumn, Codes]:
    """Encode one column; see the module for the order of the codes.

    ``counts`` says of how many rows each entry stands, if not of one; it matters for messages only.
    """
    has_null = series.null_count() > 0
    if column.hierarchy is not None:
        hierarchy = build(column.hierarchy, series, column.type, column.name, counts)
        values = pl.Series(column.name, hierarchy.leaves, dtype=pl.String)
        codes = _narrow(leaf_codes(hierarchy, series), len(hierarchy.leaves))
        return EncodedColumn(column, values, has_null, hierarchy), codes
    if column.type.ordered:
        values, codes = _encode_ordered(series, has_null)
    else:
        values, codes = _encode_labels(series, column, has_null)
    return EncodedColumn(column, values, has_null), codes


def codes_for(meaning: EncodedColumn, series: pl.Series) -> Codes:
    """Codes of values under a meaning that is known already.

    Parameters
    ----------
    meaning
        What the codes mean. Of a column with a ``span`` a value gets the code of the smallest
        meant value that is not below it.
    series
        Values, in the type they have after :func:`papilio.data.types.convert`; each is meant.

    Notes
    -----
    Cost: one lookup per cell, in a table for labels, else by binary search.
    """
    if not isinstance(series.dtype, pl.Enum):
        return _narrow(_codes_for(meaning, series), len(meaning.values))
    # Labels are few: each is looked up once, and rows by its number.
    used = np.unique(series.to_physical().drop_nulls().to_numpy())
    table = np.zeros(int(used.max(initial=0)) + 2, np.int32)
    table[used] = _codes_for(meaning, series.dtype.categories.gather(used))
    places = series.to_physical().cast(pl.Int32).fill_null(len(table) - 1).to_numpy()
    found: Codes = _narrow(table, len(meaning.values))[places]
    return found


def _codes_for(meaning: EncodedColumn, series: pl.Series) -> NDArray[np.integer[Any]]:
    if meaning.hierarchy is not None:
        return leaf_codes(meaning.hierarchy, series)
    if meaning.column.type.ordered:
        return _places(meaning, _numbers(series.cast(meaning.values.dtype)))
    labels = pl.Enum(meaning.values.drop_nulls())
    places = series.cast(pl.String).cast(labels).to_physical().cast(pl.Int32)
    return ((places + 1).fill_null(0) if meaning.has_null else places).to_numpy()


def _places(meaning: EncodedColumn, numbers: pl.Series) -> NDArray[np.integer[Any]]:
    """Place of each number among the meant ones; NULL has place 0."""
    known = _numbers(meaning.values.drop_nulls()).to_numpy()
    if len(known) == 0:
        return np.zeros(len(numbers), np.int16)
    filled = numbers.fill_null(known[0].item()).to_numpy()
    places = _find(known, filled)
    return np.where(numbers.is_null().to_numpy(), 0, places + 1) if meaning.has_null else places


def _find(known: NDArray[np.generic], numbers: NDArray[np.generic]) -> NDArray[np.integer[Any]]:
    """Place of the first known number that is not below each number."""
    low, high = known[0], known[-1]
    if np.issubdtype(known.dtype, np.integer) and int(high) - int(low) < _LOOKUP:
        place = np.searchsorted(known, np.arange(int(low), int(high) + 1)).astype(np.int32)
        return place[numbers.astype(np.int64, copy=False) - int(low)]
    return np.searchsorted(known, numbers)


def _numbers(series: pl.Series) -> pl.Series:
    numbers = series.to_physical() if series.dtype.is_temporal() else series
    return numbers.cast(pl.Float64) if numbers.dtype.is_decimal() else numbers


def attributes_of(table: EncodedTable) -> Attributes:
    """Describe the columns to kernels."""
    positions = [_positions(column) for column in table.columns]
    trees = [column.hierarchy for column in table.columns]
    nodes = [0 if tree is None else len(tree.labels) for tree in trees]
    leaves = [0 if tree is None else len(tree.leaves) for tree in trees]
    present = [tree for tree in trees if tree is not None]
    return Attributes(
        kind=np.array([column.kind for column in table.columns], np.int8),
        size=np.array([len(column.values) for column in table.columns], np.int64),
        position_start=_offsets([len(part) for part in positions]),
        position=np.concatenate([*positions, np.empty(0)]),
        node_start=_offsets(nodes),
        leaf_start=_offsets(leaves),
        parent=_concatenate([tree.parent for tree in present]),
        last_leaf=_concatenate([tree.last for tree in present]),
        node_loss=np.concatenate([*(tree.loss for tree in present), np.empty(0)]),
        leaf_node=_concatenate([tree.leaf_node for tree in present]),
    )


def _encode_ordered(series: pl.Series, has_null: bool) -> tuple[pl.Series, Codes]:
    numbers = _numbers(series)
    if numbers.null_count() == len(numbers):
        return series.head(1), np.zeros(len(series), np.int16)
    filled = numbers.fill_null(numbers.min()).to_numpy() if has_null else numbers.to_numpy()
    distinct, codes = _rank(filled)
    values = pl.Series(series.name, distinct).cast(numbers.dtype).cast(series.dtype)
    if has_null:
        codes = np.where(numbers.is_null().to_numpy(), 0, codes + 1)
        values = pl.concat([pl.Series(series.name, [None], dtype=series.dtype), values])
    return values, _narrow(codes, len(values))


def _rank(numbers: NDArray[np.generic]) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    """Distinct numbers, ascending, and the place of each number among them."""
    if np.issubdtype(numbers.dtype, np.integer):
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < max(_SPREAD * len(numbers), 1 << 16):
            shifted = (numbers.astype(np.int64, copy=False) - low).astype(np.int32)
            occurs = np.zeros(high - low + 1, bool)
            occurs[shifted] = True
            place = np.cumsum(occurs, dtype=np.int32) - 1
            return (np.flatnonzero(occurs) + low).astype(numbers.dtype), place[shifted]
    distinct, codes = np.unique(numbers, return_inverse=True)
    return distinct, codes.astype(np.int32)


def _encode_labels(series: pl.Series, column: Column, has_null: bool) -> tuple[pl.Series, Codes]:
    text = series.cast(pl.String) if series.dtype == pl.Boolean else series
    occurring = text.drop_nulls().unique().cast(pl.String).sort()
    labels = occurring if column.domain is None else _domain(occurring, column)
    physical = text.cast(pl.String).cast(pl.Enum(labels)).to_physical()
    values = labels.alias(column.name)
    if not has_null:
        return values, _narrow(physical.to_numpy(), len(values))
    codes = (physical.cast(pl.Int32) + 1).fill_null(0)
    values = pl.concat([pl.Series(column.name, [None], dtype=pl.String), values])
    return values, _narrow(codes.to_numpy(), len(values))


def _domain(occurring: pl.Series, column: Column) -> pl.Series:
    domain = pl.Series(column.name, column.domain, dtype=pl.String)
    outside = int((~occurring.is_in(domain.implode())).sum())
    if outside:
        raise DataError(
            f"column '{column.name}': {outside} values are not in the domain the policy gives; "
            "list every value that may occur",
            reason="outside-domain",
        )
    return domain


def _positions(column: EncodedColumn) -> NDArray[np.float64]:
    """Where each code of a ``RANGE`` column lies in [0, 1]; NULL lies at -1."""
    if column.kind != RANGE:
        return np.empty(0)
    values = column.values.to_physical().cast(pl.Float64)
    low, high = column.span or (values.min(), values.max())
    if low is None or high is None:
        return np.full(len(values), -1.0)
    numbers = values.fill_null(np.nan).to_numpy()
    shares = share_of_span(numbers, float(low), float(high))  # type: ignore[arg-type]
    return np.where(np.isnan(numbers), -1.0, shares)


def _narrow(codes: NDArray[np.generic], size: int) -> Codes:
    if size <= np.iinfo(np.int16).max:
        return codes.astype(np.int16, copy=False)
    return codes.astype(np.int32, copy=False)


def stack_codes(columns: Sequence[Codes], height: int) -> Codes:
    """Lay columns side by side, padded to a multiple of eight bytes per row."""
    dtype = np.result_type(np.int16, *(codes.dtype for codes in columns))
    per_word = 8 // dtype.itemsize
    width = -(-len(columns) // per_word) * per_word
    stacked = np.zeros((height, width), dtype)
    for index, codes in enumerate(columns):
        stacked[:, index] = codes
    return stacked


def _offsets(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)]).astype(np.int64)


def _concatenate(parts: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int32)
