"""Columns of others: what a recipient learns of the columns that only other recipients know.

A school knows the age of its pupils, an employer the job of their parents. Both get one release,
and each is left with at least k rows for everybody. But where the rows of a class of the school
all say one job, the school has learnt it, though nobody told it: k on what a recipient knows says
nothing of the rest, and a quasi-identifier of somebody else is not marked as sensitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from papilio.attack.candidates import PERSON
from papilio.attack.holdings import owners_of
from papilio.attack.looks import restricted
from papilio.attack.result import (
    ORIGINAL,
    AttackResult,
    Exposed,
    confront,
    people,
    recipients_of,
    someone_knowing,
    together,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release
from papilio.verify.cells import has_bounds, reader
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs
from papilio.verify.numbering import Side, bounds_of, number_original, texts_of
from papilio.verify.opened import Opened
from papilio.verify.readings import Anything, Beginning, OneOf, Reading, Span

NAME = "learnt_of_others"
#: The column :data:`PERSON` as one that is published.
_NUMBER = PublishedColumn(PERSON, "plain", "numeric", "value", (PERSON,))
_NOTHING = "Not tried: every recipient knows all that others know."


def learnt_of_others(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Try everybody, one recipient after the other, on each column that only others know.

    A value is learnt of person p if all candidates say the same one and it is right:

    .. math:: |\bigcup_{r \in C(p)} r[w]| = 1

    with :math:`C(p)` the rows that cover what the recipient knows of p and :math:`r[w]` the values
    that cell w of row r allows; a cell that allows several says none of them. Figures: ``people``,
    those of the original; ``learnt: <column>``, people of whom it is learnt, each once, from any
    of their rows. People whose row was left out are learnt nothing right of, and do not count.

    Not tried: ruling rows out because they are surely somebody else's; values that are nearly
    certain.

    Cost: that of :func:`papilio.verify.fitting.fitting_pairs` for each recipient. Source: Pei,
    Tao, Li, Xiao, "Butterfly", TR 2008-18, sections 1 and 3.2, whose promise this is not.
    """
    recipients = recipients_of(policy)
    every = together(recipients, policy)
    owners = np.arange(original.height) if original.people is None else owners_of(original)
    total, tried = len(np.unique(owners)), False
    for name, columns in recipients.items():
        others = tuple(column for column in every if column not in columns)
        if others:
            tried = True
            learnt = learnt_rows(release, original, columns, others)
            counts = {column: len(np.unique(owners[rows])) for column, rows in learnt.items()}
            yield _result(someone_knowing(name, columns), counts, total)
    if not tried:
        yield AttackResult(NAME, "any recipient", _NOTHING)


def _result(attacker: str, counts: Mapping[str, int], total: int) -> AttackResult:
    parts = [
        f"the value of {column}, which only others know, is learnt of {people(number, total)}"
        for column, number in counts.items()
    ]
    sentence = "; ".join(parts)
    return AttackResult(
        NAME,
        attacker,
        sentence[0].upper() + sentence[1:] + ".",
        {"people": total, **{f"learnt: {column}": number for column, number in counts.items()}},
        tuple(Exposed(number, total, column) for column, number in counts.items()),
    )


def learnt_rows(
    release: Release, original: Table, known: Sequence[str], others: Sequence[str]
) -> dict[str, NDArray[np.bool_]]:
    """Whether the value of each other column is learnt of each row of the original."""
    table = release.manifest.table(original.name)
    numbered = original.frame.with_row_index(PERSON)
    with confront(release, numbered) as opened:
        asked = restricted(opened, table, [*known, *others])
        fitting = fitting_of(opened, asked, ORIGINAL)
        certain = [
            _certain(opened, column, place)
            for place, column in enumerate(asked.columns)
            if place >= len(known)
        ]
        persons = number_original(
            opened, replace(asked, columns=(*asked.columns, _NUMBER)), ORIGINAL
        )
    lines = persons.numbers[np.argsort(persons.numbers[:, -1])]
    points, which = np.unique(lines[:, : len(known)], axis=0, return_inverse=True)
    said = _said(fitting, points, len(known), certain)
    return {
        column: _is_right(fitting, len(known) + place, said[place][which.ravel()], lines)
        for place, column in enumerate(others)
    }


@dataclass(frozen=True, eq=False)
class _Certain:
    """Which cells of a column say one value; ``None`` if all of them do."""

    cells: NDArray[np.bool_] | None

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return numbers >= 0 if self.cells is None else self.cells[numbers]


def _certain(opened: Opened, column: PublishedColumn, index: int) -> _Certain:
    if column.cells == "value":
        return _Certain(None)
    if has_bounds(column):
        low, high, null = (np.ma.asarray(ends) for ends in bounds_of(opened, index))
        flag = np.ma.filled(null.astype(bool), fill_value=False)
        empty = np.ma.getmaskarray(low)
        same = np.asarray(np.ma.getdata(low) == np.ma.getdata(high))
        return _Certain(np.where(empty, flag, same & ~flag))
    read = reader(opened, column)
    assert read is not None  # noqa: S101 - columns nobody can read were sorted out before
    return _Certain(np.array([_says_one(read(cell)) for cell in texts_of(opened, index)], bool))


def _says_one(reading: Reading | None) -> bool:
    match reading:
        case Span():
            return reading.low == reading.high and not reading.null
        case OneOf():
            return len(reading.values) + reading.null == 1
        case Beginning() | Anything() | None:
            return False


def _said(
    fitting: Fitting, points: NDArray[np.int64], known: int, certain: Sequence[_Certain]
) -> list[NDArray[np.int64]]:
    """Per other column, the cell that all candidates of a point have, if it says one value.

    Elsewhere -1. Cells that say several values count as two different ones.
    """
    cells = fitting.demand.numbers[:, known:]
    sure = [flags.of(cells[:, place]) for place, flags in enumerate(certain)]
    most = np.iinfo(np.int64).max
    low = np.full((len(certain), len(points)), most)
    high = np.full((len(certain), len(points)), -1)
    for some, boxes in _pairs(fitting, points, known):
        for place, flags in enumerate(sure):
            told = cells[boxes, place]
            np.minimum.at(low[place], some, np.where(flags[boxes], told, -1))
            np.maximum.at(high[place], some, np.where(flags[boxes], told, most))
    return [np.where(one == other, one, -1) for one, other in zip(low, high, strict=True)]


def _pairs(
    fitting: Fitting, points: NDArray[np.int64], known: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Points and rows that cover them; to somebody who knows nothing, all rows."""
    demand = fitting.demand
    if known:
        supply = Side(points, np.ones(len(points), np.int64))
        boxes = Side(demand.numbers[:, :known], demand.count)
        yield from fitting_pairs(Fitting(supply, boxes, fitting.covers[:known]))
    else:
        every = np.arange(len(demand.numbers))
        yield np.zeros_like(every), every


def _is_right(
    fitting: Fitting, column: int, said: NDArray[np.int64], lines: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether what is said of each row of the original is what it has."""
    cover, truth, some = fitting.covers[column], lines[:, column], said >= 0
    if cover is None:
        return np.asarray(some & (said == truth), bool)
    return np.asarray(some & cover.allows(np.maximum(said, 0), truth), bool)
