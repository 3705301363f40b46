"""Which sets of columns single rows out.

For n rows that fall into groups of sizes n_g when two rows are alike if they agree on every
column of a set (NULL agrees with NULL and with nothing else):

=============  ====================================  ============================================
distinctness   number of groups / n                  Motwani & Xu 2007, "Efficient algorithms for
separation     1 - Σ n_g (n_g - 1) / (n (n - 1))     masking and finding quasi-identifiers"
unique share   number of groups with n_g = 1 / n     the rows that anyone who knows the set finds
=============  ====================================  ============================================

Where people may have several rows, the unique share is that of the rows in groups that are one
person's: whoever knows the set finds the person all the same, by several rows that are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.errors import PapilioError
from papilio.kernels.count_groups import partition, refine, rows_of_one, tally
from papilio.randomness import Randomness, sampling

#: Places of columns, ascending.
_Places: TypeAlias = tuple[int, ...]
#: What :func:`papilio.kernels.count_groups.tally` finds for each of some sets.
_Counts: TypeAlias = dict[_Places, NDArray[np.int64]]
#: A stripped partition, see :mod:`papilio.kernels.count_groups`.
_Partition: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]

#: Sets of three or more columns are given up before fewer rows than this are looked at: among few
#: Of more sets than these, those of three columns are not counted.
MOST_SETS = 100_000
#: rows nearly everybody is alone on three columns, and the figures would say nothing.
FEWEST_ROWS = 10_000


@dataclass(frozen=True)
class ColumnSet:
    """How far a set of columns tells rows apart.

    Attributes
    ----------
    columns
        Names, in the order of the table.
    distinctness
        Distinct combinations per row; 0 without rows.
    separation
        Share of the pairs of rows that differ on the set; 1 if there are fewer than two rows.
    unique_share
        Share of the rows that are alone with their combination, or beside rows of the same person
        only; 0 without rows.
    smallest_group
        Number of rows that share the rarest combination; 0 without rows.
    implied
        Whether the set was not counted because a subset of it already tells all rows apart.
    """

    columns: tuple[str, ...]
    distinctness: float
    separation: float
    unique_share: float
    smallest_group: int
    implied: bool = False


@dataclass(frozen=True)
class Uniqueness:
    """The column sets of a table and how they were counted.

    Attributes
    ----------
    rows
        Rows of the table.
    looked_at
        Rows that were counted, a uniform sample without replacement if fewer than ``rows``. A
        sample overstates distinctness and unique share, since fewer rows are there to be alike;
        separation is unbiased.
    largest_size
        Number of columns of the largest sets that were considered.
    sets
        The sets, smaller ones first, then in the order of the table.
    implied
        Number of sets that contain a key, a smaller set on which all rows differ.
    """

    rows: int
    looked_at: int
    largest_size: int
    sets: tuple[ColumnSet, ...]
    implied: int

    @property
    def sampled(self) -> bool:
        """Whether only a part of the rows was looked at."""
        return self.looked_at < self.rows


class _Codes(NamedTuple):
    """A column as codes ``0 .. size - 1`` in order of first occurrence."""

    codes: NDArray[np.int32]
    size: int


@dataclass(frozen=True, eq=False)
class _Encoded:
    """A table as codes, the column with most values first.

    In that order most rows are alone, and out of the way, before the last column of a set comes.
    """

    names: tuple[str, ...]
    columns: tuple[_Codes, ...]
    singles: tuple[_Partition, ...]
    rows: int
    owners: NDArray[np.int32] | None


def uniqueness(
    frame: pl.DataFrame,
    *,
    max_size: int = 3,
    sample: int = 1_000_000,
    work: int = 1_000_000_000,
    list_implied: bool = False,
    randomness: Randomness | None = None,
    progress: Callable[[float], None] | None = None,
    threads: int = 2,
    owners: NDArray[np.int32] | None = None,
) -> Uniqueness:
    """Measure every set of up to ``max_size`` columns.

    Once a set is a key, all sets that contain it are keys: they are not counted, and listed only
    if ``list_implied`` asks for it.

    Parameters
    ----------
    frame
        The table. NaN counts as NULL.
    max_size
        Most columns in a set.
    sample
        Most rows to look at.
    work
        Most rows times sets. A wide table is sampled further to stay below; if that would leave
        fewer than :data:`FEWEST_ROWS` rows, ``max_size`` is lowered as well, down to 2.
    list_implied
        Whether to list the sets that contain a key.
    randomness
        Where the sample comes from.
    progress
        Called from time to time with the share of the work that is done, at last with 1.
    threads
        Number of threads.
    owners
        Whose each row is, from 0, where people may have several.

    Returns
    -------
    Uniqueness
        The sets, the number of rows looked at and the largest size considered.

    Raises
    ------
    PapilioError
        If ``max_size``, ``sample``, ``work`` or ``threads`` is below 1.

    Notes
    -----
    Cost: one pass per set over the rows that are not yet alone without its last column, 3 to
    12 ns per row; at most twelve bytes per cell that is looked at.
    """
    _check_positive(max_size=max_size, sample=sample, work=work, threads=threads)
    size, looked_at = _affordable(frame.height, frame.width, max_size, sample, work)
    chosen = _chosen(frame.height, looked_at, randomness)
    drawn = frame if chosen is None else frame[chosen]
    table = _encode(drawn, owners if owners is None or chosen is None else owners[chosen])
    counts = _count_sets(table, size, threads, progress)
    sets = _list_sets(table, frame.columns, size, counts, list_implied)
    return Uniqueness(
        rows=frame.height,
        looked_at=looked_at,
        largest_size=size,
        sets=sets,
        implied=_number_of_sets(frame.width, size) - len(counts),
    )


def column_set(
    columns: tuple[str, ...], rows: int, groups: int, alone: int, smallest: int, alike: int
) -> ColumnSet:
    """Turn counts into measures.

    Parameters
    ----------
    columns
        Names of the columns.
    rows
        Number of rows, n.
    groups
        Number of groups.
    alone
        Number of groups of one row.
    smallest
        Size of the smallest group.
    alike
        Σ n_g (n_g - 1) over the groups.
    """
    return ColumnSet(
        columns=columns,
        distinctness=groups / rows if rows else 0.0,
        separation=1 - alike / (rows * (rows - 1)) if rows > 1 else 1.0,
        unique_share=alone / rows if rows else 0.0,
        smallest_group=smallest,
    )


def draw_rows(frame: pl.DataFrame, count: int, randomness: Randomness) -> pl.DataFrame:
    """Draw ``count`` rows uniformly without replacement; they stay in the order of the frame."""
    chosen = _chosen(frame.height, count, randomness)
    return frame if chosen is None else frame[chosen]


def _chosen(rows: int, count: int, randomness: Randomness | None) -> NDArray[np.int64] | None:
    """Numbers of ``count`` rows, ascending; ``None`` for all of them."""
    if count >= rows:
        return None
    chosen = np.argpartition((randomness or sampling()).keys(rows), count)[:count]
    return np.sort(chosen)


def _check_positive(**arguments: int) -> None:
    for name, value in arguments.items():
        if value < 1:
            raise PapilioError(f"{name} is {value}; 1 or more is accepted", reason="bad-argument")


def _number_of_sets(width: int, max_size: int) -> int:
    return sum(comb(width, size) for size in range(1, max_size + 1))


def _affordable(height: int, width: int, max_size: int, sample: int, work: int) -> tuple[int, int]:
    """Largest size of a set and number of rows within the bounds on rows and work."""
    wanted = min(height, sample)
    size = min(max_size, max(width, 1))
    while size > 2 and (
        _number_of_sets(width, size) > MOST_SETS
        or work // _number_of_sets(width, size) < min(wanted, FEWEST_ROWS)
    ):
        size -= 1
    return size, min(wanted, max(work // max(_number_of_sets(width, size), 1), 1))


def _encode(frame: pl.DataFrame, owners: NDArray[np.int32] | None) -> _Encoded:
    coded = {series.name: _encode_column(series) for series in frame.get_columns()}
    names = tuple(sorted(coded, key=lambda name: -coded[name].size))
    columns = tuple(coded[name] for name in names)
    singles = tuple(partition(*column) for column in columns)
    return _Encoded(names, columns, singles, frame.height, owners)


def _encode_column(series: pl.Series) -> _Codes:
    # One hash per cell, whatever the type: each row gets the number of the first row like it.
    # Measured on a million rows, a dense rank takes 1.5 to 10 times as long.
    values = series.fill_nan(None) if series.dtype.is_float() else series
    numbered = values.alias("value").to_frame().with_row_index("row")
    first = numbered.select(pl.col("row").first().over("value")).to_series().to_numpy()
    is_first = first == np.arange(len(first))
    codes = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    return _Codes(codes[first], int(is_first.sum()))


def _count_sets(
    table: _Encoded, max_size: int, threads: int, progress: Callable[[float], None] | None
) -> _Counts:
    """Count all sets that contain no key, size by size, since keys prune the next size."""
    total = _number_of_sets(len(table.names), max_size)
    counts: _Counts = {}
    keys: set[_Places] = set()
    done = 0
    executor = ThreadPoolExecutor(threads)
    try:
        for size in range(1, max_size + 1):
            for found, tried in _count_size(table, size, frozenset(keys), executor):
                counts.update(found)
                done += tried
                if progress is not None:
                    progress(done / total)
            keys.update(places for places in counts if counts[places][1] == table.rows > 0)
    finally:
        executor.shutdown(cancel_futures=True)
    return counts


def _count_size(
    table: _Encoded, size: int, keys: Set[_Places], executor: ThreadPoolExecutor
) -> Iterator[tuple[_Counts, int]]:
    """Count the sets of one size; yields what was found and how many sets were tried for it."""
    tried = {}
    for prefix in combinations(range(len(table.names)), size - 1):
        lasts = range(prefix[-1] + 1 if prefix else 0, len(table.names))
        if lasts:
            tried[executor.submit(_count_extensions, table, prefix, lasts, keys)] = len(lasts)
    for future in as_completed(tried):
        yield future.result(), tried[future]


def _count_extensions(
    table: _Encoded, prefix: _Places, lasts: range, keys: Set[_Places]
) -> _Counts:
    """Count the sets made of ``prefix`` and one of ``lasts``, except those that contain a key."""
    sets = [(*prefix, last) for last in lasts]
    sets = [places for places in sets if not _contains_key(places, keys)]
    if not sets:
        return {}
    rows, starts = _partition(table, prefix)
    return {places: _tally(table, rows, starts, places[-1]) for places in sets}


def _tally(
    table: _Encoded, rows: NDArray[np.int32], starts: NDArray[np.int64], last: int
) -> NDArray[np.int64]:
    """Count the groups; rows beside others of the same person count as alone."""
    counts = tally(rows, starts, *table.columns[last])
    if table.owners is not None:
        counts[1] = rows_of_one(rows, starts, *table.columns[last], table.owners)
    return counts


def _contains_key(places: _Places, keys: Set[_Places]) -> bool:
    return any(
        subset in keys for size in range(1, len(places)) for subset in combinations(places, size)
    )


def _partition(table: _Encoded, places: _Places) -> _Partition:
    if not places:
        return np.arange(table.rows, dtype=np.int32), np.array([0, table.rows], dtype=np.int64)
    rows, starts = table.singles[places[0]]
    for place in places[1:]:
        rows, starts = refine(rows, starts, *table.columns[place])
    return rows, starts


def _list_sets(
    table: _Encoded, names: list[str], max_size: int, counts: _Counts, list_implied: bool
) -> tuple[ColumnSet, ...]:
    """List the sets in the order of the table, which is not that of the codes."""
    place = {name: index for index, name in enumerate(table.names)}
    listed = []
    for size in range(1, max_size + 1):
        for columns in combinations(names, size):
            found = counts.get(tuple(sorted(place[name] for name in columns)))
            if found is not None:
                groups, alone, smallest, alike = (int(count) for count in found)
                listed.append(column_set(columns, table.rows, groups, alone, smallest, alike))
            elif list_implied:
                listed.append(ColumnSet(columns, 1.0, 1.0, 1.0, 1, implied=True))
    return tuple(listed)
