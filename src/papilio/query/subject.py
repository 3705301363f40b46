"""What a query can ask about: one table of a release and what is known of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from papilio.query.sql import Question
from papilio.release.manifest import PublishedColumn


class Known(Enum):
    """What the release tells about the cell of one row.

    Attributes
    ----------
    EXACT
        Its value.
    HIDDEN
        Only which values its group has, as in a permuted release.
    VAGUE
        Which values it may be, as in a generalised release.
    """

    EXACT = "exact"
    HIDDEN = "hidden"
    VAGUE = "vague"


@dataclass(frozen=True, eq=False)
class Field:
    """A column of the source that can be asked about.

    Attributes
    ----------
    column
        How the manifest says it is published.
    known
        What is known of its cells.
    read
        For an exact column, the SQL over the published table that gives its values.
    """

    column: PublishedColumn
    known: Known
    read: exp.Expr | None = None

    @property
    def name(self) -> str:
        """Its name in the source."""
        return self.column.name


@dataclass(frozen=True, eq=False)
class Subject:
    """The table of a release that queries ask about.

    Attributes
    ----------
    table
        Its name.
    fields
        Its columns, by their names in the source.
    """

    table: str
    fields: Mapping[str, Field]

    def check_table(self, question: Question) -> None:
        """Refuse a query about another table."""
        asked = question.table.name
        if asked.casefold() != self.table.casefold():
            question.refuse(
                question.table,
                f"the release has no table '{asked}' to ask about; ask about '{self.table}'",
                "unknown-table",
            )

    def find(self, question: Question, column: exp.Column) -> Field:
        """The field a column of the query means: the same name, or the only one but for case."""
        self._check_qualifier(question, column)
        if column.name in self.fields:
            return self.fields[column.name]
        alike = [name for name in self.fields if name.casefold() == column.name.casefold()]
        if len(alike) == 1:
            return self.fields[alike[0]]
        which = "could be several columns" if alike else "is not a column"
        return question.refuse(
            column,
            f"'{column.name}' {which} of '{self.table}'; its columns are "
            + ", ".join(f"'{name}'" for name in self.fields),
            "unknown-column",
        )

    def _check_qualifier(self, question: Question, column: exp.Column) -> None:
        if column.args.get("db") or column.args.get("catalog"):
            question.refuse(column, "a column is qualified by the table only", "unknown-column")
        known = {question.alias.casefold(), self.table.casefold()}
        if column.table and column.table.casefold() not in known:
            question.refuse(column, f"'{column.table}' is not the table asked", "unknown-column")
