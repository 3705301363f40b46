"""Match published people with people of the original, tree by tree; for few people."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.fitting import fitting_of
from papilio.verify.matching import matched
from papilio.verify.numbering import number_rows
from papilio.verify.opened import Opened

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
