"""The first pass over a source: how many rows, and what occurs in their columns.

Count the values of a column that comes batch by batch.

Up to a limit the distinct values are kept, with counts. Beyond it, numbers and dates are kept as a
summary: ascending values that each stand for about as many rows as the others, with the smallest
and the largest among them. Of text only its type is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.io.stream import Stream
from papilio.data.table import ColumnType
from papilio.data.text_facts import TextFacts, facts_of, settled_type
from papilio.data.text_values import read_as
from papilio.data.types import Occurrences, convert, plain_text, rows_after
from papilio.families.engines.coded import ColumnValues
from papilio.families.engines.disk.counted_people import PeopleOnDisk
from papilio.policy.policy import Policy

#: Entries of a summary; it is made half as long whenever it gets longer.
SUMMARY = 1 << 17


#: Distinct values of batches wait until there are this many before they are added up.
_WAITING = 1 << 16


class ColumnCount:
    """What is known of one column so far.

    Parameters
    ----------
    name, wanted, typed
        The column, its declared type if any, and whether the source knows types.
    most
        Most distinct values that are kept.
    dtype
        Final type of a text column, if a pass before has found it; numbers and dates only.
    """

    def __init__(
        self,
        name: str,
        wanted: ColumnType | None,
        *,
        typed: bool,
        most: int,
        dtype: pl.DataType | None = None,
    ) -> None:
        self.name, self._wanted, self._typed, self._most = name, wanted, typed, most
        self._dtype = dtype
        self._known: list[pl.DataFrame] = []
        self._waiting = 0
        self._facts: TextFacts | None = None
        self._summary: _Summary | None = None if dtype is None else _Summary(dtype)

    def add(self, series: pl.Series, skipped: int) -> None:
        """Count a batch that follows ``skipped`` rows."""
        if self._summary is not None:
            self._summary.add(self._final(series, skipped))
            return
        found = distinct_rows(series, skipped)
        if self._facts is not None:
            self._facts |= self._facts_of(found)
            return
        self._known.append(found)
        self._waiting += found.height
        if self._waiting > max(_WAITING, 2 * self._known[0].height) or self._waiting > self._most:
            self._add_up()
            if self._waiting > self._most:
                self._give_up_values()

    def values(self) -> ColumnValues | None:
        """What occurs; ``None`` if a summary needs another pass, now that the type is known."""
        if self._summary is not None:
            return self._summary.values(self.name)
        if self._facts is not None:
            kind, dtype = settled_type(self.name, self._facts, self._wanted)
            return None if kind.ordered else without_values(self.name, dtype)
        self._add_up()
        known = self._known[0]
        counts, first = (known.get_column(n).to_numpy() for n in ("count", "first"))
        return ColumnValues(known.get_column("value").alias(self.name), counts, first)

    @property
    def text_type(self) -> pl.DataType | None:
        """Final type of a text column of which not all values are kept."""
        if self._facts is None:
            return None
        return settled_type(self.name, self._facts, self._wanted)[1]

    def _add_up(self) -> None:
        if len(self._known) > 1:
            together = (
                pl.concat(self._known)
                .group_by("value")
                .agg(pl.col("count").sum(), pl.col("first").min())
            )
            self._known = [together]
        self._waiting = self._known[0].height if self._known else 0

    def _give_up_values(self) -> None:
        known, self._known = self._known[0], []
        values = known.get_column("value")
        if values.dtype == pl.String:
            self._facts = self._facts_of(known)
            return
        counts, first = (known.get_column(n).to_numpy() for n in ("count", "first"))
        seen = Occurrences(counts, first)
        final = convert(values.alias(self.name), self._wanted, self._typed, seen)
        if not final.dtype.is_numeric() and not final.dtype.is_temporal():
            # Numbers that are declared to be labels.
            self._facts = TextFacts()
            return
        self._summary = _Summary(final.dtype)
        self._summary.add(final, counts)

    def _facts_of(self, found: pl.DataFrame) -> TextFacts:
        there = found.filter(pl.col("value").is_not_null())
        if there.schema["value"] != pl.String:
            return TextFacts()
        counts, first = (there.get_column(n).to_numpy() for n in ("count", "first"))
        if self._typed and self._wanted in (None, ColumnType.CATEGORY):
            return TextFacts()
        declared = self._wanted is not None
        return facts_of(there.get_column("value"), counts, first, declared=declared)

    def _final(self, series: pl.Series, skipped: int) -> pl.Series:
        if isinstance(series.dtype, pl.String | pl.Enum | pl.Categorical):
            assert self._dtype is not None  # noqa: S101 - a summary of text has a type
            return read_as(plain_text(series), self._dtype)
        return convert(series, self._wanted, self._typed, rows_after(skipped, len(series)))


def without_values(name: str, dtype: pl.DataType) -> ColumnValues:
    """A column of which only the type is known."""
    return ColumnValues(pl.Series(name, [], dtype), np.empty(0, np.int64), complete=False)


def distinct_rows(series: pl.Series, skipped: int) -> pl.DataFrame:
    """Distinct values of a batch, their counts and the first row of each."""
    if isinstance(series.dtype, pl.Enum):
        return _distinct_labels(series, skipped)
    frame = pl.DataFrame({"value": series}).with_row_index("first", skipped)
    return frame.group_by("value").agg(
        pl.len().cast(pl.Int64).alias("count"), pl.col("first").min().cast(pl.Int64)
    )


def _distinct_labels(series: pl.Series, skipped: int) -> pl.DataFrame:
    labels = series.dtype.categories  # type: ignore[attr-defined]
    size = len(labels)
    codes = series.to_physical().cast(pl.Int32).fill_null(size).to_numpy()
    counts = np.bincount(codes, minlength=size + 1).astype(np.int64)
    first = np.zeros(size + 1, np.int64)
    # Of several writes to one place the last stays, which is the first row.
    first[codes[::-1]] = np.arange(skipped + len(codes) - 1, skipped - 1, -1)
    values = labels.cast(pl.String).extend_constant(None, 1)
    frame = pl.DataFrame({"value": values, "count": counts, "first": first})
    return frame.filter(pl.col("count") > 0)


class _Summary:
    """Values that stand for all of a column's, ascending, with the rows of each."""

    def __init__(self, dtype: pl.DataType) -> None:
        self._dtype = dtype
        self._values = pl.Series([], dtype=dtype)
        self._counts: NDArray[np.int64] = np.empty(0, np.int64)
        self._nulls = 0

    def add(self, values: pl.Series, counts: NDArray[np.int64] | None = None) -> None:
        """Add values, each of one row if ``counts`` are left out."""
        many = np.ones(len(values), np.int64) if counts is None else counts
        there = values.is_not_null()
        self._nulls += int(many[~there.to_numpy()].sum())
        both = pl.DataFrame(
            {
                "value": pl.concat([self._values, values.filter(there).cast(self._dtype)]),
                "count": np.concatenate([self._counts, many[there.to_numpy()]]),
            }
        )
        summed = both.group_by("value").agg(pl.col("count").sum()).sort("value")
        self._values = summed.get_column("value")
        self._counts = summed.get_column("count").to_numpy()
        if len(self._values) > SUMMARY:
            self._shorten()

    def values(self, name: str) -> ColumnValues:
        """Return what is kept; NULL comes first if there was any."""
        if not self._nulls:
            return ColumnValues(self._values.alias(name), self._counts, None, False)
        null = pl.Series(name, [None], dtype=self._dtype)
        values = pl.concat([null, self._values.alias(name)])
        return ColumnValues(values, np.append(self._nulls, self._counts), None, False)

    def _shorten(self) -> None:
        reached = np.cumsum(self._counts)
        wanted = np.linspace(0, reached[-1], SUMMARY // 2)[1:]
        places = np.searchsorted(reached, wanted)
        last = len(self._values) - 1
        places = np.unique(np.concatenate([[0], places.clip(0, last), [last]]))
        self._counts = np.diff(reached[places], prepend=0)
        self._values = self._values.gather(places)


@dataclass(frozen=True, eq=False)
class Counted:
    """What the first pass found.

    Attributes
    ----------
    rows
        Number of rows.
    values
        What occurs, per column that was counted.
    dtypes
        Polars type, as read, of each column.
    people
        What is known of people who may have several rows.
    """

    rows: int
    values: Mapping[str, ColumnValues]
    dtypes: Mapping[str, pl.DataType]
    people: PeopleOnDisk | None = None


def count_pass(
    stream: Stream,
    policy: Policy,
    needed: Collection[str],
    *,
    most: int,
    tell: Callable[[int], None],
    watch: Callable[[pl.DataFrame], None] = lambda _: None,
) -> Counted:
    """Count what occurs.

    Parameters
    ----------
    stream
        The source.
    policy
        What it is needed for.
    needed
        Columns whose values are to be counted; of texts, all are.
    most
        Most distinct values of a column that are kept.
    tell
        Told the number of rows after each batch.
    watch
        Given each batch.

    Notes
    -----
    Reads the source once; once more, for these columns only, if it has no types and a needed column
    of numbers or dates has more than ``most`` values.
    """
    counts: dict[str, ColumnCount] = {}
    dtypes: dict[str, pl.DataType] = {}
    rows = 0
    for batch in stream.batches(different=_hidden(stream, policy)):
        for series in batch.iter_columns():
            name, text = series.name, isinstance(series.dtype, pl.Enum)
            dtypes[name] = pl.String() if text else series.dtype
            if name not in policy.published or not (text or name in needed):
                continue
            if name not in counts:
                wanted = policy.columns[name].type
                counts[name] = ColumnCount(name, wanted, typed=stream.typed, most=most)
            counts[name].add(series, rows)
        watch(batch)
        rows += batch.height
        tell(rows)
    values, types = _found(counts)
    values |= {name: without_values(name, types[name]) for name in types if name not in needed}
    again = {name: types[name] for name in types if name in needed}
    return Counted(rows, values | _summaries(stream, policy, again, most), dtypes)


def _hidden(stream: Stream, policy: Policy) -> list[str]:
    """Columns that are not published: whose rows they are, and identifiers."""
    return [name for name in stream.columns if name not in policy.published]


def _found(
    counts: Mapping[str, ColumnCount],
) -> tuple[dict[str, ColumnValues], dict[str, pl.DataType]]:
    """Values of the columns, and the type of those whose values need another pass."""
    values: dict[str, ColumnValues] = {}
    types: dict[str, pl.DataType] = {}
    for name, each in counts.items():
        known = each.values()
        if known is not None:
            values[name] = known
        elif each.text_type is not None:
            types[name] = each.text_type
    return values, types


def _summaries(
    stream: Stream, policy: Policy, types: Mapping[str, pl.DataType], most: int
) -> dict[str, ColumnValues]:
    """Count columns of text again whose type, numbers or dates, is known only now."""
    if not types:
        return {}
    counts = {
        name: ColumnCount(
            name, policy.columns[name].type, typed=stream.typed, most=most, dtype=dtype
        )
        for name, dtype in types.items()
    }
    for batch in stream.batches(counts):
        for series in batch.iter_columns():
            counts[series.name].add(series, 0)
    return _found(counts)[0]
