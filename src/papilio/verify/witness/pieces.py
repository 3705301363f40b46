"""Truthfulness of a table that is published piece by piece, none of which outlives the next.

Each file is compared, as soon as it is written, with the rows it is made of, line by line. Whether
all these rows together are the original's, no more and no fewer, is told by sums of rows
(:mod:`papilio.verify.witness.values`): those of the original are added up as it is read, before
anything is done with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.release.manifest import Manifest, PublishedTable
from papilio.verify import sql
from papilio.verify.cells import distinct_cells
from papilio.verify.kinds import check_source_order
from papilio.verify.labels import label_reader
from papilio.verify.line_order_kinds import SAYS_NOTHING
from papilio.verify.line_order_source import SOURCE as ORDER
from papilio.verify.opened import WORK, Opened, UnreadableError, open_file
from papilio.verify.people import Totals, Whose, check_people, claims_over_people
from papilio.verify.tables import CHECKS
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.table import DEMANDED, check_table
from papilio.verify.witness.values import Rows, RowSum, spare_rows, sum_rows

_CLAIM = "truthfulness"


@dataclass(frozen=True)
class PieceTruth:
    """What is known of one piece.

    Attributes
    ----------
    found
        Whether its lines are true of its rows.
    rows
        The sum of its rows.
    order
        Whether its lines follow the order in which its rows came; ``None`` if they are not true.
    lines
        Number of its lines; ``None`` if each row has one.
    people
        Whether each claim over people holds in it.
    """

    found: Finding
    rows: RowSum
    order: Finding | None = None
    lines: int | None = None
    people: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class PieceOwners:
    """Whose the rows of a piece are, for claims over people.

    Attributes
    ----------
    whose
        The person of each row, any number but a negative one for who has one row only, and whether
        they have several in the whole table.
    totals
        What the whole table has of the columns that closeness is claimed of.
    """

    whose: Whose
    totals: Totals


def check_piece(
    file: Path,
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    original: pl.DataFrame,
    rows: Rows,
    keys: NDArray[np.uint64],
    memory: int | None = None,
    owners: PieceOwners | None = None,
) -> PieceTruth:
    """Check one file of a table against the rows it is made of.

    Parameters
    ----------
    file
        The file as it was written.
    manifest, hierarchies
        How to read it; one table.
    original
        The rows that the piece is made of, in the order in which they were read.
    rows
        Row of each line, as the method says it.
    keys
        The keys of :func:`papilio.verify.witness.values.sum_rows`.
    memory
        Bytes that the database may use.
    owners
        Whose the rows are, where people may have several.
    """
    # Rows that are left out may all be in one piece; they are counted when all pieces are known.
    some = manifest.tables[0].left_out_at_most > 0
    table = replace(manifest.tables[0], left_out_at_most=1.0 if some else 0.0)
    height, order = original.height, None
    people: tuple[Finding, ...] = ()
    try:
        with open_file(file, manifest, hierarchies, memory) as opened:
            found = check_table(opened, table, original, rows, height=height)
            if found.status is Status.HOLDS:
                order = check_source_order(opened, {table.name: rows})
                people = tuple(_owned(opened, rows, owners))
    except UnreadableError:
        found = finding(_CLAIM, DEMANDED, "a file cannot be read", holds=False)
    lines = len(rows) if some else None
    summed = sum_rows(original, keys, zero_is_zero(manifest))
    return PieceTruth(found, summed, order, lines, people)


def _owned(opened: Opened, rows: Rows, owners: PieceOwners | None) -> Iterator[Finding]:
    """Check the claims over people of one file.

    What holds for the classes of every file holds for classes that have rows in several: the claims
    are closed under unions (:mod:`papilio.privacy.unit`).
    """
    claims = claims_over_people(opened.manifest)
    if not claims:
        return
    if owners is None:
        for claim in claims:
            nobody = "nobody says whose rows they are"
            yield finding(f"{claim.claim} over people", "as claimed", nobody, holds=False)
        return
    numbers, several = owners.whose
    # Whoever has one row has a number that nobody else has.
    person = np.where(several, numbers, -1 - np.arange(len(numbers)))
    whose = person[rows], several[rows]
    yield from check_people(opened, claims, whose, CHECKS, owners.totals)


def check_people_in_pieces(
    opened: Opened, pieces: Sequence[PieceTruth], totals: Totals, table: PublishedTable
) -> Iterator[Finding]:
    """Put together what is known of claims over people.

    Parameters
    ----------
    opened
        The whole release.
    pieces
        What is known of each file.
    totals
        What the pieces took for the values of the whole table.
    table
        The table.
    """
    for place, claim in enumerate(claims_over_people(opened.manifest)):
        found = [piece.people[place] for piece in pieces]
        wrong = [each for each in found if each.status is not Status.HOLDS]
        column = claim.parameters.get("column")
        if wrong:
            measured = f"in {len(wrong)} of {len(found)} files not: {wrong[0].measured}"
        elif column in totals and not _are_totals(opened, table, str(column), totals):
            wrong, measured = found, "compared with other values than those of the table"
        else:
            measured = f"in each of {len(found)} files"
        status = Status.VIOLATED if wrong else Status.HOLDS
        yield replace(found[0], measured=measured, status=status)


def _are_totals(opened: Opened, table: PublishedTable, name: str, totals: Totals) -> bool:
    """Whether a published column has these values, each so often."""
    column = next(each for each in table.columns if each.name == name)
    values, counts = totals[name]
    opened.keep_columns("totals", {"value": values.to_arrow(), "n": pa.array(counts)})
    held = f"SELECT {sql.name(column.published[0])} AS value, count(*) AS n FROM "
    held += f"{sql.name(table.name)} GROUP BY 1"
    (odd,) = opened.row(
        f"SELECT count(*) FROM ({held}) AS h FULL JOIN {WORK}.totals AS t "
        "ON h.value IS NOT DISTINCT FROM t.value WHERE h.n IS DISTINCT FROM t.n"
    )
    return not odd


def zero_is_zero(manifest: Manifest) -> tuple[str, ...]:
    """Columns that are published in cells, which do not tell zero from minus zero."""
    return tuple(c.name for table in manifest.tables for c in table.columns if c.cells != "value")


def check_pieces(
    opened: Opened,
    hierarchies: Mapping[str, str],
    original: RowSum,
    pieces: Sequence[PieceTruth],
    claim: str = _CLAIM,
    table: PublishedTable | None = None,
) -> Finding:
    """Put together what is known of all pieces of a release.

    Parameters
    ----------
    opened
        The whole release.
    hierarchies
        Files of paths by which the pieces were read; labels must mean the same in the release's.
    original
        The sum of the original's rows.
    pieces
        What is known of each file.
    claim
        What the finding is called.
    table
        The table, which says how many rows may be left out; the first of the release if left out.

    Notes
    -----
    Exact but for the sums, which are equal by chance in about one of 2**64 wrong releases.
    """
    wrong = [piece.found for piece in pieces if piece.found.status is not Status.HOLDS]
    if wrong:
        measured = f"in {len(wrong)} of {len(pieces)} files not: {wrong[0].measured}"
        return Finding(claim, DEMANDED, measured, wrong[0].status)
    together = sum((piece.rows for piece in pieces), RowSum())
    if together != original:
        measured = f"the files are made of other rows than the original's {original.rows}"
        return finding(claim, DEMANDED, measured, holds=False)
    odd = _other_labels(opened, hierarchies)
    if odd:
        return finding(claim, DEMANDED, f"labels of '{odd}' mean something else", holds=False)
    described = opened.manifest.tables[0] if table is None else table
    left = original.rows - sum(p.rows.rows if p.lines is None else p.lines for p in pieces)
    if left > spare_rows(described, original.rows):
        measured = f"{left} of {original.rows} rows of the original are missing"
        return finding(claim, DEMANDED, measured, holds=False)
    measured = f"all {original.rows - left} lines are"
    if described.left_out_at_most:
        measured += f"; {left} of {original.rows} rows left out"
    return finding(claim, DEMANDED, measured, holds=True)


def check_orders(pieces: Sequence[PieceTruth]) -> Finding:
    """Say whether the lines of some file follow the order in which its rows came.

    Rows come in the order of the source, or in the only order of it that is known. To be asked once
    all lines were found true. The order of files among themselves is not looked at.
    """
    found = [piece.order for piece in pieces if piece.order is not None]
    wrong = [each for each in found if each.status is not Status.HOLDS]
    if wrong:
        measured = f"in {len(wrong)} of {len(found)} files it {wrong[0].measured}"
        return finding(ORDER, SAYS_NOTHING, measured, holds=False)
    return finding(ORDER, SAYS_NOTHING, f"nothing in any of {len(found)} files", holds=True)


def _other_labels(opened: Opened, hierarchies: Mapping[str, str]) -> str | None:
    """A column whose published labels mean other values in the release than they did before."""
    for table in opened.manifest.tables:
        for column in table.columns:
            if column.cells == "node" and "paths" in (column.hierarchy or {}):
                readers = [label_reader(column, f) for f in (hierarchies, opened.hierarchies)]
                cells = distinct_cells(opened, table.name, column.published[0])
                if any(len({read(t) for read in readers if read}) != 1 for t, _ in cells):
                    return column.name
    return None
