"""A policy applied to a source in the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from papilio.data.io.read import header
from papilio.data.types import convert
from papilio.engines.spark.read import Scan, map_frames, open_scan
from papilio.engines.spark.types import schema_of, to_engine
from papilio.engines.spark.value_counts import ValueCounts, count_values
from papilio.errors import DataError
from papilio.policy.apply import check_files, check_names, columns_to_read
from papilio.policy.policy import Policy
from papilio.workflow.pieces.column_values import ColumnValues
from papilio.workflow.pieces.meanings import Meanings, meanings_of, needed_columns
from papilio.workflow.pieces.typed import typed_frame
from papilio.workflow.spark.refuse import files_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, eq=False)
class SparkTable:
    """A source in the engine, and what its columns mean.

    Attributes
    ----------
    session
        The engine.
    scan
        The source; workers read it.
    meanings
        What the policy makes of it.
    """

    session: SparkSession
    scan: Scan
    meanings: Meanings


def scan_of(session: SparkSession, policy: Policy) -> Scan:
    """Open what a policy names of its source, and only that.

    Raises
    ------
    PolicyError, DataError
        As on one machine: columns that are not there, files that cannot be read.
    """
    source = files_of(policy)
    check_files(policy)
    check_names(policy, header(source))
    types = {name: column.type for name, column in policy.columns.items()}
    return open_scan(session, source, columns_to_read(policy), types)


def open_table(session: SparkSession, policy: Policy, *, exact: bool = False) -> SparkTable:
    """Look at a source: count its rows and the values that decide what its columns mean.

    One pass. Collected are the domains of the quasi-identifiers, and of the sensitive columns that
    something is demanded of, with counts; of other columns at most a text of each form. ``exact``
    is as for :func:`papilio.workflow.pieces.meanings.meanings_of`.

    Raises
    ------
    PolicyError, DataError, InfeasibleError
        As on one machine.
    """
    source = files_of(policy)
    scan = scan_of(session, policy)
    rows, counted = count_values(session, scan, needed_columns(policy))
    if rows == 0:
        raise DataError(
            f"{source.path}: the table is empty; it needs at least one row", reason="empty-table"
        )
    meanings = meanings_of(
        policy,
        source.name if policy.source is None else policy.source.name or source.name,
        scan.splits.names,
        rows,
        {name: _as_known(policy, each, scan.splits.typed) for name, each in counted.items()},
        dtypes=scan.dtypes,
        typed=scan.splits.typed,
        exact=exact,
    )
    return SparkTable(session, scan, meanings)


def _as_known(policy: Policy, counted: ValueCounts, typed: bool) -> ColumnValues:
    values = counted.values
    if counted.complete:
        return ColumnValues(values, counted.counts)
    final = convert(values, policy.columns[values.name].type, typed)
    if isinstance(final.dtype, pl.Enum):
        return ColumnValues(final.clear().cast(pl.String), counted.counts[:0], complete=False)
    return ColumnValues(final, counted.counts, complete=False)


def typed_rows(table: SparkTable) -> DataFrame:
    """Rows of the published columns, with values of the types that the whole column has."""
    meanings = table.meanings
    empty = typed_frame(pl.DataFrame(schema=dict(table.scan.dtypes)), meanings)

    def work(frame: pl.DataFrame) -> pa.Table:
        return to_engine(typed_frame(frame, meanings))

    return map_frames(table.session, table.scan, work, schema_of(dict(empty.schema)))
