"""Tables with keys to a :class:`~papilio.data.link.Snowflake`, with all checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.people import constant_columns, first_rows
from papilio.data.table import Table
from papilio.errors import DataError, InternalError


@dataclass(frozen=True, eq=False)
class LinkedTable:
    """One table of a snowflake.

    Attributes
    ----------
    table
        The columns that take part; neither key nor foreign key is among them.
    key
        Name of the column that identifies rows, if there is one.
    parent
        Name of the table its rows belong to; ``None`` for the person table.
    foreign_key
        Name of the column that says to which row.
    up
        Row of the parent table for each row; empty for the person table.
    """

    table: Table
    key: str | None
    parent: str | None
    foreign_key: str | None
    up: NDArray[np.int64]

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.table.name

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.table.height


@dataclass(frozen=True, eq=False)
class Snowflake:
    """A person table and tables that hang off it, directly or through others.

    Every row of every table belongs to exactly one person: rows form trees, one per person.

    Attributes
    ----------
    tables
        The person table first, each other table after the one it hangs off.
    """

    tables: tuple[LinkedTable, ...]

    def __post_init__(self) -> None:
        known: set[str] = set()
        for place, each in enumerate(self.tables):
            if (each.parent is None) != (place == 0) or (place and each.parent not in known):
                raise InternalError("tables are not in order", reason="snowflake-order")
            if place and len(each.up) != each.height:
                raise InternalError("a row has no parent", reason="snowflake-rows")
            known.add(each.name)

    @property
    def person(self) -> LinkedTable:
        """The person table."""
        return self.tables[0]

    @property
    def name(self) -> str:
        """Name of the person table."""
        return self.person.name

    def place(self, name: str) -> int:
        """Place of a table in :attr:`tables`."""
        return [each.name for each in self.tables].index(name)

    def above(self, place: int) -> int:
        """Place of the table that a table hangs off; -1 for the person table."""
        parent = self.tables[place].parent
        return -1 if parent is None else self.place(parent)

    def person_of(self, place: int) -> NDArray[np.int64]:
        """Row of the person table that each row of a table belongs to."""
        if place == 0:
            return np.arange(self.person.height)
        return self.person_of(self.above(place))[self.tables[place].up]


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


def rows_name(name: str) -> str:
    """Name of the table that holds the rows of the people of a table."""
    return f"{name}_rows"


def divide(table: Table, names: pl.Series, key: str) -> Snowflake:
    """Take a table apart: what is constant within every person, and what varies.

    Guarantees that joining the two gives the table back: the second has one row per row of the
    table, in the same order, alike or not, and refers to its person.

    Parameters
    ----------
    table
        All rows.
    names
        Whose each row is, as :func:`papilio.data.people.person_names` reads it.
    key
        What the column is called by which the two are joined. It holds nothing here: numbers are
        drawn for it when the tables are published.

    Returns
    -------
    Snowflake
        People, in the order of their first rows, in a table of the same name, and their rows.

    Notes
    -----
    Cost: one pass that hashes names, and one comparison per cell. Columns that vary are not copied.
    """
    first = first_rows(names)
    people = np.flatnonzero(first == np.arange(len(first)))
    constant = constant_columns(table.frame, first)
    varying = [column.name for column in table.columns if column.name not in constant]
    person = LinkedTable(
        _part(table, table.name, constant, people), key, None, None, np.empty(0, np.int64)
    )
    rows = _part(table, rows_name(table.name), varying, None)
    up = np.searchsorted(people, first).astype(np.int64)
    return Snowflake((person, LinkedTable(rows, None, table.name, key, up)))


def _part(table: Table, name: str, chosen: Iterable[str], rows: NDArray[np.int64] | None) -> Table:
    """Some columns of some rows; a table of keys alone still says how many rows there are."""
    named = set(chosen)
    columns = tuple(column for column in table.columns if column.name in named)
    height = table.height if rows is None else len(rows)
    if not columns:
        return Table(name, pl.DataFrame(height=height), ())
    frame = table.frame.select(column.name for column in columns)
    return Table(name, frame if rows is None else frame[rows], columns)
