"""How often each sensitive value occurs in each class: what claims on such columns are about.

SQL's ``GROUP BY`` puts NULL into a group of its own, so that NULL is one more value.
"""

from __future__ import annotations

import math
from fractions import Fraction

from papilio.release.manifest import Claim, PublishedColumn
from papilio.verify import sql
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, finding

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


def count_class_values(opened: Opened, claim: Claim) -> int:
    """Make the table ``class_values`` (class, value, n) in the work schema.

    Returns the number of rows of the published table. Classes are numbered from 1.
    """
    value = sql.name(sensitive_column(opened, claim).published[0])
    quasi = {
        column.name: column.published
        for column in opened.manifest.table(claim.table).columns
        if column.role == "quasi"
    }
    if any(name not in quasi for name in claim.columns):
        raise ClaimError("the claim names other quasi-identifiers than there are")
    cells = [cell for name in claim.columns for cell in quasi[name]]
    # Who knows no column sees one class, the whole table.
    parts = "".join(f"{sql.name(cell)} AS c{index}, " for index, cell in enumerate(cells))
    names = ", ".join(["true", *(f"c{index}" for index in range(len(cells)))])
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.class_values AS "
        "SELECT class, pair.value AS value, pair.n AS n FROM ("
        "SELECT class, unnest(pairs) AS pair FROM ("
        "SELECT row_number() OVER () AS class, pairs FROM ("
        f"SELECT list(struct_pack(value := value, n := n)) AS pairs FROM ("
        f"SELECT {parts}{value} AS value, count(*) AS n FROM {sql.name(claim.table)} "
        f"GROUP BY ALL) GROUP BY {names})))"
    )
    (rows,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.class_values")
    if not rows:
        raise ClaimError("the table has no rows")
    return int(rows)


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
