"""An outside file: somebody joins a real list of people, such as voters, with a release.

The other attacks suppose an attacker who knows the values in the table itself. A real list has its
own people and its own mistakes: some of its people are not in the table, some values are out of
date. How many of its people are left with one row, and how many rows with one of its people, is
what such an attacker sees; how often that is right, only somebody can tell who has a key that list
and table share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.looks import restricted
from papilio.attack.result import (
    ORIGINAL,
    AttackResult,
    Exposed,
    confront,
    k_for,
    people,
    rows,
)
from papilio.data.table import Table
from papilio.data.types import convert
from papilio.errors import DataError
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs, is_readable
from papilio.verify.numbering import Side, number_every_row
from papilio.verify.opened import Opened

NAME = "outside_file"
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OutsideFile:
    """A list of people from elsewhere.

    Attributes
    ----------
    frame
        One line per person, as it was read.
    typed
        Whether its source knows types; if not, all cells are text.
    who
        The recipient who has it; ``None`` for anybody.
    keys
        Key of each person of the list and of each row of the original, as text, if they share one.
    """

    frame: pl.DataFrame
    typed: bool
    who: str | None = None
    keys: tuple[pl.Series, pl.Series] | None = None


def outside_file(
    release: Release, original: Table | object, policy: Policy, file: OutsideFile
) -> Iterator[AttackResult]:
    """Join a list of people with each published table, on all columns that both have.

    A row fits a person if each cell covers the person's value; an empty cell of the list says
    nothing. A recipient uses only columns that they may know.

    Figures: ``people``, people of the list; ``none``, ``one``, ``few``: those whom no row fits, one
    row, and more than one but fewer than k; ``rows``, published rows; ``rows_none``, ``rows_one``,
    ``rows_few``: rows that fit as many people of the list; ``mutual``, people who fit one row that
    fits nobody else; ``learnt: <column>``, people whose rows all say the same value. With a key:
    ``shared``, people of the list who are in the original by their key, and ``right``, those of
    ``one`` whose row also covers everything else that the original has under this key.

    Exposed are people of the list with at least one row and fewer than k.

    Not tried: ruling rows out because they are surely somebody else's; values of the list that are
    nearly those of the table. Of linked tables and graphs, nothing.

    Cost: that of :func:`papilio.verify.fitting.fitting_pairs`, once for each pattern of empty cells
    in the list.

    Raises
    ------
    DataError
        If list and release have no column in common, or cells of the list do not have the type
        that their column has in the release. No cell is shown.
    """
    if not isinstance(original, Table):
        why = (
            "Not tried: a release of several tables or of a graph is not joined with a list; "
            "tables of people are, one at a time."
        )
        yield AttackResult(NAME, "somebody with a list", why)
        return
    tables = [t for t in release.manifest.tables if any(c.role == "quasi" for c in t.columns)]
    for table in tables:
        yield _joined(release, table, original, policy, file, several=len(tables) > 1)


def _joined(
    release: Release,
    table: PublishedTable,
    original: Table,
    policy: Policy,
    file: OutsideFile,
    *,
    several: bool,
) -> AttackResult:
    columns = _common(release, table, original, policy, file)
    names = [column.name for column in columns]
    listed = typed_list(file, original, names)
    with confront(release, listed) as opened:
        asked = restricted(opened, table, names)
        fitting = fitting_of(opened, asked, ORIGINAL)
        persons, cells = number_every_row(opened, asked, ORIGINAL)
    secrets = _secrets(release, table, names)
    found = fits(fitting, persons, cells, secrets)
    k = max((policy.privacy.k if file.who is None else k_for(policy, file.who)) or 2, 2)
    figures = _figures(found, k)
    if file.keys is not None:
        figures |= _truth(release, table, original, found, file.keys)
    who = "somebody" if file.who is None else file.who
    attacker = f"{who} with a list that has {', '.join(names)}"
    if several:
        attacker += f", in {table.name}"
    few = int(figures["one"]) + int(figures["few"])
    total = int(figures["people"])
    exposed = (
        Exposed(few, total),
        *(Exposed(int(figures[f"learnt: {name}"]), total, name) for name in secrets),
    )
    return AttackResult(NAME, attacker, _sentence(figures, k), figures, exposed)


def _common(
    release: Release, table: PublishedTable, original: Table, policy: Policy, file: OutsideFile
) -> list[PublishedColumn]:
    """Columns of a table that the list has too, and that this attacker may use."""
    allowed = None if file.who is None else policy.known[file.who]
    own = {column.name for column in original.columns}
    with confront(release, original.frame.clear()) as opened:
        usable = [c for c in table.columns if c.name in own and is_readable(opened, c)]
    common = [c for c in usable if c.name in file.frame.columns]
    kept = [c for c in common if allowed is None or c.name in allowed]
    if kept:
        return kept
    known = [c.name for c in usable if allowed is None or c.name in allowed]
    raise DataError(
        f"the list has no column of '{table.name}' that can be compared; name at least one as the "
        f"release does: {', '.join(known) or 'there is none'}",
        reason="no-common-column",
    )


def typed_list(file: OutsideFile, original: Table, names: Sequence[str]) -> pl.DataFrame:
    """Some columns of a list in the types of the original.

    Raises
    ------
    DataError
        If cells do not fit; it says where, and no cell.
    """
    types = {column.name: column.type for column in original.columns}
    series = []
    for name in names:
        try:
            series.append(convert(file.frame.get_column(name), types[name], file.typed))
        except DataError as error:
            raise DataError(f"the list: {error}", reason=error.reason) from None
    return pl.DataFrame(series)


def _secrets(release: Release, table: PublishedTable, known: Sequence[str]) -> dict[str, Numbers]:
    """Numbers of the values of sensitive columns that the list does not have, by row."""
    frame = release.frames[table.name]
    return {
        column.name: frame.get_column(column.name)
        .rank("dense")
        .fill_null(0)
        .cast(pl.Int64)
        .to_numpy()
        for column in table.columns
        if column.role == "sensitive" and column.cells == "value" and column.name not in known
    }


@dataclass(frozen=True, eq=False)
class Fits:
    """Who of a list fits which rows.

    Attributes
    ----------
    rows
        How many rows fit each person.
    people
        How many people fit each row.
    only
        A row that fits the person; the only one if there is one.
    alike
        By sensitive column, whether all rows of the person have the same value.
    """

    rows: Numbers
    people: Numbers
    only: Numbers
    alike: Mapping[str, NDArray[np.bool_]]


def fits(
    fitting: Fitting, persons: Numbers, cells: Numbers, secrets: Mapping[str, Numbers]
) -> Fits:
    """Count who fits what, given the numbers of all lines; 0 is an empty cell of the list."""
    counted = np.zeros(len(persons), np.int64)
    back = np.zeros(len(cells), np.int64)
    only = np.full(len(persons), -1, np.int64)
    alike = {name: np.zeros(len(persons), bool) for name in secrets}
    patterns, pattern_of = np.unique(persons != 0, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        mine = np.flatnonzero(pattern_of.ravel() == number)
        found = _pattern(fitting, persons[mine], cells, np.flatnonzero(pattern), secrets)
        counted[mine], only[mine] = found.rows, found.only
        back += found.people
        for name, same in found.alike.items():
            alike[name][mine] = same
    return Fits(counted, back, only, alike)


def _pattern(
    fitting: Fitting,
    persons: Numbers,
    cells: Numbers,
    places: NDArray[np.intp],
    secrets: Mapping[str, Numbers],
) -> Fits:
    """The same for people who have values in the same columns."""
    points, point_of = _distinct(persons[:, places])
    boxes, box_of = _distinct(cells[:, places])
    people_of = np.bincount(point_of, minlength=len(points))
    rows_of = np.bincount(box_of, minlength=len(boxes))
    first = np.zeros(len(boxes), np.int64)
    first[box_of[::-1]] = np.arange(len(cells))[::-1]
    ends = {name: _ends(values, box_of, len(boxes)) for name, values in secrets.items()}
    counted, back = np.zeros(len(points), np.int64), np.zeros(len(boxes), np.int64)
    only = np.full(len(points), -1, np.int64)
    most = np.iinfo(np.int64).max
    low = {name: np.full(len(points), most) for name in secrets}
    high = {name: np.full(len(points), -1) for name in secrets}
    for some, which in _pairs(fitting, points, boxes, places):
        np.add.at(counted, some, rows_of[which])
        np.add.at(back, which, people_of[some])
        only[some] = first[which]
        for name, (least, greatest) in ends.items():
            np.minimum.at(low[name], some, least[which])
            np.maximum.at(high[name], some, greatest[which])
    alike = {name: (low[name] == high[name])[point_of] for name in secrets}
    return Fits(counted[point_of], back[box_of], only[point_of], alike)


def _distinct(lines: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    if not lines.shape[1]:
        # Somebody with empty cells only fits every row.
        return np.zeros((1, 0), np.int64), np.zeros(len(lines), np.intp)
    found, which = np.unique(lines, axis=0, return_inverse=True)
    return found, which.ravel()


def _ends(values: Numbers, box_of: NDArray[np.intp], boxes: int) -> tuple[Numbers, Numbers]:
    low, high = np.full(boxes, np.iinfo(np.int64).max), np.full(boxes, -1)
    np.minimum.at(low, box_of, values)
    np.maximum.at(high, box_of, values)
    return low, high


def _pairs(
    fitting: Fitting, points: Numbers, boxes: Numbers, places: NDArray[np.intp]
) -> Iterator[tuple[Numbers, Numbers]]:
    if not len(places):
        yield np.zeros(1, np.int64), np.zeros(1, np.int64)
        return
    ones = (np.ones(len(each), np.int64) for each in (points, boxes))
    supply, demand = (Side(lines, n) for lines, n in zip((points, boxes), ones, strict=True))
    yield from fitting_pairs(Fitting(supply, demand, [fitting.covers[p] for p in places]))


def _figures(found: Fits, k: int) -> dict[str, int | float]:
    """Sum up; see :func:`outside_file`."""
    one = found.rows == 1
    mutual = one & (found.people[np.maximum(found.only, 0)] == 1)
    return {
        "people": len(found.rows),
        **_counted("", found.rows, k),
        "rows": len(found.people),
        **_counted("rows_", found.people, k),
        "mutual": int(mutual.sum()),
        **{
            f"learnt: {name}": int((same & (found.rows > 0)).sum())
            for name, same in found.alike.items()
        },
    }


def _counted(start: str, counts: Numbers, k: int) -> dict[str, int | float]:
    return {
        f"{start}none": int((counts == 0).sum()),
        f"{start}one": int((counts == 1).sum()),
        f"{start}few": int(((counts > 1) & (counts < k)).sum()),
    }


def _truth(
    release: Release,
    table: PublishedTable,
    original: Table,
    found: Fits,
    keys: tuple[pl.Series, pl.Series],
) -> dict[str, int | float]:
    """How many people of the list are in the original, and how many single matches are theirs."""
    mine, theirs = (
        pl.DataFrame({"key": series.cast(pl.String)}).with_row_index(name).drop_nulls()
        for series, name in zip(keys, ("person", "source"), strict=True)
    )
    shared = mine.join(theirs, on="key")
    one = np.flatnonzero(found.rows == 1)
    matched = pl.DataFrame({"person": one, "row": found.only[one]}).cast({"person": pl.UInt32})
    pairs = matched.join(shared, on="person")
    names = [column.name for column in original.columns]
    with confront(release, original.frame) as opened:
        usable = [c.name for c in table.columns if c.name in names and is_readable(opened, c)]
        right = _covers(
            opened,
            restricted(opened, table, usable),
            pairs["source"].to_numpy().astype(np.int64),
            pairs["row"].to_numpy(),
        )
    whose = pairs.get_column("person").filter(pl.Series(right)).n_unique()
    return {"shared": shared.get_column("person").n_unique(), "right": whose}


def _covers(
    opened: Opened, table: PublishedTable, source: Numbers, row: Numbers
) -> NDArray[np.bool_]:
    """Whether a published row covers all of a row of the original, for pairs of them."""
    fitting = fitting_of(opened, table, ORIGINAL)
    values, cells = number_every_row(opened, table, ORIGINAL)
    right = np.ones(len(source), bool)
    for place, cover in enumerate(fitting.covers):
        own, cell = values[source, place], cells[row, place]
        right &= (own == cell) if cover is None else cover.allows(np.maximum(cell, 0), own)
    return right


def _sentence(figures: Mapping[str, int | float], k: int) -> str:
    total, published = int(figures["people"]), int(figures["rows"])
    said = [
        f"Of {total:,} people in the list, {people(int(figures['none']), total)} fit no row, "
        f"{people(int(figures['one']), total)} fit exactly one, and "
        f"{people(int(figures['few']), total)} more fit fewer than {k}",
        f"of {rows(published)}, {int(figures['rows_none']):,} fit nobody in the list, "
        f"{int(figures['rows_one']):,} exactly one person and {int(figures['rows_few']):,} more "
        f"fewer than {k}; {people(int(figures['mutual']), total)} and a row fit only each other",
    ]
    said += [
        f"if they are in the table, the value of {name.removeprefix('learnt: ')} is learnt of "
        f"{people(int(number), total)}"
        for name, number in figures.items()
        if name.startswith("learnt: ")
    ]
    if "right" in figures:
        said.append(
            f"{int(figures['shared']):,} of the list are in the table by their key, and "
            f"{int(figures['right']):,} of the {int(figures['one']):,} single matches are right"
        )
    return "; ".join(said) + "."
