"""The first lines of published tables, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl

from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.cells import has_bounds
from papilio.verify.integrity import family
from papilio.verify.line_chance import Ints
from papilio.verify.opened import WORK, Opened

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


#: Most pairs of a line and an original row that are compared.
_PAIRS = 400_000_000
#: Lines that are looked at even if that makes more.
_LEAST = 400
#: A published table, the view its rows come from, and what numbers the rows of that view.
Rows: TypeAlias = tuple[PublishedTable, str, str]
_IN_ORDER = "row_number() OVER ()"


def sources_of(opened: Opened, rows: Iterable[Rows]) -> dict[str, Ints]:
    """Give each of the first lines the mean place of the original rows that it may be.

    Where it can only be one, this is its source row. Columns that are published as they were must
    be equal, and numbers and days between the ends of their ranges; other cells are not compared.

    Parameters
    ----------
    opened
        The release.
    rows
        Which rows the tables are made of; see :class:`papilio.verify.kinds.Kind`.
    """
    return {
        table.name: _places(opened, table, view, number)
        for table, view, number in rows
        if any(_conditions(opened, table, view))
    }


def rows_of_tables(manifest: Manifest, original: str) -> Iterator[Rows]:
    """Every table is made of the rows of one original."""
    for table in manifest.tables:
        yield table, original, _IN_ORDER


def rows_of_groups(manifest: Manifest, original: str) -> Iterator[Rows]:
    """People and their values are made of the rows of one original; a help table is not."""
    for table in manifest.tables[:2]:
        yield table, original, _IN_ORDER


def rows_of_links(manifest: Manifest, original: str) -> Iterator[Rows]:
    """Every table has an original of its own."""
    for table in manifest.tables:
        yield table, f"{original} {table.name}", "papilio_row"


def rows_of_graph(manifest: Manifest, original: str) -> Iterator[Rows]:
    """Entities of both sides have originals."""
    (claim,) = [each for each in manifest.claims if each.claim == "safe-grouping"]
    for side in ("left", "right"):
        name = claim.parameters[side]
        yield manifest.table(name), f"{original} {side}", '"papilio entity"'


def _conditions(opened: Opened, table: PublishedTable, view: str) -> Iterator[str]:
    """What an original row ``o`` must satisfy to be the line ``l``, whose cells are c0, c1, …."""
    original, published = opened.types(view), opened.types(table.name)
    cells = _cells(table)
    for column in table.columns:
        ends = column.published[:2]
        kinds = [original.get(column.name, ""), *(published[name] for name in ends)]
        if all(family(kind) == column.type for kind in kinds):
            yield from _condition(column, [f"l.c{cells[name]}" for name in ends])


def _cells(table: PublishedTable) -> dict[str, int]:
    """Number of each published column; names of columns could be those of ours."""
    names = dict.fromkeys(name for column in table.columns for name in column.published)
    return {name: number for number, name in enumerate(names)}


def _condition(column: PublishedColumn, ends: list[str]) -> Iterator[str]:
    value = f"o.{sql.name(column.name)}"
    if column.cells == "value" and column.role not in ("key", "parent"):
        yield f"{value} IS NOT DISTINCT FROM {ends[0]}"
    elif has_bounds(column):
        yield f"({value} IS NULL OR {value} BETWEEN {ends[0]} AND {ends[1]})"


def _places(opened: Opened, table: PublishedTable, view: str, number: str) -> Ints:
    lines = read_lines(opened, table.name)
    (rows,) = opened.row(f"SELECT count(*) FROM {sql.name(view)}")
    most = min(lines.frame.height, max(_LEAST, _PAIRS // max(1, int(rows))))
    frame = lines.frame[:most]
    columns = {f"c{i}": frame.get_column(name).to_arrow() for name, i in _cells(table).items()}
    opened.keep_columns("looked_at", {**columns, "line": list(range(most))})
    same = " AND ".join(_conditions(opened, table, view))
    line, mean = opened.arrays(
        f'SELECT l.line, avg(o."papilio number") FROM {WORK}.looked_at AS l JOIN '
        f'(SELECT *, {number} AS "papilio number" FROM {sql.name(view)}) AS o ON {same} '
        f"GROUP BY l.line"
    )
    places = np.full(most, -1, np.int64)
    places[np.asarray(line, np.int64)] = np.unique(mean, return_inverse=True)[1]
    return places
