"""A column: its name, role and type, and how its values generalise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from papilio.data.roles import Role

if TYPE_CHECKING:
    from papilio.data.hierarchy.rules import HierarchyRule


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
    """

    name: str
    role: Role
    type: ColumnType
    hierarchy: HierarchyRule | None = None
    domain: tuple[str, ...] | None = None
