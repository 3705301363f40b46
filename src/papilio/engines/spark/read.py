"""Rows of a source, read by workers; see :mod:`papilio.engines.spark.splits`.

A frame *as read* has text as text (of CSV files without blanks around it, empty cells as NULL) and
everything else in the form that :func:`papilio.data.types.convert` gives it: ``Int64``,
``Float64``, ``Boolean``, ``Date``, ``Datetime("us")``. Columns that were not asked for are not in
it: they never leave the function that opens the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.csv_file import is_divisible, load_csv, load_csv_range
from papilio.data.io.frames import text_columns, to_frame
from papilio.data.source import FileSource
from papilio.data.table import ColumnType
from papilio.data.types import as_text, convert, plain_text
from papilio.engines.spark.splits import Split, Splits, absolute, layout_of, splits_of, stamp
from papilio.engines.spark.worker import guarded
from papilio.engines.spark.write import collect
from papilio.errors import DataError, InternalError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_NAMES: dict[type[pl.DataType] | pl.DataType, str] = {
    pl.Boolean: "boolean",
    pl.Int8: "tinyint",
    pl.Int16: "smallint",
    pl.Int32: "int",
    pl.Int64: "bigint",
    pl.Float64: "double",
    pl.String: "string",
    pl.Enum: "string",
    pl.Categorical: "string",
    pl.Date: "date",
}
_ARROW = {
    "boolean": pa.bool_(),
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "string": pa.string(),
    "date": pa.date32(),
    "timestamp_ntz": pa.timestamp("us"),
    "timestamp": pa.timestamp("us", "UTC"),
}


def quoted(name: str) -> str:
    """Quote a column's name for the engine."""
    return "`" + name.replace("`", "``") + "`"


def schema_of(dtypes: Mapping[str, pl.DataType]) -> str:
    """Write the engine's schema for columns of Polars types, as ``name type, …``."""
    return ", ".join(f"{quoted(name)} {_name(dtype)}" for name, dtype in dtypes.items())


def to_engine(frame: pl.DataFrame) -> pa.Table:
    """Turn a frame into what a function returns to the engine; categories become text."""
    plain = pl.DataFrame([plain_text(series) for series in frame.iter_columns()])
    fields = [(name, _ARROW[_name(dtype)]) for name, dtype in plain.schema.items()]
    return plain.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.schema(fields))


