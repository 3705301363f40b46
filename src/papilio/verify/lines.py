"""The first lines of published tables, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify.line_chance import Ints
from papilio.verify.opened import Opened

#: Most lines of a table that are looked at: the first ones of its first file.
LOOKED_AT = 1 << 14


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines of one table.

    Attributes
    ----------
    table
        The table, as described.
    frame
        Its first lines, all published columns.
    """

    table: PublishedTable
    frame: pl.DataFrame

    @property
    def place(self) -> Ints:
        """Number of each line, from 0."""
        return np.arange(self.frame.height, dtype=np.int64)

    @property
    def none(self) -> Ints:
        """One block for all lines."""
        return np.zeros(self.frame.height, np.int64)

    @property
    def cut(self) -> bool:
        """Whether there may be more lines than these."""
        return self.frame.height >= LOOKED_AT or self.frame.height < self.table.rows

    def ranks(self, published: str) -> Ints:
        """Rank of each cell of a published column; equal cells have equal ranks, NULL has 0."""
        series = self.frame.get_column(published)
        return series.rank("dense").fill_null(0).to_numpy().astype(np.int64)

    def columns(self, *roles: str) -> list[PublishedColumn]:
        """Columns with one of these roles that are read as such: no numbers of groups or hits."""
        own = ("group", "hits", "bounds")
        return [c for c in self.table.columns if c.role in roles and c.cells not in own]


def read_lines(opened: Opened, table: str) -> Lines:
    """Read the first lines of a table; once for all checks."""
    if ("lines", table) not in opened.kept:
        described = opened.manifest.table(table)
        names = list(dict.fromkeys(n for c in described.columns for n in c.published))
        frame = pl.DataFrame(opened.lines(table, names, LOOKED_AT))
        opened.kept["lines", table] = Lines(described, frame)
    lines: Lines = opened.kept["lines", table]
    return lines


def numbered(height: int, ranks: Iterable[Ints]) -> Ints:
    """Number lines so that those with equal ranks in all columns have the same number."""
    numbers = np.zeros(height, np.int64)
    for each in ranks:
        together = numbers * (int(each.max(initial=0)) + 1) + each
        numbers = np.unique(together, return_inverse=True)[1].astype(np.int64)
    return numbers


def classes_of(lines: Lines) -> Ints:
    """Class of each line: equal cells on all quasi-identifiers."""
    published = [name for column in lines.columns("quasi") for name in column.published]
    return numbered(lines.frame.height, map(lines.ranks, published))


def stand_together(block: Ints) -> bool:
    """Whether lines of a block follow one another."""
    return int((np.diff(block) != 0).sum()) + 1 == len(np.unique(block))


def starts_of(block: Ints) -> Ints:
    """First line of each block, if they stand together."""
    return np.flatnonzero(np.diff(block, prepend=block[:1] - 1)).astype(np.int64)
