"""Columns that follow a quasi-identifier: cells that say no more than those of their leader.

From the release alone: rows with equal cells of the leader have equal cells of the follower, so
that no class falls apart by it. With the original: a cell of the follower allows every value that
goes with a value of the leader's cell anywhere in the original, so that whoever knows what goes
with what learns nothing of which of them are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from papilio.release.manifest import Claim, PublishedTable
from papilio.verify import sql
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs, is_readable
from papilio.verify.numbering import Side
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding

FOLLOWS = "follows"
_IMAGE = "image of what it follows"


def check_follows(opened: Opened, claim: Claim) -> Finding:
    """Check that equal cells of the leader have equal cells of the follower."""
    column, leader = (str(claim.parameters.get(key)) for key in ("column", "leader"))
    demanded = f"one cell beside each cell of '{leader}'"
    described = {each.name: each for each in opened.manifest.table(claim.table).columns}
    quasi = {name for name, each in described.items() if each.role == "quasi"}
    if not {column, leader} <= quasi or column == leader or {*claim.columns} != {column, leader}:
        return _finding(claim, demanded, "not about two quasi-identifiers", holds=False)
    own, cells = described[column].published, described[leader].published
    several = (
        f"SELECT count(*) AS n FROM (SELECT DISTINCT {sql.names([*cells, *own])} "
        f"FROM {sql.name(claim.table)}) GROUP BY {sql.names(cells)}"
    )
    (wrong,) = opened.row(f"SELECT {sql.count_where('n > 1')} FROM ({several})")
    measured = f"{wrong} cells have several" if wrong else "one"
    return _finding(claim, demanded, measured, holds=not wrong)


def _finding(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    column = str(claim.parameters.get("column"))
    return finding(FOLLOWS, demanded, measured, holds, recipient=claim.recipient, column=column)


def image_check(
    table: str, column: str, leader: str, view: Callable[[str, str], str]
) -> Callable[[Opened, str], Iterator[Finding]]:
    """Make the check that a column is the image of its leader in the original, or wider.

    Parameters
    ----------
    table, column, leader
        Where they are.
    view
        Name of the view of a table of the original, given the name of all of it and the table.
    """

    def check(opened: Opened, original: str) -> Iterator[Finding]:
        described = opened.manifest.table(table)
        chosen = [c for name in (leader, column) for c in described.columns if c.name == name]
        demanded = f"whatever goes with the values of each cell of '{leader}'"
        if not all(is_readable(opened, each) for each in chosen):
            yield Finding(_IMAGE, demanded, "not checked", Status.NOT_CHECKED, column=column)
            return
        asked = replace(described, columns=tuple(chosen))
        wrong = _narrow(opened, asked, view(original, table))
        measured = f"{wrong} cells are narrower" if wrong else "all cells"
        yield finding(_IMAGE, demanded, measured, not wrong, column=column)

    return check


def _narrow(opened: Opened, asked: PublishedTable, original: str) -> int:
    """Pairs of cells where the second does not allow what goes with a value of the first."""
    fitting = fitting_of(opened, asked, original)
    supply, demand = fitting.supply.numbers, fitting.demand.numbers
    leaders = Fitting(
        Side(supply[:, :1], fitting.supply.count),
        Side(demand[:, :1], fitting.demand.count),
        fitting.covers[:1],
    )
    wrong = np.zeros(len(demand), bool)
    for some, boxes in fitting_pairs(leaders):
        cover = fitting.covers[1]
        allowed = (
            demand[boxes, 1] == supply[some, 1]
            if cover is None
            else cover.allows(demand[boxes, 1], supply[some, 1])
        )
        wrong[boxes[~allowed]] = True
    return int(wrong.sum())
