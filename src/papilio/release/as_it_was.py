"""How the manifest describes a column that is published as it was."""

from __future__ import annotations

from papilio.data.column import Column
from papilio.release.manifest import PublishedColumn


def as_it_was(column: Column) -> PublishedColumn:
    """Describe a column whose cells are its values, under its own name."""
    return PublishedColumn(
        column.name, column.role.value, column.type.value, "value", (column.name,)
    )
