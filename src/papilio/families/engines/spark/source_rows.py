"""The rows of a source in the engine, with the types of the policy, for families that keep them.

Permuted and disguised releases show quasi-identifiers as they are, so nothing of them has to be
known here but their types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from papilio.data.table import Column, ColumnType
from papilio.data.text_values import read_as
from papilio.data.types import Occurrences, as_text, column_type, convert, plain_text
from papilio.engines.spark.read import Scan, map_frames, schema_of, to_engine
from papilio.engines.spark.value_counts import ValueCounts, count_values
from papilio.errors import DataError
from papilio.families.engines.spark.table import files_of, scan_of
from papilio.policy.apply import describe_column
from papilio.policy.policy import Policy

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, eq=False)
class SourceRows:
    """A source that workers read, and what its columns are.

    Attributes
    ----------
    session, scan
        The engine and the source.
    name
        Name of the published table.
    columns
        What each published column is.
    dtypes
        Type of the values of each published column; text stands for categories.
    rows
        Number of rows.
    left_out
        Columns of the source that the policy does not mention.
    """

    session: SparkSession
    scan: Scan
    name: str
    columns: tuple[Column, ...]
    dtypes: dict[str, pl.DataType]
    rows: int
    left_out: tuple[str, ...]

    @property
    def typing(self) -> Typing:
        """What workers need to know of the columns."""
        kinds = {column.name: column.type for column in self.columns}
        return Typing(kinds, self.dtypes, self.scan.splits.typed)


@dataclass(frozen=True, eq=False)
class Typing:
    """Types of columns, for functions that run in workers.

    Attributes
    ----------
    kinds
        How values of each column compare.
    dtypes
        Types of their values.
    typed
        Whether the source knows types.
    """

    kinds: dict[str, ColumnType]
    dtypes: dict[str, pl.DataType]
    typed: bool

    def give(self, frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
        """Give columns of rows as read the types they have in the whole source.

        -0 becomes 0: they are one number, but not to every engine.
        """
        typed = (self._typed(frame.get_column(name)) for name in names)
        return pl.DataFrame([_one_zero(each) for each in typed])

    def _typed(self, series: pl.Series) -> pl.Series:
        kind, final = self.kinds[series.name], self.dtypes[series.name]
        if not self.typed:
            plain = plain_text(series)
            return plain if kind is ColumnType.CATEGORY else read_as(plain, final)
        return plain_text(convert(series, kind, typed=True)).cast(final)


def open_rows(session: SparkSession, policy: Policy) -> SourceRows:
    """Look at a source: its columns, their types, and how many rows there are.

    Raises
    ------
    PolicyError, DataError
        As for reading on one machine.

    Notes
    -----
    Cost: one pass over the source, or none if its types and footers tell everything. Collected is
    one text per form of text of each column whose type only its texts tell; see
    :mod:`papilio.engines.spark.value_counts`.
    """
    source = files_of(policy)
    declared = {name: policy.columns[name].type for name in policy.published}
    scan = scan_of(session, policy)
    rows, counted = _counted(session, scan)
    if rows == 0:
        raise DataError(
            f"{source.path}: the table is empty; it needs at least one row", reason="empty-table"
        )
    columns, dtypes = [], {}
    for name, wanted in declared.items():
        seen = counted.get(name)
        sample = pl.Series(name, [], scan.dtypes[name]) if seen is None else seen.values
        where = None if seen is None else Occurrences(seen.counts)
        values = convert(sample, wanted, scan.splits.typed, where)
        kind = wanted or column_type(values, typed=True)
        columns.append(describe_column(policy, name, kind))
        dtypes[name] = plain_text(values).dtype
    asked = policy.privacy.personal
    left_out = tuple(
        name for name in scan.splits.names if name not in policy.columns and name != asked
    )
    said = policy.source
    name = source.name if said is None else said.name or source.name
    opened = SourceRows(session, scan, name, tuple(columns), dtypes, rows, left_out)
    policy.family.check_types(policy, opened)
    return opened


def _counted(session: SparkSession, scan: Scan) -> tuple[int, dict[str, ValueCounts]]:
    """Number of rows, and texts of columns whose type depends on them."""
    texts = [name for name, dtype in scan.dtypes.items() if dtype == pl.String]
    known = scan.splits.typed and not any(name in scan.declared for name in texts)
    if known and scan.splits.rows is not None:
        return scan.splits.rows, {}
    return count_values(session, scan, ())


def map_rows(
    rows: SourceRows,
    work: Callable[[pl.DataFrame], pl.DataFrame],
    dtypes: dict[str, pl.DataType],
    columns: Sequence[str] | None = None,
    *,
    places: str | None = None,
) -> DataFrame:
    """Let workers read the source and do some work on its rows as read.

    Parameters
    ----------
    rows
        The source.
    work
        Called in workers with the rows of each part.
    dtypes
        Types of what it returns.
    columns
        Columns to read; all that the policy names if left out.
    places
        As for :func:`papilio.engines.spark.read.map_frames`.
    """
    scan = rows.scan
    if columns is not None:
        wanted = tuple(name for name in scan.splits.columns if name in columns)
        scan = replace(scan, splits=replace(scan.splits, columns=wanted))
    return map_frames(
        rows.session,
        scan,
        lambda frame: to_engine(as_text(work(frame)).select(list(dtypes))),
        schema_of(dtypes),
        places=places,
    )


def _one_zero(values: pl.Series) -> pl.Series:
    return values.set(values == 0, 0.0) if values.dtype == pl.Float64 else values
