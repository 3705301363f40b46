"""People and tables that hang off them by keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.table import Table
from papilio.errors import InternalError


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
