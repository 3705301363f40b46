"""Tables with keys to a :class:`~papilio.data.snowflake.Snowflake`, with all checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.snowflake import LinkedTable, Snowflake
from papilio.data.table import Table
from papilio.errors import DataError


@dataclass(frozen=True, eq=False)
class Part:
    """A table with its keys as they were read.

    Attributes
    ----------
    table
        The columns that take part.
    key, keys
        Name and values of the column that identifies rows, if there is one.
    parent
        Name of the table its rows belong to; ``None`` for the person table.
    foreign_key, references
        Name and values of the column that says to which row.
    """

    table: Table
    key: str | None = None
    keys: pl.Series | None = None
    parent: str | None = None
    foreign_key: str | None = None
    references: pl.Series | None = None


def link(parts: Sequence[Part]) -> Snowflake:
    """Find the parent of every row.

    Parameters
    ----------
    parts
        The person table first, every other table after the one it hangs off.

    Raises
    ------
    DataError
        If keys are missing or not unique, or a row belongs to no row of the table above. The
        message counts rows and holds no key.
    """
    by_name = {part.table.name: part for part in parts}
    for part in parts:
        if part.keys is not None:
            _check_keys(part, part.keys)
    return Snowflake(tuple(_linked(part, by_name) for part in parts))


def in_order(parents: Mapping[str, str | None]) -> tuple[str, ...]:
    """Names of tables, each after the one it hangs off.

    Raises
    ------
    DataError
        If tables hang off each other in a circle.
    """
    waiting, found = dict(parents), []
    while waiting:
        ready = [name for name, above in waiting.items() if above is None or above in found]
        if not ready:
            named = ", ".join(f"'{name}'" for name in waiting)
            raise DataError(
                f"tables {named} hang off each other in a circle; every table must lead up to the "
                "person table",
                reason="table-cycle",
            )
        found += ready
        waiting = {name: above for name, above in waiting.items() if name not in ready}
    return tuple(found)


def _check_keys(part: Part, keys: pl.Series) -> None:
    missing = keys.null_count()
    if missing:
        raise DataError(
            f"table '{part.table.name}': {missing} rows have no key in '{part.key}'; every row "
            "needs one",
            reason="missing-key",
        )
    twice = len(keys) - keys.n_unique()
    if twice:
        raise DataError(
            f"table '{part.table.name}': '{part.key}' repeats {twice} keys; a key identifies one "
            "row (a key of several columns can be made one in a SQL source, such as "
            "SELECT concat_ws('/', a, b) AS id, …)",
            reason="duplicate-key",
        )


def _linked(part: Part, by_name: Mapping[str, Part]) -> LinkedTable:
    if part.parent is None or part.references is None:
        return LinkedTable(part.table, part.key, None, None, np.empty(0, np.int64))
    missing = part.references.null_count()
    if missing:
        raise DataError(
            f"table '{part.table.name}': {missing} rows have no value in '{part.foreign_key}', so "
            f"they belong to nobody; every row belongs to one row of '{part.parent}' (leave the "
            "others out in a SQL source)",
            reason="null-foreign-key",
        )
    keys = by_name[part.parent].keys
    assert keys is not None  # noqa: S101 - a table that others hang off has a key
    up = _rows_of(part.references, keys)
    orphans = int((up < 0).sum())
    if orphans:
        raise DataError(
            f"table '{part.table.name}': {orphans} rows name a key in '{part.foreign_key}' that no "
            f"row of '{part.parent}' has; every row belongs to one (leave the others out in a SQL "
            "source)",
            reason="orphan-rows",
        )
    return LinkedTable(part.table, part.key, part.parent, part.foreign_key, up)


def _rows_of(references: pl.Series, keys: pl.Series) -> NDArray[np.int64]:
    """Row of the key each reference names; -1 if there is none."""
    kind = _common(references.dtype, keys.dtype)
    known = pl.DataFrame({"key": keys.cast(kind)}).with_row_index("row")
    asked = pl.DataFrame({"key": references.cast(kind)})
    found = asked.join(known, on="key", how="left", maintain_order="left").get_column("row")
    return found.cast(pl.Int64).fill_null(-1).to_numpy().copy()


def _common(one: pl.DataType, other: pl.DataType) -> type[pl.DataType] | pl.DataType:
    if one.is_integer() and other.is_integer():
        return pl.Int64
    if one.is_numeric() and other.is_numeric():
        return pl.Float64
    return one if one == other and one.is_temporal() else pl.String
