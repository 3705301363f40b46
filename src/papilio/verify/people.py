"""Claims over people, who may have several rows each.

From outside nobody can see whose row a row is, so a claim over people is believed as the publisher
states it, and what follows for rows is checked. With the original at hand it is counted, here in
SQL: for k, the rows of the person who has most of them in each class; for diversity and closeness,
each class once more for every person who has several rows in the table, without their rows. What
the claims mean: :mod:`papilio.privacy.unit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.release.manifest import Claim, Manifest, PublishedTable
from papilio.verify import sql
from papilio.verify.class_values import (
    ClaimError,
    ClassValues,
    about,
    cells_of,
    count_class_values,
    forget_class_values,
    judged_instead,
    sensitive_column,
    whole_number,
)
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.values import Rows

#: What a claim calls its unit if it is over people.
PEOPLE = "people"


STATED = "over people: stated by the publisher, can be checked with the original"


#: The check of a claim on released rows.
Check: TypeAlias = Callable[[Opened, Claim], Finding]


#: Lines that may be written at once of classes without one of their people: as many as the table
#: has rows, and no fewer than this.
LINES = 1 << 16

#: A number for the person whose each line is, and whether that person has several rows.
Whose: TypeAlias = tuple[NDArray[np.int64], NDArray[np.bool_]]


def is_over_people(claim: Claim) -> bool:
    """Whether a claim says that it is over people."""
    return claim.parameters.get("unit") == PEOPLE


def claims_over_people(manifest: Manifest) -> list[Claim]:
    """Claims of a release that are over people, of tables that it describes."""
    known = {table.name for table in manifest.tables}
    return [each for each in manifest.claims if is_over_people(each) and each.table in known]


def as_stated(claim: Claim, found: Finding) -> Finding:
    """Say of a claim that holds over rows what nobody can see of it."""
    if not is_over_people(claim) or found.status is not Status.HOLDS:
        return found
    return replace(found, measured=f"{found.measured}, counting rows; {STATED}")


def whose_rows(names: pl.Series) -> Whose:
    """Number the people who are named, and say who of them has several rows."""
    texts = names.cast(pl.String)
    numbers = texts.cast(pl.Enum(texts.unique().sort())).to_physical().to_numpy().astype(np.int64)
    return numbers, np.bincount(numbers)[numbers] > 1


#: What occurs in a sensitive column of a whole table, and how often.
Totals: TypeAlias = Mapping[str, tuple[pl.Series, NDArray[np.int64]]]


def check_people(
    opened: Opened,
    claims: list[Claim],
    whose: Whose,
    checks: Mapping[str, Check],
    totals: Totals | None = None,
) -> Iterator[Finding]:
    """Check claims of one table over people, given whose its lines are.

    Parameters
    ----------
    opened
        The release.
    claims
        Claims over people, all of one table.
    whose
        The person of each line, in the order in which lines are read.
    checks
        How each claim is checked over rows.
    totals
        What the whole table has of the columns that closeness is claimed of, if what is opened is
        a part of it.

    Notes
    -----
    Cost: a pass over the lines for k. For other claims each class is written once for every person
    of it who has several rows, one line per value that is left; about as many lines at a time as
    the table has.
    """
    person, several = whose
    opened.keep_columns(
        "whose",
        {
            "line": pa.array(np.arange(1, len(person) + 1)),
            "person": pa.array(person),
            "several": pa.array(several),
        },
    )
    for claim in claims:
        try:
            yield _checked(opened, claim, checks, totals or {})
        except ClaimError as error:
            yield _named(about(claim, claim.claim, str(error), holds=False))


def _checked(opened: Opened, claim: Claim, checks: Mapping[str, Check], totals: Totals) -> Finding:
    if claim.claim == "k-anonymity":
        return _named(_check_shares(opened, claim))
    rows = _whole(opened, claim, totals) or count_class_values(opened, claim).rows
    value = sql.name(sensitive_column(opened, claim).published[0])
    names, lines = _owned_lines(opened, claim, value)
    opened.keep(
        "owned",
        f"SELECT dense_rank() OVER (ORDER BY {names}) AS class, value, person, several "
        f"FROM ({lines}) AS lines",
    )
    _keep_counts(opened)
    (held, lines) = opened.row(
        f"SELECT (SELECT sum(n) FROM {WORK}.counts), coalesce(max(upto), 0) FROM {WORK}.owning"
    )
    if not lines:
        measured = "nobody has several rows, or nobody else any"
        return _named(about(claim, claim.claim, measured, holds=True))
    found, most = [], max(LINES, int(held))
    for part in range(-(-int(lines) // most)):
        _keep_without_each(opened, part, most)
        instead = ClassValues("class, person", rows, f"{WORK}.people_values")
        with judged_instead(opened, instead):
            found.append(checks[claim.claim](opened, claim))
    return _named(_together(found))


def _keep_counts(opened: Opened) -> None:
    """Count the values of each class, of each of its people with several rows, and these people.

    People of a class come with the lines it takes to write the class without them, added up.
    """
    value = "class, value, count(*) AS n"
    opened.keep("counts", f"SELECT {value} FROM {WORK}.owned GROUP BY ALL")
    own = f"SELECT person, {value} FROM {WORK}.owned WHERE several GROUP BY ALL"
    opened.keep("owners", own)
    # Who holds all rows of a class leaves nothing of it.
    opened.keep(
        "owning",
        "SELECT class, person, CAST(sum(held) OVER (ORDER BY class, person "
        "ROWS UNBOUNDED PRECEDING) AS BIGINT) AS upto FROM "
        f"(SELECT class, person, sum(n) AS own FROM {WORK}.owners GROUP BY ALL) AS o JOIN "
        f"(SELECT class, count(*) AS held, sum(n) AS size FROM {WORK}.counts GROUP BY ALL) AS c "
        "USING (class) WHERE own < size",
    )
    opened.execute(f"DROP TABLE {WORK}.owned")


def _keep_without_each(opened: Opened, part: int, most: int) -> None:
    """Make ``people_values``: values of classes without one person, for a part of the people."""
    opened.keep(
        "people_values",
        "SELECT v.class, p.person, v.value, v.n - coalesce(o.n, 0) AS n FROM "
        f"(SELECT class, person FROM {WORK}.owning WHERE (upto - 1) // {most} = {part}) AS p "
        f"JOIN {WORK}.counts AS v ON v.class = p.class "
        f"LEFT JOIN {WORK}.owners AS o ON o.class = v.class AND o.person = p.person "
        "AND o.value IS NOT DISTINCT FROM v.value WHERE v.n > coalesce(o.n, 0)",
    )


def _together(found: list[Finding]) -> Finding:
    """One finding of those about parts of the people."""
    wrong = [each for each in found if each.status is not Status.HOLDS]
    first = (wrong or found)[0]
    if len(found) == 1:
        return replace(first, measured=f"{first.measured}, each without one of its people")
    parts = f"{len(found)} parts of all classes without one of their people"
    if not wrong:
        return replace(first, measured=f"as demanded, in each of {parts}")
    return replace(first, measured=f"in {len(wrong)} of {parts} not: {first.measured}")


def _whole(opened: Opened, claim: Claim, totals: Totals) -> int:
    """Let classes be compared with a table that is not all there; gives its rows, 0 if it is."""
    column = sensitive_column(opened, claim).name
    if column not in totals:
        return 0
    values, counts = totals[column]
    forget_class_values(opened)
    opened.keep_columns("class_values", {"value": values.to_arrow(), "n": pa.array(counts)})
    return int(counts.sum())


def _check_shares(opened: Opened, claim: Claim) -> Finding:
    """Check that in no class k times the rows of one person are more than all rows."""
    k = whole_number(claim, "k")
    names, lines = _owned_lines(opened, claim, "NULL")
    classes, short, rows, worst = opened.row(
        f"SELECT count(*), {sql.count_where(f'most * {k} > size')}, "
        f"{sql.sum_where('size', f'most * {k} > size')}, min(size / most) FROM "
        f"(SELECT max(n) AS most, sum(n) AS size FROM "
        f"(SELECT {names}, person, count(*) AS n FROM ({lines}) AS lines "
        f"GROUP BY {names}, person) AS held GROUP BY {names}) AS classes"
    )
    measured = f"one row in {float(worst or 0):.4g} at most is one person's, over {classes} classes"
    if short:
        measured += f"; {int(rows)} rows in {short} classes fall short"
    demanded = f"nobody owns more than one row in {k}"
    return finding(claim.claim, demanded, measured, short == 0, recipient=claim.recipient)


def _owned_lines(opened: Opened, claim: Claim, value: str) -> tuple[str, str]:
    """What tells classes apart, and SQL for it with value, person and whether they have several."""
    cells = cells_of(opened, claim)
    # Who knows no column sees one class, the whole table.
    parts = [f"{sql.name(cell)} AS c{i}" for i, cell in enumerate(cells)] or ["1 AS c0"]
    names = ", ".join(f"c{i}" for i in range(len(parts)))
    listed = ", ".join([*parts, f"{value} AS value", "row_number() OVER () AS line"])
    return names, (
        f"SELECT {names}, l.value, w.person, w.several "
        f"FROM (SELECT {listed} FROM {sql.name(claim.table)}) AS l "
        f"JOIN {WORK}.whose AS w ON l.line = w.line"
    )


def _named(found: Finding) -> Finding:
    return replace(found, claim=f"{found.claim} over people")


def check_owners(
    opened: Opened,
    table: PublishedTable,
    names: pl.Series,
    rows: Rows,
    checks: Mapping[str, Check],
) -> Iterator[Finding]:
    """Check the claims of a table over people.

    Parameters
    ----------
    opened, table
        The release, and the table in question.
    names
        Whose each row of the original is.
    rows
        Source row of each line; every line is known to be true of it.
    checks
        How each claim is checked over rows.
    """
    claims = [each for each in claims_over_people(opened.manifest) if each.table == table.name]
    if claims:
        person, several = whose_rows(names)
        yield from check_people(opened, claims, (person[rows], several[rows]), checks)
