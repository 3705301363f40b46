"""How often each sensitive value occurs in each class: what claims on such columns are about.

SQL's ``GROUP BY`` puts NULL into a group of its own, so that NULL is one more value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from papilio.release.manifest import Claim, PublishedColumn
from papilio.verify import sql
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, finding

#: Under this key it is kept what ``class_values`` counts at present.
_KEY = ("class values",)
#: Under this key, which classes are judged instead of those of the table.
_INSTEAD = ("classes instead",)
#: Numbers in claims have at most nine digits before and after the point.
_UNIT = 10**9


class ClaimError(ValueError):
    """A claim that cannot hold because it does not say enough; the message tells what it lacks."""


def whole_number(claim: Claim, key: str) -> int:
    """A parameter that is a whole number of at least 1."""
    number = decimal_number(claim, key)
    if number.denominator != 1 or number < 1:
        raise ClaimError(f"the claim has no {key}")
    return int(number)


def decimal_number(claim: Claim, key: str) -> Fraction:
    """A parameter that is a decimal number, exactly as it is written."""
    number = claim.parameters.get(key)
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise ClaimError(f"the claim has no {key}")
    exact = Fraction(repr(number))
    if not 0 <= exact < _UNIT or _UNIT % exact.denominator:
        raise ClaimError(f"the claim has no {key} that can be checked")
    return exact


def sensitive_column(opened: Opened, claim: Claim) -> PublishedColumn:
    """The sensitive column a claim is about."""
    wanted = claim.parameters.get("column")
    for column in opened.manifest.table(claim.table).columns:
        if column.name == wanted and column.role == "sensitive" and column.cells == "value":
            return column
    raise ClaimError("the claim names no sensitive column")


@dataclass(frozen=True)
class ClassValues:
    """The table ``class_values`` of the work schema: how often a value occurs in a class.

    Attributes
    ----------
    cells
        Its columns that tell classes apart, with commas between them; rows that agree on them, NULL
        being one more cell, are of the same class. Two more columns are ``value`` and ``n``.
    rows
        Number of rows of the published table.
    source
        Where the classes are that are judged, if they are not those of the table as it is. What the
        whole table has is always counted in ``class_values``.
    """

    cells: str
    rows: int
    source: str = f"{WORK}.class_values"


def count_class_values(opened: Opened, claim: Claim) -> ClassValues:
    """Make the table ``class_values``, unless the claim before was about the same columns."""
    value = sql.name(sensitive_column(opened, claim).published[0])
    asked = (claim.table, cells_of(opened, claim), value)
    if (instead := opened.kept.get(_INSTEAD)) is not None:
        judged: ClassValues = instead
        return judged
    before = opened.kept.get(_KEY)
    if before is None or before[0] != asked:
        before = (asked, _count(opened, *asked))
        opened.kept[_KEY] = before
    counted: ClassValues = before[1]
    if not counted.rows:
        raise ClaimError("the table has no rows")
    return counted


def forget_class_values(opened: Opened) -> None:
    """Say that the table ``class_values`` will be another, not to be used for the next claim."""
    opened.kept.pop(_KEY, None)


def cells_of(opened: Opened, claim: Claim) -> tuple[str, ...]:
    """Published columns that tell the classes of a claim apart.

    Raises
    ------
    ClaimError
        If it names a column that is no quasi-identifier.
    """
    quasi = {
        column.name: column.published
        for column in opened.manifest.table(claim.table).columns
        if column.role == "quasi"
    }
    if any(name not in quasi for name in claim.columns):
        raise ClaimError("the claim names other quasi-identifiers than there are")
    return tuple(cell for name in claim.columns for cell in quasi[name])


@contextmanager
def judged_instead(opened: Opened, classes: ClassValues) -> Iterator[None]:
    """Let checks judge other classes than those of the table, which were counted before."""
    opened.kept[_INSTEAD] = classes
    try:
        yield
    finally:
        del opened.kept[_INSTEAD]


def _count(opened: Opened, table: str, cells: tuple[str, ...], value: str) -> ClassValues:
    # Who knows no column sees one class, the whole table.
    parts = [f"{sql.name(cell)} AS c{i}" for i, cell in enumerate(cells)] or ["1 AS c0"]
    names = ", ".join(f"c{i}" for i in range(len(parts)))
    opened.keep(
        "class_values",
        f"SELECT {names}, value, count(*) AS n FROM "
        f"(SELECT {', '.join(parts)}, {value} AS value FROM {sql.name(table)}) AS held "
        f"GROUP BY {names}, value",
    )
    (rows,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.class_values")
    return ClassValues(names, int(rows))


def about(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    """Make a finding on a claim about a sensitive column."""
    column = claim.parameters.get("column")
    return finding(
        claim.claim,
        demanded,
        measured,
        holds,
        recipient=claim.recipient,
        column=column if isinstance(column, str) else None,
    )


def shortfall(rows: int, classes: int) -> str:
    """What to add to a measurement when classes fall short; nothing if none does."""
    return f"; {rows} rows in {classes} classes fall short" if classes else ""
