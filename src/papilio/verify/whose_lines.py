"""Which source row each line may be made of, so that people can be counted, where nobody says it.

Rows of a release are shuffled. That its lines are true of the original's rows means that they can
be matched one to one (:mod:`papilio.verify.truthfulness`); if classes do not overlap, the class of
every row is settled by that. If they do, there are several matchings, and a claim over people is
true of the one that the publisher had. Rows are exchanged until it is true of the matching at hand
(:mod:`papilio.verify.exchange`): with it the claim can be true. If none is found, nothing is
decided, unless none can be true (:mod:`papilio.verify.matched_people`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedTable
from papilio.verify.fitting import fitting_of, units
from papilio.verify.numbering import number_every_row
from papilio.verify.opened import Opened
from papilio.verify.truthfulness import candidates


@dataclass(frozen=True, eq=False)
class Lists:
    """List ``i`` is ``items[start[i]:start[i + 1]]``."""

    start: NDArray[np.int64]
    items: NDArray[np.int64]

    @classmethod
    def of_pairs(cls, which: NDArray[np.int64], items: NDArray[np.int64], count: int) -> Lists:
        """Put each item into the list beside it, in the order in which they come."""
        order = np.argsort(which, kind="stable")
        ends = np.cumsum(np.bincount(which, minlength=count))
        return cls(np.concatenate([[0], ends]), items[order])

    @classmethod
    def of_groups(cls, group: NDArray[np.int64], count: int) -> Lists:
        """List the places of each group."""
        return cls.of_pairs(group, np.arange(len(group)), count)

    def __getitem__(self, which: int) -> NDArray[np.int64]:
        """One of the lists."""
        return self.items[self.start[which] : self.start[which + 1]]


Ints = NDArray[np.int64]


#: Numbers that are put together into one stay below this.
_WIDEST = 2**62


@dataclass(frozen=True, eq=False)
class Places:
    """Where every row of the original stands: in a line, or in a place for rows left out.

    Attributes
    ----------
    kind_of_line, row_of_line, pairs
        As those of a matching. If rows are left out, there is one more kind of line, which all rows
        fit, with a line for each.
    row_kinds, line_kinds
        How many kinds there are.
    """

    kind_of_line: Ints
    row_of_line: Ints
    pairs: Ints
    row_kinds: int
    line_kinds: int


@dataclass(eq=False)
class Matching:
    """Rows of the original matched with lines; changes as rows are exchanged.

    Attributes
    ----------
    kind_of_row, kind_of_line
        Which of the distinct rows of its side each is.
    cells_of_line
        Numbers of the cells of each line, one per column of the table.
    pairs
        Kinds of rows and lines that fit, as two columns.
    row_of_line
        The row that each line is made of.
    """

    kind_of_row: Ints
    kind_of_line: Ints
    cells_of_line: Ints
    pairs: Ints
    row_of_line: Ints

    def classes(self, columns: list[int]) -> Ints:
        """Class of each line for whoever knows some columns."""
        return numbered(self.cells_of_line[:, columns])

    def places(self) -> Places:
        """Where rows stand, with those that are left out. Cost: a pass over rows and pairs."""
        row_kinds = int(self.kind_of_row.max(initial=-1)) + 1
        line_kinds = int(self.kind_of_line.max(initial=-1)) + 1
        free = np.ones(len(self.kind_of_row), bool)
        free[self.row_of_line] = False
        out = np.flatnonzero(free)
        if not out.size:
            row_of_line = self.row_of_line.copy()
            return Places(self.kind_of_line, row_of_line, self.pairs, row_kinds, line_kinds)
        beside = np.column_stack([np.arange(row_kinds), np.full(row_kinds, line_kinds)])
        return Places(
            np.concatenate([self.kind_of_line, np.full(len(out), line_kinds)]),
            np.concatenate([self.row_of_line, out]),
            np.concatenate([self.pairs, beside]),
            row_kinds,
            line_kinds + 1,
        )

    def is_true(self) -> bool:
        """Whether every line is true of a row of its own. Cost: a sort of the pairs."""
        kinds = int(self.kind_of_line.max(initial=-1)) + 1
        fit = np.sort(self.pairs[:, 0] * kinds + self.pairs[:, 1])
        used = self.kind_of_row[self.row_of_line] * kinds + self.kind_of_line
        place = np.minimum(np.searchsorted(fit, used), max(len(fit) - 1, 0))
        once = len(np.unique(self.row_of_line)) == len(self.row_of_line)
        return once and (not used.size or bool((fit[place] == used).all()))


def numbered(rows: Ints) -> Ints:
    """Number the distinct rows of an array; the number of each row, in the order of its cells.

    Cost: a sort of one number per row, and one more whenever numbers grow too large.
    """
    keys, widest = np.zeros(len(rows), np.int64), 1
    for column in rows.T:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if widest * (high - low + 1) > _WIDEST:
            keys = np.unique(keys, return_inverse=True)[1].ravel().astype(np.int64)
            widest = len(keys)
        keys = keys * (high - low + 1) + (column - low)
        widest *= high - low + 1
    return np.unique(keys, return_inverse=True)[1].ravel().astype(np.int64)


def match_lines(opened: Opened, table: PublishedTable, original: str) -> Matching | None:
    """Match the lines of a table, which is known to be truthful; ``None`` if there is too much.

    Cost: that of truthfulness once more, and a number per cell of both sides.
    """
    fitting = fitting_of(opened, table, original)
    pairs = candidates(fitting)
    if pairs is None:
        return None
    rows, lines = number_every_row(opened, table, original)
    kind_of_row = _kinds(fitting.supply.numbers, rows)
    kind_of_line = _kinds(fitting.demand.numbers, lines)
    given = units(pairs, fitting.supply.count, fitting.demand.count)
    row_of_line = deal(pairs, given, kind_of_row, kind_of_line)
    return Matching(kind_of_row, kind_of_line, lines, pairs, row_of_line)


def _kinds(known: Ints, rows: Ints) -> Ints:
    """Which of the distinct rows each row is."""
    inverse = numbered(np.vstack([known, rows]))
    place = np.empty(len(known), np.int64)
    place[inverse[: len(known)]] = np.arange(len(known))
    found: Ints = place[inverse[len(known) :]]
    return found


def deal(pairs: Ints, given: Ints, group_of_row: Ints, group_of_line: Ints) -> Ints:
    """Give each line a row of its own; the row of each line.

    Parameters
    ----------
    pairs
        Two columns: a group of rows and a group of lines.
    given
        How many rows of the one go to lines of the other, which together are all lines.
    group_of_row, group_of_line
        The group of each row and line.
    """
    groups = np.repeat(pairs, given, axis=0)
    row_of_line = np.empty(len(group_of_line), np.int64)
    row_of_line[_one_each(groups[:, 1], group_of_line)] = _one_each(groups[:, 0], group_of_row)
    return row_of_line


def _one_each(wanted: Ints, group: Ints) -> Ints:
    """For each group that is named a member of it, no member twice."""
    count = int(group.max(initial=-1)) + 1
    members, asked = Lists.of_groups(group, count), Lists.of_groups(wanted, count)
    found = np.empty(len(wanted), np.int64)
    nth = np.arange(len(wanted)) - np.repeat(asked.start[:-1], np.diff(asked.start))
    found[asked.items] = members.items[members.start[wanted[asked.items]] + nth]
    return found
