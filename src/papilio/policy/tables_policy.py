"""The ``tables:`` part of a policy: people and tables that hang off them by keys."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from papilio.data.table import Role
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.source_policy import SourcePolicy
from papilio.policy.words import Words

_ONE = (
    "a key is one column; make one of several in a SQL source, such as "
    "{sql: \"SELECT concat_ws('/', a, b) AS id, … FROM 'file.csv'\"}"
)


class TablePolicy(BaseModel):
    """One of several linked tables."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Annotated[
        SourcePolicy | None,
        Words(
            "Table",
            "Where the table is; left out, the table of this name in `database`.",
            "student.csv",
        ),
    ] = None
    key: Annotated[
        str | None,
        Words(
            "Key",
            "Column that identifies rows; needed if another table hangs off this one. Published "
            "with random numbers.",
            "sid",
        ),
    ] = None
    parent: Annotated[
        dict[str, str] | None,
        Words(
            "Hangs off",
            "Table this one hangs off, and the column that holds its keys, as in "
            "`{student: sid}`; not for the person table.",
            "{student: sid}",
        ),
    ] = None
    columns: Annotated[
        dict[str, ColumnPolicy],
        Words("Columns", "What each column is. A column that is not listed is not published."),
    ] = Field({})
    at_most: Annotated[
        int | None,
        Words(
            "At most rows each",
            "Rows kept below one row of the table above; of more, so many are drawn at random.",
            "20",
        ),
    ] = Field(None, le=1_000_000_000, ge=1, strict=True)

    @field_validator("key", mode="before")
    @classmethod
    def _one_column(cls, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            raise ValueError(_ONE)  # noqa: TRY004 - pydantic wants a ValueError
        return data

    @field_validator("parent", mode="before")
    @classmethod
    def _one_parent(cls, data: Any) -> Any:
        if isinstance(data, dict):
            if len(data) != 1:
                raise ValueError("a table hangs off exactly one other, as in {student: sid}")
            if any(isinstance(column, (list, tuple)) for column in data.values()):
                raise ValueError(_ONE)
        return data

    @property
    def above(self) -> str | None:
        """Name of the table this one hangs off."""
        return None if self.parent is None else next(iter(self.parent))

    @property
    def foreign_key(self) -> str | None:
        """Column that holds the keys of that table."""
        return None if self.parent is None else next(iter(self.parent.values()))

    @property
    def published(self) -> tuple[str, ...]:
        """Names of the columns that leave in some form, without keys."""
        return tuple(n for n, c in self.columns.items() if c.role is not Role.IDENTIFIER)

    def with_role(self, role: Role | str) -> tuple[str, ...]:
        """Names of the columns that have a role, in order; ``"quasi"`` for ``Role.QUASI``."""
        wanted = Role(role)
        return tuple(n for n, column in self.columns.items() if column.role is wanted)