def from_engine(table: pa.Table, dtypes: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Turn what the engine gave back into the frame that :func:`to_engine` was given.

    Columns are taken in the order of ``dtypes``.
    """
    frame = pl.DataFrame(table.select(list(dtypes)))
    return frame.with_columns(pl.col(name).cast(dtype) for name, dtype in dtypes.items())


def _name(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Datetime):
        return "timestamp_ntz" if dtype.time_zone is None else "timestamp"
    known = _NAMES.get(dtype.base_type())
    if known is None:
        raise InternalError(f"the engine has no type for {dtype}", reason="engine-type")
    return known


#: A frame as read to what a task gives to the engine.
FrameWork: TypeAlias = "Callable[[pl.DataFrame], pa.Table]"
#: More rows than a part has.
_PART = 1 << 40
_MISFITS = {
    "not-numeric": "not numbers",
    "not-a-date": "not ISO dates",
    "not-a-boolean": "not true or false",
}


@dataclass(frozen=True, eq=False)
class Scan:
    """A source that workers can read.

    Attributes
    ----------
    splits
        Its parts.
    declared
        Types that the policy declares, by column.
    dtypes
        Polars type of each column as read.
    unconverted
        Columns that are read as they are and not brought into the form of a type, so that every
        value stays what it is; nothing of them is published.
    """

    splits: Splits
    declared: Mapping[str, ColumnType]
    dtypes: Mapping[str, pl.DataType]
    unconverted: frozenset[str] = frozenset()

    def without(self, *names: str) -> Scan:
        """The same source with fewer columns, which workers then do not read."""
        kept = tuple(each for each in self.splits.columns if each not in names)
        return replace(self, splits=replace(self.splits, columns=kept))


def open_scan(
    session: SparkSession,
    source: FileSource,
    columns: Sequence[str],
    types: Mapping[str, ColumnType | None],
    unconverted: Collection[str] = (),
) -> Scan:
    """Look at a source and make it ready to be read by workers.

    Parameters
    ----------
    session
        The engine; asked only whether CSV files can be divided, which quotes prevent.
    source
        Files that this process and every worker see under the same path.
    columns
        Columns to read.
    types
        Types that the policy declares, or ``None``, by column.
    unconverted
        As of a :class:`Scan`.

    Raises
    ------
    DataError
        As for reading on one machine; with reason ``missing-file`` also if a worker does not see a
        file.
    """
    splits = splits_of(absolute(source), columns)
    declared = {name: kind for name, kind in types.items() if kind is not None}
    left = frozenset(unconverted)
    if splits.schema is None:
        text = dict.fromkeys(splits.columns, pl.String())
        return Scan(_undivided_where_needed(session, splits), declared, text, left)
    scan = Scan(splits, declared, {}, left)
    empty = as_text(_as_read(splits.schema.empty_table(), scan))
    return replace(scan, dtypes=dict(empty.schema))


def map_frames(
    session: SparkSession, scan: Scan, work: FrameWork, schema: str, *, places: str | None = None
) -> DataFrame:
    """Let workers read every part of a source and do some work on it; one task per part.

    Parameters
    ----------
    session, scan
        The engine and the source.
    work
        Called with each part as read that has rows; what it returns goes to the engine.
    schema
        Columns of what it returns, as ``name type, …``.
    places
        Name of a further column that it gets, with a number that grows from row to row of the
        source.
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number in _numbers(batches):
            frame = read_part(scan, scan.splits.parts[number])
            if places is not None:
                first = number * _PART
                own = pl.int_range(first, first + frame.height, dtype=pl.Int64, eager=True)
                frame = frame.with_columns(own.alias(places))
            if frame.height:
                yield from work(frame).combine_chunks().to_batches()

    return _one_task_each(session, len(scan.splits.parts), run, schema)


def read_part(scan: Scan, part: Split) -> pl.DataFrame:
    """Read one part of a source, as read; see the module. Called by workers.

    Raises
    ------
    DataError
        If the file is not there, is not what it was when the run began, or cannot be read.
    """
    splits = scan.splits
    _check_unchanged(part)
    if splits.schema is not None:
        table = _load_row_groups(part, splits)
    elif part.last == 0:
        table = load_csv(part.path, splits.columns)
    else:
        layout = layout_of(part.path, part.stamp)
        table = load_csv_range(part.path, layout, splits.columns, part.first, part.last)
    _check_unchanged(part)
    return _as_read(table.select(list(splits.columns)), scan)


def _load_row_groups(part: Split, splits: Splits) -> pa.Table:
    assert splits.schema is not None  # noqa: S101 - Parquet files have one
    names = list(splits.columns)
    coded = text_columns(splits.schema)
    try:
        with pq.ParquetFile(part.path, read_dictionary=coded) as file:
            # A name with a dot also stands for a path into a struct; select() drops the latter.
            table = file.read_row_groups(list(range(part.first, part.last)), columns=names)
    except (pa.ArrowException, OSError):
        raise DataError(
            f"{part.path}: not a Parquet file, or a broken or incomplete one", reason="broken-file"
        ) from None
    # Files of a folder may differ in how wide their numbers are.
    wanted = [
        have if entry.name in coded else entry
        for entry, have in ((splits.schema.field(n), table.schema.field(n)) for n in names)
    ]
    return table.select(names).cast(pa.schema(wanted))


def _as_read(table: pa.Table, scan: Scan) -> pl.DataFrame:
    frame = to_frame(table, scan.splits.source.null, strip=not scan.splits.typed)
    return pl.DataFrame(
        [
            series
            if series.name in scan.unconverted
            else _canonical(series, scan.declared.get(series.name))
            for series in frame
        ]
    )


def _canonical(series: pl.Series, wanted: ColumnType | None) -> pl.Series:
    if isinstance(series.dtype, pl.Enum | pl.String):
        return series
    try:
        return plain_text(convert(series, wanted, typed=True))
    except DataError as error:
        if error.reason not in _MISFITS:
            raise
        # Only this part's rows could be counted, and they have no numbers of their own.
        raise DataError(
            f"column '{series.name}' is declared {wanted} but has cells that are "
            f"{_MISFITS[error.reason]}",
            reason=error.reason,
        ) from None


def _check_unchanged(part: Split) -> None:
    if stamp(part.path) != part.stamp:
        raise DataError(
            f"{part.path}: changed while it was read; read it again when nothing writes to it",
            reason="changed-while-reading",
        )


def _undivided_where_needed(session: SparkSession, splits: Splits) -> Splits:
    """Make one part of each CSV file in which a line break may be part of a cell."""
    parts = splits.parts
    divided = [number for number, part in enumerate(parts) if part.last]

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number in _numbers(batches):
            part = parts[divided[number]]
            _check_unchanged(part)
            if not is_divisible(part.path, part.first, part.last):
                yield pa.record_batch({"path": pa.array([str(part.path)])})

    if not divided:
        return splits
    found = _one_task_each(session, len(divided), run, "path string").distinct()
    undivided = set(collect(found, "files to read whole").column("path").to_pylist())
    whole = {
        part.path: Split(part.path, 0, 0, part.stamp)
        for part in parts
        if str(part.path) in undivided
    }
    kept = [part for part in parts if part.path not in whole]
    return replace(splits, parts=(*kept, *whole.values()))


def _one_task_each(
    session: SparkSession,
    count: int,
    run: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: str,
) -> DataFrame:
    return session.range(0, count, 1, count).mapInArrow(guarded(run), schema)


def _numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()
