"""Whether linked tables are true of the original.

*Paths*: a row with all rows above it, up to the person, is a path. For each table, the published
paths are matched one to one with original ones so that every generalised cell covers the original
value and every other cell equals it: nothing is invented, and no row has changed its person as far
as labels tell. This is condition 3 of definition 4 of the paper, waived for rows that were removed.

*Entities*: where there are few people, whole trees are matched: each published person with a person
of the original whose tree has, for every published row, a row of its own that fits, under the row
that fits the row above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.fitting import fitting_of, fitting_pairs, is_readable, matched
from papilio.verify.integrity import family
from papilio.verify.linked_links import ordered
from papilio.verify.numbering import number_rows
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding

#: Number of a row; a blank in it keeps it apart from published columns.
_ID = '"papilio id"'


def match_entities(opened: Opened, original: str, tables: list[PublishedTable]) -> int:
    """How many published people can be matched with people of the original, each with another.

    Parameters
    ----------
    original
        As for :func:`papilio.verify.linked.judge_linked`.
    tables
        The tables, the person table first, each after the one it hangs off.

    Notes
    -----
    A published row fits an original one if its cells do and the rows below it can be matched with
    rows below the original one that they fit. Cost: a matching for each pair of rows whose cells
    fit.
    """
    fits: dict[str, NDArray[np.bool_]] = {}
    for table in reversed(tables):
        fit = _cells_fit(opened, original, table)
        for below in tables:
            if below.parent is not None and table.name in below.parent:
                _require(fit, fits[below.name], *_links(opened, original, table, below))
        fits[table.name] = fit
    people = fits[tables[0].name]
    pairs = np.argwhere(people.T)
    one = np.ones(1, np.int64)
    return matched(pairs, np.repeat(one, people.shape[1]), np.repeat(one, people.shape[0]))


def _cells_fit(opened: Opened, original: str, table: PublishedTable) -> NDArray[np.bool_]:
    """Whether each published row (line) may be each original row (column), by its cells alone."""
    source = f"{original} {table.name}"
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(source)}")
    fit = np.ones((table.rows, count), bool)
    for column in table.columns:
        if column.role not in ("key", "parent") and table.rows:
            single = PublishedTable(table.name, (column,), table.rows)
            fit &= _column_fits(opened, single, source)
    return fit


def _column_fits(opened: Opened, table: PublishedTable, source: str) -> NDArray[np.bool_]:
    """The same by the only column of a table."""
    cover = fitting_of(opened, table, source).covers[0]
    values, cells = number_rows(opened, table, source)
    if cover is None:
        equal: NDArray[np.bool_] = cells[:, None] == values[None, :]
        return equal
    lines, columns = np.indices((len(cells), len(values)))
    allowed = cover.allows(cells[lines.ravel()], values[columns.ravel()])
    return allowed.reshape(len(cells), len(values))


def _links(
    opened: Opened, original: str, table: PublishedTable, below: PublishedTable
) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each row of ``below``, the row of ``table`` it belongs to: published, and original."""
    assert below.parent is not None  # noqa: S101 - it hangs off a table
    up = next(iter(below.parent.values()))
    (published,) = opened.arrays(
        f"SELECT p.{_ID} - 1 AS line FROM "
        f"(SELECT row_number() OVER () AS {_ID}, {sql.name(up)} AS up "
        f"FROM {sql.name(below.name)}) AS b JOIN "
        f"(SELECT row_number() OVER () AS {_ID}, {sql.name(str(table.key))} AS key "
        f"FROM {sql.name(table.name)}) AS p ON b.up = p.key ORDER BY b.{_ID}"
    )
    (source,) = opened.arrays(
        f"SELECT papilio_up FROM {sql.name(f'{original} {below.name}')} ORDER BY papilio_row"
    )
    return np.asarray(published), np.asarray(source)


def _require(
    fit: NDArray[np.bool_],
    below: NDArray[np.bool_],
    published_up: NDArray[Any],
    original_up: NDArray[Any],
) -> None:
    """Take back pairs whose rows below cannot be matched."""
    for line, column in np.argwhere(fit):
        mine, theirs = np.flatnonzero(published_up == line), np.flatnonzero(original_up == column)
        if not len(mine):
            continue
        pairs = np.argwhere(below[np.ix_(mine, theirs)].T)
        ones = np.ones(max(len(mine), len(theirs)), np.int64)
        fit[line, column] = len(mine) <= len(theirs) and (
            matched(pairs, ones[: len(theirs)], ones[: len(mine)]) == len(mine)
        )


#: Most pairs of an original and a published path it may be that are kept.
_LIMIT = 40_000_000
#: Most blocks of comparisons made to find them.
_BLOCKS = 400_000
#: Whole trees are matched for up to so many people, and as many rows of a table.
_FEW = 300
_DEMANDED = "every published row, with the rows above it, is true of an original row of its own"


def check_paths(opened: Opened, original: str) -> Iterator[Finding]:
    """Check every table, each row with all rows above it, against the original."""
    for table in ordered(opened):
        yield _check_table(opened, table, original)


