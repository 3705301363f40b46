"""Frames of Polars to the engine and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
import pyarrow as pa

from papilio.data.types import plain_text
from papilio.errors import InternalError

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
