"""What is known of the owner's tables: counts and suggestions, no value of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ColumnFacts:
    """What a profile says of one column.

    Attributes
    ----------
    name
        Its name.
    type
        ``numeric``, ``category``, ``date`` or ``boolean``.
    role
        The suggested role.
    reason
        Why, in a sentence.
    distinct
        Number of distinct values.
    missing_share, unique_share
        Share of the rows without a value, and with a value no other row has.
    proposed_l
        An l to start with if it is sensitive; ``None`` if none is feasible or nobody counted.
    spread
        Largest value minus smallest, of a numeric column whose values were looked at.
    """

    name: str
    type: str
    role: str
    reason: str
    distinct: int
    missing_share: float
    unique_share: float
    proposed_l: int | None = None
    spread: float | None = None

    @property
    def tells_rows_apart(self) -> bool:
        """Whether every row has a value of its own, as keys do."""
        return self.unique_share == 1 and self.missing_share == 0


@dataclass(frozen=True)
class TableFacts:
    """What a profile says of one table.

    Attributes
    ----------
    name
        Its name: that of its file.
    source
        What a policy says to read it.
    rows
        Number of rows.
    columns
        Its columns.
    person, rows_of_people
        The column that seems to say whose row it is, and how many rows people have; empty if
        nobody seems to have several.
    most_rows
        Rows of the person with the most.
    same_rows
        Which columns are the same in all rows of a person; empty if none is.
    """

    name: str
    source: Any
    rows: int
    columns: tuple[ColumnFacts, ...]
    person: str = ""
    rows_of_people: str = ""
    most_rows: int = 1
    same_rows: str = ""

    def column(self, name: str) -> ColumnFacts | None:
        """Facts about one of its columns, if it has such a column."""
        return next((each for each in self.columns if each.name == name), None)


Facts = tuple[TableFacts, ...]


def facts_of(name: str, source: Any, profile: Mapping[str, Any]) -> TableFacts:
    """Take the facts from a profile as plain data (:meth:`papilio.Profile.to_dict`)."""
    keys = ("name", "type", "role", "reason", "distinct", "missing_share", "unique_share")
    columns = tuple(
        # Profiles that an earlier version stored propose nothing.
        ColumnFacts(**{k: each[k] for k in keys}, proposed_l=each.get("proposed_l"))
        for each in profile["columns"]
    )
    person = profile.get("person") or {"column": "", "text": "", "most": 1, "same": ""}
    return TableFacts(
        name,
        source,
        profile["rows"],
        columns,
        person["column"],
        person["text"],
        person["most"],
        person["same"],
    )


def table_with(facts: Facts, source: Any) -> TableFacts | None:
    """Table that a source of a policy means; ``{file: x}`` and ``x`` are the same."""
    wanted = _file(source)
    return next((each for each in facts if _file(each.source) == wanted), None)


def _file(source: Any) -> Any:
    return source.get("file", source) if isinstance(source, Mapping) else source
