"""A table about people: a frame and what each of its columns is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import polars as pl

from papilio.data.column import Column
from papilio.data.roles import Role
from papilio.errors import InternalError


class Described(Protocol):
    """A table of which only the name and the columns are asked for."""

    @property
    def name(self) -> str:
        """Name of the table."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What each column is."""


@dataclass(frozen=True, eq=False)
class Table:
    """The columns that take part in a release, in the order of the policy.

    Identifier columns and columns the policy does not mention are not held at all: what is not
    in memory cannot leak.

    Attributes
    ----------
    name
        Name of the table, taken from its source.
    frame
        The values. Its columns are exactly those of ``columns``.
    columns
        What each column is.
    """

    name: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if [column.name for column in self.columns] != self.frame.columns:
            raise InternalError("a table's columns and frame differ", reason="table-shape")
        if any(column.role is Role.IDENTIFIER for column in self.columns):
            raise InternalError("a table holds an identifier column", reason="table-identifier")

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.frame.height

    def with_role(self, role: Role) -> tuple[Column, ...]:
        """Columns that have the given role, in order."""
        return tuple(column for column in self.columns if column.role is role)
