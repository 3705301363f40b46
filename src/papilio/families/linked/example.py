"""One person's rows before and after, for a picture.

Which published person is whose is not kept anywhere. It is found again by their sensitive values,
for somebody whose values nobody else has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.known_children import Side, published_side
from papilio.data.link import Snowflake
from papilio.data.table import Role
from papilio.document.text import cell_text, value_text
from papilio.release.release import Release

#: People who are looked at until one can be shown.
_TRIED = 40
#: Published people who are tried for each of them.
_CANDIDATES = 50
#: Rows that fit a picture.
_MOST = 14


@dataclass(frozen=True)
class Node:
    """A row in the picture.

    Attributes
    ----------
    table
        Its table.
    cells
        Names and texts of its quasi-identifiers.
    kept
        Whether it is published.
    children
        Rows that refer to it.
    """

    table: str
    cells: tuple[tuple[str, str], ...]
    kept: bool
    children: tuple[Node, ...]

    @property
    def count(self) -> int:
        """Rows of the tree."""
        return 1 + sum(child.count for child in self.children)


@dataclass(frozen=True)
class ExampleEntity:
    """A person's tree as it was and as it is published."""

    before: Node
    after: Node


def example_entity(release: Release, original: Snowflake) -> ExampleEntity | None:
    """Find a person of legible size whose published tree can be told; ``None`` if there is none."""
    side = published_side(release, original)
    sizes = np.ones(original.person.height, np.int64)
    for place in range(1, len(original.tables)):
        sizes += np.bincount(original.person_of(place), minlength=original.person.height)
    order = np.argsort(np.where(sizes > _MOST, _MOST - sizes, sizes))[::-1]
    search = _Search(release, original, side)
    for person in order[:_TRIED]:
        if 1 < sizes[person] <= _MOST:
            found = search.find(int(person))
            if found is not None:
                return found
    return None


class _Search:
    """Looks for the published rows of a person, table by table."""

    def __init__(self, release: Release, original: Snowflake, side: Side) -> None:
        self.release, self.original, self.side = release, original, side
        self.partner: dict[tuple[int, int], int] = {}
        self.known: dict[tuple[int, int], NDArray[np.bool_]] = {}
        self.texts = [
            [
                tuple(f.get_column(c.name).cast(pl.String) for f in (t.table.frame, frame))
                for c in t.table.columns
                if c.role is not Role.QUASI
            ]
            for t, frame in ((t, release.frames[t.name]) for t in original.tables)
        ]

    def find(self, person: int) -> ExampleEntity | None:
        """Try the published people who may be this one."""
        self.known = {}
        for candidate in np.flatnonzero(self._may_be(0, person))[:_CANDIDATES]:
            self.partner = {}
            if self._match(0, person, int(candidate)):
                return ExampleEntity(self._before(0, person), self._after(0, int(candidate)))
        return None

    def _may_be(self, place: int, row: int) -> NDArray[np.bool_]:
        """Published rows that may be a row of the original, by cells and by values."""
        if (place, row) not in self.known:
            fits = np.ones(self.side.heights[place], bool)
            for each in self.side.fits[place]:
                fits &= each(row)
            for source, cells in self.texts[place]:
                value = source[row]
                same = cells.is_null() if value is None else (cells == value).fill_null(value=False)
                fits &= same.to_numpy()
            self.known[place, row] = fits
        return self.known[place, row]

    def _match(self, place: int, row: int, other: int) -> bool:
        """Pair the rows below, each published one with a row of the original."""
        self.partner[place, row] = other
        for below, table in enumerate(self.original.tables):
            if below and self.original.above(below) == place:
                waiting = set(np.flatnonzero(self.side.up[below] == other).tolist())
                for child in np.flatnonzero(table.up == row).tolist():
                    fits = self._may_be(below, child)
                    taken = next(
                        (c for c in sorted(waiting) if fits[c] and self._match(below, child, c)),
                        None,
                    )
                    waiting -= {taken}
                if waiting:
                    return False
        return True

    def _before(self, place: int, row: int) -> Node:
        table = self.original.tables[place].table
        cells = tuple(
            (c.name, value_text(table.frame.get_column(c.name)[row]))
            for c in table.with_role(Role.QUASI)
        )
        children = tuple(
            self._before(below, child)
            for below, each in enumerate(self.original.tables)
            if below and self.original.above(below) == place
            for child in np.flatnonzero(each.up == row).tolist()
        )
        return Node(table.name, cells, (place, row) in self.partner, children)

    def _after(self, place: int, row: int) -> Node:
        table = self.original.tables[place].table
        line = self.release.frames[table.name][row]
        types = dict(zip(table.frame.columns, table.frame.dtypes, strict=True))
        cells = tuple(
            (c.name, cell_text(c, line, types[c.name]))
            for c in self.release.manifest.table(table.name).columns
            if c.role == Role.QUASI
        )
        children = tuple(
            self._after(below, partner)
            for below in range(1, len(self.original.tables))
            if self.original.above(below) == place
            for (where, _), partner in sorted(self.partner.items())
            if where == below and self.side.up[below][partner] == row
        )
        return Node(table.name, cells, True, children)
