"""A release beside its original, both in numbers: what most attacks begin with, made once.

Several attacks look at the same columns of the same two tables. Between :func:`keeping_looks` and
its end each column is numbered once, whoever asks for it; nothing is kept longer than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from papilio.attack.result import ORIGINAL, confront
from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.cells import has_bounds
from papilio.verify.cover import Cover
from papilio.verify.fitting import Fitting, fitting_of, is_readable
from papilio.verify.numbering import Side, bounds_of, number_every_row, texts_of, values_of
from papilio.verify.opened import Opened
from papilio.verify.whose_lines import numbered as numbers_of_rows

Ints = NDArray[np.int64]
Made = TypeVar("Made")
_KEPT: ContextVar[dict[Any, tuple[tuple[object, ...], Any]] | None] = ContextVar(
    "looks", default=None
)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of both sides in numbers, as :mod:`papilio.verify.numbering` gives them.

    Attributes
    ----------
    described
        What the manifest says of it.
    values, cells
        Number of the value of each row of the original, and of the cell of each published row; of
        cells that are values, the number of the value.
    known
        Distinct values of the original without NULL, in the order of their numbers.
    bounds, texts
        Distinct cells, in the order of their numbers: smallest value, largest value and "may be
        NULL" of those with bounds, or one text; both are empty of a column of values.
    cover
        What the distinct cells allow; ``None`` of a column of values.
    """

    described: PublishedColumn
    values: Ints
    cells: Ints
    known: NDArray[Any]
    bounds: tuple[Any, ...]
    texts: tuple[str | None, ...]
    cover: Cover | None


@dataclass(frozen=True, eq=False)
class Look:
    """Some columns of a release and of its original in numbers, row by row."""

    columns: tuple[Numbers, ...]

    @cached_property
    def values(self) -> Ints:
        """A line of numbers for each row of the original, in its order."""
        return np.column_stack([each.values for each in self.columns])

    @cached_property
    def cells(self) -> Ints:
        """A line of numbers for each published row, in their order."""
        return np.column_stack([each.cells for each in self.columns])

    @cached_property
    def fitting(self) -> Fitting:
        """Distinct rows of both sides, and what the cells allow."""
        covers = [each.cover for each in self.columns]
        return Fitting(side_of(self.values), side_of(self.cells), covers)


def look(release: Release, table: PublishedTable, original: Table, names: Sequence[str]) -> Look:
    """Number columns of a published table and of the table it was made from, in this order.

    Raises
    ------
    ReleaseError
        If the release does not have one of these columns, or cells nobody can read.

    Notes
    -----
    Cost: a few passes in SQL over the columns that nobody asked for before.
    """
    memo, of = _KEPT.get(), (release, original.frame)
    memo = {} if memo is None else memo
    keys = {name: (table.name, name) for name in names}
    missing = [name for name, key in keys.items() if not _same(memo.get(key), of)]
    for made in _numbered(release, table, original, missing):
        memo[keys[made.described.name]] = of, made
    return Look(tuple(memo[keys[name]][1] for name in names))


def _numbered(
    release: Release, table: PublishedTable, original: Table, names: Sequence[str]
) -> Iterator[Numbers]:
    if not names:
        return
    there = [name for name in names if name in original.frame.columns]
    with confront(release, original.frame.select(there)) as opened:
        asked = restricted(opened, table, names)
        covers = fitting_of(opened, asked, ORIGINAL).covers
        values, cells = number_every_row(opened, asked, ORIGINAL)
        for place, column in enumerate(asked.columns):
            bounded, published = has_bounds(column), column.cells == "value"
            yield Numbers(
                column,
                values[:, place],
                cells[:, place],
                values_of(opened, place),
                tuple(bounds_of(opened, place)) if bounded else (),
                () if bounded or published else tuple(texts_of(opened, place)),
                covers[place],
            )


def restricted(opened: Opened, table: PublishedTable, names: Sequence[str]) -> PublishedTable:
    """Describe a table as if it had some columns only, in this order."""
    by_name = {column.name: column for column in table.columns}
    return replace(table, columns=tuple(_readable(opened, by_name, name) for name in names))


def _readable(opened: Opened, by_name: dict[str, PublishedColumn], name: str) -> PublishedColumn:
    if name not in by_name:
        raise ReleaseError(f"the release has no column '{name}'", reason="no-column")
    if not is_readable(opened, by_name[name]):
        raise ReleaseError(f"cells of an unknown kind in '{name}'", reason="unknown-cells")
    return by_name[name]


def distinct(numbers: Ints) -> tuple[Ints, Ints]:
    """Distinct rows in ascending order, and the place of each row among them."""
    which = numbers_of_rows(numbers)
    first = np.zeros(int(which.max(initial=-1)) + 1, np.int64)
    first[which] = np.arange(len(which))
    return numbers[first], which


def side_of(numbers: Ints) -> Side:
    """Distinct rows, and how often each occurs."""
    rows, which = distinct(numbers)
    return Side(rows, np.bincount(which, minlength=len(rows)).astype(np.int64))


@contextmanager
def keeping_looks() -> Iterator[None]:
    """Keep what is found out about a release and its original, for the next attack that asks."""
    token = _KEPT.set({} if _KEPT.get() is None else _KEPT.get())
    try:
        yield
    finally:
        _KEPT.reset(token)


def kept(key: tuple[object, ...], of: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """Make something, or give what was made of the same objects under this key before.

    It is kept while looks are, and until something else is made under the same key.
    """
    memo = _KEPT.get()
    if memo is None:
        return make()
    if not _same(memo.get(key), of):
        memo[key] = of, make()
    found: Made = memo[key][1]
    return found


def _same(found: tuple[tuple[object, ...], Any] | None, of: tuple[object, ...]) -> bool:
    return found is not None and all(a is b for a, b in zip(found[0], of, strict=True))
