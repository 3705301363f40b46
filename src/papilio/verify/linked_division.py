"""Whether two linked tables are the one table of the owner that they were taken from.

How people and their rows were told apart is not believed: it is found out again, in SQL, from the
table as it was and the column that says whose row it is. The release is compared with the two
tables by :mod:`papilio.verify.linked_truth`; here these are compared with the one.
"""

from __future__ import annotations

from collections.abc import Iterator

from papilio.verify import sql
from papilio.verify.linked_links import ordered
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding

#: Column of the original with whose row each row is.
WHOSE = "papilio_person"
_OWN = ("papilio_row", "papilio_up", WHOSE)
_DEMANDED = "joined, the two tables are the original; people have the columns that do not vary"


def check_division(opened: Opened, original: str) -> Iterator[Finding]:
    """Check that every row is there with its person, and every column where it belongs.

    Parameters
    ----------
    opened
        The release; its tables and columns are as promised.
    original
        Name of a view of the table as it was; those of the two tables begin with it.

    Notes
    -----
    Cost: a join of three tables of the original by numbers, and an aggregation by person.
    """
    people, rows = (f"{original} {table.name}" for table in ordered(opened))
    faults = [
        *_owners(opened, original, rows, people),
        *_joined(opened, original, rows, people),
        *_misplaced(opened, original, rows, people),
    ]
    measured = "; ".join(faults) or "as in the original"
    yield finding("division by person", _DEMANDED, measured, not faults)


def _owners(opened: Opened, original: str, rows: str, people: str) -> list[str]:
    """A person of the original is one row of the table of people, and the other way round."""
    (pairs, named, numbered) = opened.row(
        f"SELECT count(DISTINCT (o.{WHOSE}, r.papilio_up)), count(DISTINCT o.{WHOSE}), "
        f"count(DISTINCT r.papilio_up) FROM {sql.name(original)} AS o "
        f"JOIN {sql.name(rows)} AS r ON r.papilio_row = o.papilio_row"
    )
    (known,) = opened.row(f"SELECT count(*) FROM {sql.name(people)}")
    return [] if pairs == named == numbered == known else ["people are not those of the original"]


def _joined(opened: Opened, original: str, rows: str, people: str) -> list[str]:
    """Rows that are not there, or differ in some column once they are joined."""
    same = [
        f"o.{sql.name(column)} IS NOT DISTINCT FROM {short}.{sql.name(column)}"
        for short, view in (("p", people), ("r", rows))
        for column in _columns(opened, view)
    ]
    (equal,) = opened.row(
        f"SELECT count(*) FROM {sql.name(original)} AS o "
        f"JOIN {sql.name(rows)} AS r ON r.papilio_row = o.papilio_row "
        f"JOIN {sql.name(people)} AS p ON p.papilio_row = r.papilio_up WHERE {' AND '.join(same)}"
    )
    counts = [opened.row(f"SELECT count(*) FROM {sql.name(v)}")[0] for v in (original, rows)]
    return [] if counts == [equal, equal] else ["some rows are not those of the original"]


def _misplaced(opened: Opened, original: str, rows: str, people: str) -> list[str]:
    """Columns in the wrong table, and such that are in none."""
    known = _columns(opened, original)
    varies = ", ".join(f"bool_or({_several(column)})" for column in known)
    inner = ", ".join(f"{_facts(column)}" for column in known)
    found = opened.row(
        f"SELECT {varies} FROM (SELECT count(*) AS n, {inner} FROM {sql.name(original)} "
        f"GROUP BY {WHOSE}) AS person"
    )
    wanted = {column for column, several in zip(known, found, strict=True) if several}
    strange = wanted ^ {*_columns(opened, rows)}
    strange |= ({*known} - wanted) ^ {*_columns(opened, people)}
    return [f"'{column}' is in the wrong table" for column in sorted(strange)]


def _facts(column: str) -> str:
    """Smallest, largest and number of the values that a person has in a column."""
    name = sql.name(column)
    short = [sql.name(f"{part} {column}") for part in ("least", "most", "known")]
    return f"min({name}) AS {short[0]}, max({name}) AS {short[1]}, count({name}) AS {short[2]}"


def _several(column: str) -> str:
    """Whether a person has several values in a column, NULL among them."""
    least, most, known = (sql.name(f"{part} {column}") for part in ("least", "most", "known"))
    return f"{least} <> {most} OR {known} BETWEEN 1 AND n - 1"


def _columns(opened: Opened, view: str) -> list[str]:
    return [name for name in opened.types(view) if name not in _OWN]
