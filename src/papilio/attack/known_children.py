"""Linkage by known rows: who fits one, two or three things somebody knows about a person.

Section 3 of Nergiz, Clifton, Nergiz (ICDE 2007) shows why joined or separately anonymised tables
fail here: each row may hide among others while two rows together single a person out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.result import AttackResult, Exposed
from papilio.data.hierarchy.build import leaf_codes, tree_of
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.link import Snowflake
from papilio.data.table import Column, Role
from papilio.errors import ReleaseError
from papilio.measure.read_cells import read_ranges, read_sets
from papilio.policy.policy import Policy
from papilio.randomness import Randomness, sampling
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release

#: From a row of the original to the published rows whose cell may be its value.
Covering = Callable[[int], NDArray[np.bool_]]


def equal_to(source: pl.Series) -> Covering:
    """Rows of the original itself that have the value of a row; NULL is a value."""
    codes = source.to_frame("v").select(pl.col("v").rank("dense").fill_null(0)).to_series()
    numbers = codes.to_numpy()
    return lambda row: numbers == numbers[row]


def covering(
    column: PublishedColumn, cells: pl.DataFrame, described: Column, source: pl.Series
) -> Covering:
    """Published rows whose cell covers the value that a row of the original has.

    Parameters
    ----------
    column, cells
        A generalised column and the published table.
    described, source
        The column of the original.
    """
    if column.cells == "range":
        return _ranges(column, cells, source)
    if column.cells == "node":
        return _nodes(cells.get_column(column.published[0]), described, source)
    return _sets(column, cells.get_column(column.published[0]), source)


def _ranges(column: PublishedColumn, cells: pl.DataFrame, source: pl.Series) -> Covering:
    ranges = read_ranges(column, cells, source.dtype)
    low, high = (_numbers(each) for each in (ranges.low, ranges.high))
    null, values = ranges.null.to_numpy(), _numbers(source)

    def fits(row: int) -> NDArray[np.bool_]:
        value = values[row]
        return null if np.isnan(value) else (low <= value) & (value <= high)

    return fits


def _numbers(series: pl.Series) -> NDArray[np.float64]:
    return series.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()


def _nodes(cells: pl.Series, described: Column, source: pl.Series) -> Covering:
    tree = tree_of(described, source)
    nodes = nodes_of_labels(tree, cells.to_list())
    codes = leaf_codes(tree, source)
    return lambda row: (tree.first[nodes] <= codes[row]) & (codes[row] <= tree.last[nodes])


def _sets(column: PublishedColumn, cells: pl.Series, source: pl.Series) -> Covering:
    distinct = cells.unique(maintain_order=True)
    place: dict[Any, int] = {cell: number for number, cell in enumerate(distinct)}
    which = np.array([place[cell] for cell in cells.to_list()], np.int64)
    members = [set(each) for each in read_sets(column, distinct)]
    texts = source.cast(pl.String)

    def fits(row: int) -> NDArray[np.bool_]:
        value = texts[row]
        return np.array([value in each for each in members], bool)[which]

    return fits


Ints = NDArray[np.int64]
#: A row of the original: the place of its table, and its number.
Fact = tuple[int, int]
#: People who are tried.
_PEOPLE = 200
#: Rows the attacker knows.
_KNOWN = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class Side:
    """The original, or what is published, as somebody looks at it who knows some rows.

    Attributes
    ----------
    up
        Per table, the row of the table above of each row.
    above
        Per table, the place of the table above; -1 for people.
    fits
        Per table and quasi-identifier, which rows may have the value of a row of the original.
    heights
        Rows of each table.
    """

    up: list[Ints]
    above: list[int]
    fits: list[list[Covering]]
    heights: list[int]

    def person_of(self, place: int) -> Ints:
        """Person each row of a table belongs to."""
        if place == 0:
            return np.arange(self.heights[0])
        return self.person_of(self.above[place])[self.up[place]]


def known_children(release: Release, original: Snowflake, policy: Policy) -> Iterator[AttackResult]:
    """Try random people: how many fit what is known of them, in the original and in the release.

    The attacker knows all quasi-identifiers of the person's own row and one, two or three of their
    rows in other tables with the rows between. They take it that known rows were not removed;
    where they were, nobody or only others may fit.
    """
    before, after = original_side(original), published_side(release, original)
    randomness = sampling()
    people = randomness.permutation(original.person.height)[:_PEOPLE]
    rows = _rows_of(original)
    for known in _KNOWN:
        tried = [
            (int(person), _drawn(rows[person], known, randomness))
            for person in people
            if len(rows[person]) >= known
        ]
        if tried:
            yield _result(known, tried, original, before, after, policy.privacy.k or 1)


def original_side(original: Snowflake) -> Side:
    """The original itself: rows fit if they have the same values."""
    fits = [
        [equal_to(t.table.frame.get_column(c.name)) for c in t.table.with_role(Role.QUASI)]
        for t in original.tables
    ]
    above = [original.above(place) for place in range(len(original.tables))]
    return Side([t.up for t in original.tables], above, fits, [t.height for t in original.tables])


def published_side(release: Release, original: Snowflake) -> Side:
    """What is published: rows fit if their cells may have the values."""
    up, fits, heights = [], [], []
    for each in original.tables:
        frame = release.frames[each.name]
        described = {column.name: column for column in each.table.columns}
        fits.append(
            [
                covering(c, frame, described[c.name], each.table.frame.get_column(c.name))
                for c in release.manifest.table(each.name).columns
                if c.role == Role.QUASI
            ]
        )
        heights.append(frame.height)
        up.append(_published_up(release, each.name))
    above = [original.above(place) for place in range(len(original.tables))]
    return Side(up, above, fits, heights)


def candidates(side: Side, original: Snowflake, person: int, facts: list[Fact]) -> int:
    """How many people fit: their own row, and a different row of theirs for each fact.

    A choice of different rows exists exactly if every set of facts has, together, at least as many
    rows that fit one of them (Hall).
    """
    fitting = _own(side, 0, person)
    by_table: dict[int, list[int]] = {}
    for place, row in facts:
        by_table.setdefault(place, []).append(row)
    for place, rows in by_table.items():
        people = side.person_of(place)
        masks = [_path_fits(side, original, place, row) for row in rows]
        for size in range(1, len(masks) + 1):
            for some in combinations(masks, size):
                either = np.logical_or.reduce(some)
                count = np.bincount(people[either], minlength=side.heights[0])
                fitting &= count >= size
    return int(fitting.sum())


def _own(side: Side, place: int, row: int) -> NDArray[np.bool_]:
    fits = np.ones(side.heights[place], bool)
    for each in side.fits[place]:
        fits &= each(row)
    return fits


def _path_fits(side: Side, original: Snowflake, place: int, row: int) -> NDArray[np.bool_]:
    """Rows that may be a row of the original, together with the rows above but for the person."""
    fits = _own(side, place, row)
    above = original.above(place)
    if above > 0:
        over = _path_fits(side, original, above, int(original.tables[place].up[row]))
        fits &= over[side.up[place]]
    return fits


def _published_up(release: Release, name: str) -> Ints:
    table = release.manifest.table(name)
    if table.parent is None:
        return np.empty(0, np.int64)
    ((above, column),) = table.parent.items()
    keys = release.frames[above].get_column(str(release.manifest.table(above).key))
    references = release.frames[name].get_column(column)
    _check_keys(keys, references)
    row = np.empty(keys.len() + 1, np.int64)
    row[keys.to_numpy()] = np.arange(keys.len())
    up: Ints = row[references.to_numpy()]
    return up


def _check_keys(keys: pl.Series, references: pl.Series) -> None:
    """Refuse keys that are not numbered as those of a release are, and references to none."""
    whole = all(each.dtype.is_integer() and not each.null_count() for each in (keys, references))
    numbered = whole and keys.is_between(0, keys.len()).all() and keys.is_unique().all()
    if not numbered or not references.is_in(keys.implode()).all():
        raise ReleaseError(
            "keys of the linked tables do not fit together; see papilio verify",
            reason="not-as-described",
        )


def _rows_of(original: Snowflake) -> list[list[Fact]]:
    """Rows of each person in other tables."""
    rows: list[list[Fact]] = [[] for _ in range(original.person.height)]
    for place in range(1, len(original.tables)):
        if original.tables[place].table.with_role(Role.QUASI):
            for row, person in enumerate(original.person_of(place).tolist()):
                rows[person].append((place, row))
    return rows


def _drawn(rows: list[Fact], known: int, randomness: Randomness) -> list[Fact]:
    return [rows[i] for i in randomness.permutation(len(rows))[:known]]


def _result(
    known: int,
    tried: list[tuple[int, list[Fact]]],
    original: Snowflake,
    before: Side,
    after: Side,
    k: int,
) -> AttackResult:
    old = np.array([candidates(before, original, *each) for each in tried])
    new = np.array([candidates(after, original, *each) for each in tried])
    found = new[new > 0]
    alone = int((old == 1).sum())
    few = int(((new > 0) & (new < k)).sum())
    sentence = (
        f"Of {len(tried)} people, {alone or 'nobody'} would be singled out in the original and "
        f"{int((new == 1).sum()) or 'nobody'} in the release; there fewer than {k} people fit for "
        f"{few or 'nobody'}."
    )
    return AttackResult(
        "known_children",
        f"someone who knows a person's own columns and {known} of their rows in other tables",
        sentence,
        {
            "known": known,
            "tried": len(tried),
            "alone_before": alone,
            "alone_after": int((new == 1).sum()),
            "median_before": float(np.median(old)),
            "median_after": float(np.median(new)),
            "least_after": int(found.min()) if len(found) else 0,
            "nobody_after": int((new == 0).sum()),
        },
        (_exposed(max(few, int((new == 1).sum())), len(tried), original.person.height),),
    )


def _exposed(number: int, tried: int, people: int) -> Exposed:
    return Exposed(number, tried, drawn_from=people if people > _PEOPLE else None)
