"""A table of a release as a frame, from the file or the files that carry it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import polars.selectors as cs

from papilio.data.table import Column
from papilio.data.wording import can_be_shown
from papilio.errors import RefusedError, ReleaseError
from papilio.release.described import check_columns
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.parquet.footer import MOST_COLUMNS

#: Longest header that is read, in bytes.
LONGEST_HEADER = 1 << 20


def read_header(file: int) -> list[str]:
    """Names of the columns of an open CSV file; none if it is empty.

    Raises
    ------
    RefusedError
        If there is no header of reasonable size, or a name cannot be printed.
    """
    start = os.pread(file, LONGEST_HEADER, 0)
    try:
        # What is cut off behind the header may end inside a character.
        text = start.decode("utf-8", errors="strict" if len(start) < LONGEST_HEADER else "replace")
        names = next(csv.reader(io.StringIO(text, newline="")), [])
    except (UnicodeDecodeError, csv.Error):
        raise RefusedError("has no header in UTF-8") from None
    if len(names) > MOST_COLUMNS:
        raise RefusedError(f"has more than {MOST_COLUMNS} columns")
    if not all(map(can_be_shown, names)):
        raise RefusedError("has a column name with characters that cannot be printed")
    return names


def as_it_was(column: Column) -> PublishedColumn:
    """Describe a column whose cells are its values, under its own name."""
    return PublishedColumn(
        column.name, column.role.value, column.type.value, "value", (column.name,)
    )


def files_of(manifest: Manifest, table: str) -> tuple[str, ...]:
    """Names of the files that carry a table, in the manifest's order."""
    return tuple(file.name for file in manifest.files if file.table == table)


def read_table(directory: Path, manifest: Manifest, name: str) -> pl.DataFrame:
    """Read a table of a release whose files were checked.

    Raises
    ------
    ReleaseError
        If a file of it is missing or cannot be read, or its parts have different columns.
    """
    parts = [read_part(directory, manifest, name, file) for file in files_of(manifest, name)]
    return _joined(directory, name, parts)


def read_part(directory: Path, manifest: Manifest, name: str, file: str) -> pl.DataFrame:
    """Read one file of a table, which was checked; errors are those of :func:`read_table`."""
    table = manifest.table(name)
    with unreadable(directory, file):
        frame = _read(directory / file, table)
    holds = {column: _holds(dtype) for column, dtype in frame.schema.items()}
    check_columns(directory, table, holds, lambda column: _is_empty(frame, column))
    return frame


def _is_empty(frame: pl.DataFrame, column: str) -> bool:
    """Whether a column holds NULL only, in a type that a release may have or in none."""
    values = frame.get_column(column)
    known = values.dtype == pl.Null or _holds(values.dtype) is not None
    return known and values.null_count() == frame.height


def _holds(dtype: pl.DataType) -> str | None:
    """What a column of a type of Polars holds, in the words of a manifest."""
    if dtype.is_signed_integer():
        return "whole"
    if dtype.is_float():
        return "numeric"
    if isinstance(dtype, pl.Date | pl.Datetime):
        return "date"
    names = {pl.Boolean: "boolean", pl.String: "category"}
    return names.get(type(dtype))


def _joined(directory: Path, name: str, parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    if any(part.schema != parts[0].schema for part in parts):
        raise different_columns(directory, name)
    return pl.concat(parts) if len(parts) > 1 else parts[0]


def different_columns(directory: Path, name: str) -> ReleaseError:
    """Return the error for a table whose files do not go together."""
    return ReleaseError(
        f"{directory}: the files of the table '{name}' have different columns",
        reason="unreadable-table",
    )


@contextmanager
def unreadable(directory: Path, file: str) -> Iterator[None]:
    """Say in one line that a file cannot be read."""
    try:
        yield
    except (OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        # Arrow's errors are ValueErrors; what libraries say may quote the file's content.
        raise ReleaseError(
            f"{directory}: file {file} cannot be read as the manifest says",
            reason="unreadable-table",
        ) from None


def _read(path: Path, table: PublishedTable) -> pl.DataFrame:
    if path.suffix != ".csv":
        return pl.read_parquet(path, glob=False)
    # Polars cannot tell an empty text from a missing one in CSV; PyArrow can.
    import pyarrow as pa
    from pyarrow import csv

    text = {name: pa.string() for column in table.columns for name in text_columns(column)}
    options = csv.ConvertOptions(
        column_types=text,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    parsing = csv.ParseOptions(newlines_in_values=True)
    read = csv.read_csv(path, convert_options=options, parse_options=parsing)
    return pl.DataFrame(pl.from_arrow(read)).with_columns(cs.datetime().dt.cast_time_unit("us"))


def text_columns(column: PublishedColumn) -> tuple[str, ...]:
    """Published columns of ``column`` that hold text whatever they look like."""
    if column.cells == "range" and not column.text:
        return ()
    if column.cells == "value" and column.type != "category":
        return ()
    if column.cells in ("group", "hits", "bounds"):
        return ()
    return column.published
