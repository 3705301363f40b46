"""A table about people: a frame and what each of its columns is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import polars as pl

from papilio.errors import InternalError

if TYPE_CHECKING:
    from papilio.data.hierarchy.rules import HierarchyRule
    from papilio.data.people import People


class Role(StrEnum):
    """What a column is.

    ``identifier`` never leaves, ``quasi`` may be known to a recipient and is generalised,
    ``sensitive`` must not be learnt about a person, ``plain`` is published as it is.
    """

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    PLAIN = "plain"


class ColumnType(StrEnum):
    """How the values of a column compare: ordered numbers or dates, or unordered labels."""

    NUMERIC = "numeric"
    CATEGORY = "category"
    DATE = "date"
    BOOLEAN = "boolean"

    @property
    def ordered(self) -> bool:
        """Whether a class of such values is published as a range (``min``, ``max``)."""
        return self in (ColumnType.NUMERIC, ColumnType.DATE)


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name
        Its name in the source and in the release.
    role
        What may happen to it.
    type
        How its values compare.
    hierarchy
        How its values generalise; ``None`` generalises to ranges or sets of values.
    domain
        All values that may occur, in order, as text; ``None`` means those that do.
    follows
        The quasi-identifier of the same table whose cells say what it is published as.
    """

    name: str
    role: Role
    type: ColumnType
    hierarchy: HierarchyRule | None = None
    domain: tuple[str, ...] | None = None
    follows: str | None = None


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
    people
        Whose each row is, if people may have several; only numbers, never names.
    demands
        What each row's person demands for themselves, which is never published; only attackers who
        know it look at it.
    """

    name: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    people: People | None = None
    demands: pl.Series | None = None

    def __post_init__(self) -> None:
        if [column.name for column in self.columns] != self.frame.columns:
            raise InternalError("a table's columns and frame differ", reason="table-shape")
        if any(column.role is Role.IDENTIFIER for column in self.columns):
            raise InternalError("a table holds an identifier column", reason="table-identifier")

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.frame.height

    def with_role(self, role: Role | str) -> tuple[Column, ...]:
        """Columns that have a role, in order; ``"quasi"`` will do for ``Role.QUASI``."""
        wanted = Role(role)
        return tuple(column for column in self.columns if column.role is wanted)
