"""Large tables that look like Adult: its rows drawn again, each slightly changed.

Numbers move by up to two, and one label in fifty is drawn anew from its column, so that a table of
ten million rows is not just thirty thousand rows repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from papilio import samples

CHUNK = 1_000_000
CHANGED = 0.02


def adult_like(rows: int, seed: int = 1) -> pl.DataFrame:
    """Make a table of the eight quasi-identifiers and the income."""
    return pl.concat(_chunks(rows, seed))


def write_adult_like(path: Path, rows: int, seed: int = 1) -> Path:
    """Write such a table as Parquet, chunk by chunk, unless the file is there already."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        chunks = (chunk.to_arrow() for chunk in _chunks(rows, seed))
        first = next(chunks)
        started = path.with_suffix(".part")
        with pq.ParquetWriter(started, first.schema, compression="zstd") as writer:
            writer.write_table(first)
            for chunk in chunks:
                writer.write_table(chunk)
        started.rename(path)
    return path


def _chunks(rows: int, seed: int) -> Iterator[pl.DataFrame]:
    source = samples.adult()
    random = np.random.default_rng(seed)
    for start in range(0, rows, CHUNK):
        yield _chunk(source, min(CHUNK, rows - start), random)


def _chunk(source: pl.DataFrame, rows: int, random: np.random.Generator) -> pl.DataFrame:
    drawn = source.select(*samples.ADULT_QUASI, "income")[random.integers(0, source.height, rows)]
    return pl.DataFrame([_jitter(column, source, random) for column in drawn.get_columns()])


def _jitter(column: pl.Series, source: pl.DataFrame, random: np.random.Generator) -> pl.Series:
    rows = len(column)
    if column.dtype.is_integer():
        return (column + pl.Series(random.integers(-2, 3, rows))).cast(pl.Int32).alias(column.name)
    other = source.get_column(column.name)[random.integers(0, source.height, rows)]
    return column.zip_with(pl.Series(random.random(rows) >= CHANGED), other)