def _check_table(opened: Opened, table: PublishedTable, original: str) -> Finding:
    claim = f"truthfulness of {table.name}"
    faults = column_faults(opened, _path(opened, table), original)
    if faults:
        return finding(claim, _DEMANDED, "; ".join(faults), holds=False)
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(f'{original} {table.name}')}")
    (published,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    if published > count or (table.parent is None and published < count):
        measured = f"{count} rows in the original, {published} published"
        return finding(claim, _DEMANDED, measured, holds=False)
    path = _path(opened, table)
    described = _published_paths(opened, path)
    unknown = [c.name for c in described.columns if not is_readable(opened, c)]
    if unknown:
        measured = f"cells of an unknown kind in {', '.join(unknown)}"
        return Finding(claim, _DEMANDED, measured, Status.NOT_CHECKED)
    served = _served(opened, described, _original_paths(opened, path, original))
    if served is None:
        measured = "published rows overlap too much to decide which is whose"
        return Finding(claim, _DEMANDED, measured, Status.NOT_CHECKED)
    share = table.left_out_at_most
    measured = f"{served} of {published} rows can be matched"
    limit = share >= 1 or count - published <= share * count + 1e-9
    measured += "" if limit else "; more rows are missing than may be"
    return finding(claim, _DEMANDED, measured, served == published and limit)


def column_faults(opened: Opened, tables: list[PublishedTable], original: str) -> list[str]:
    """In what columns of tables differ from those of the original."""
    return [f for t in tables for f in _column_faults(opened, t, f"{original} {t.name}")]


def _column_faults(opened: Opened, table: PublishedTable, original: str) -> list[str]:
    types = opened.types(original)
    own = [name for name in types if not name.startswith("papilio_")]
    published = {c.name: c.type for c in table.columns if c.role not in ("key", "parent")}
    faults = [f"'{name}' is not in the original" for name in published if name not in own]
    faults += [f"'{name}' is not published" for name in own if name not in published]
    return faults + [
        f"'{name}' is not {published[name]} in the original"
        for name in own
        if name in published and family(types[name]) != published[name]
    ]


def _path(opened: Opened, table: PublishedTable) -> list[PublishedTable]:
    """Tables from the person down to one."""
    path = [table]
    while path[0].parent is not None:
        path.insert(0, opened.manifest.table(next(iter(path[0].parent))))
    return path


def _published_paths(opened: Opened, path: list[PublishedTable]) -> PublishedTable:
    view = f"papilio paths of {path[-1].name}"
    parts, columns = [], []
    for i, table in enumerate(path):
        for column in table.columns:
            if column.role not in ("key", "parent"):
                names = tuple(f"{i}.{name}" for name in column.published)
                columns.append(replace(column, name=f"{i}.{column.name}", published=names))
                parts += [
                    f"t{i}.{sql.name(old)} AS {sql.name(new)}"
                    for old, new in zip(column.published, names, strict=True)
                ]
    joins = [f"{sql.name(path[0].name)} AS t0"]
    for i, table in enumerate(path[1:], 1):
        assert table.parent is not None  # noqa: S101 - only the person table has none
        up, key = next(iter(table.parent.values())), str(path[i - 1].key)
        joins.append(
            f"JOIN {sql.name(table.name)} AS t{i} ON t{i}.{sql.name(up)} = t{i - 1}.{sql.name(key)}"
        )
    # A table of keys alone has nothing to compare but that its rows are there.
    parts, columns = _or_nothing(parts, columns)
    opened.execute(
        f"CREATE OR REPLACE TEMP TABLE {sql.name(view)} AS SELECT {', '.join(parts)} "
        f"FROM {' '.join(joins)}"
    )
    return PublishedTable(view, tuple(columns), path[-1].rows)


def _or_nothing(
    parts: list[str], columns: list[PublishedColumn]
) -> tuple[list[str], list[PublishedColumn]]:
    if columns:
        return parts, columns
    return ["1 AS nothing"], [PublishedColumn("nothing", "plain", "numeric", "value", ("nothing",))]


def _original_paths(opened: Opened, path: list[PublishedTable], original: str) -> str:
    view = f"{original} paths of {path[-1].name}"
    parts, joins = [], []
    for i, table in enumerate(path):
        source = sql.name(f"{original} {table.name}")
        own = [c.name for c in table.columns if c.role not in ("key", "parent")]
        parts += [f"t{i}.{sql.name(name)} AS {sql.name(f'{i}.{name}')}" for name in own]
        link = f" ON t{i}.papilio_up = t{i - 1}.papilio_row" if i else ""
        joins.append(f"{'JOIN ' if i else ''}{source} AS t{i}{link}")
    listed = ", ".join(parts) or "1 AS nothing"
    opened.execute(
        f"CREATE OR REPLACE TEMP TABLE {sql.name(view)} AS SELECT {listed} FROM {' '.join(joins)}"
    )
    return view


def _served(opened: Opened, table: PublishedTable, original: str) -> int | None:
    """Rows of ``table`` that find an original of their own; ``None`` if there are too many ways."""
    fitting = fitting_of(opened, table, original)
    found, total = [np.empty((0, 2), np.int64)], 0
    for block, (some, boxes) in enumerate(fitting_pairs(fitting)):
        found.append(np.column_stack([some, boxes]))
        total += len(some)
        if total > _LIMIT or block > _BLOCKS:
            return None
    return matched(np.concatenate(found), fitting.supply.count, fitting.demand.count)


def check_entities(opened: Opened, original: str) -> Iterator[Finding]:
    """Match whole trees, where there are few people."""
    tables = ordered(opened)
    if any(table.rows > _FEW for table in tables):
        return
    counts = [
        opened.row(f"SELECT count(*) FROM {sql.name(f'{original} {t.name}')}") for t in tables
    ]
    if any(count > _FEW for (count,) in counts):
        return
    served = match_entities(opened, original, tables)
    demanded = "every published person's tree is part of the tree of a person of their own"
    measured = f"{served} of {tables[0].rows} people can be matched"
    yield finding("entities", demanded, measured, served == tables[0].rows)
