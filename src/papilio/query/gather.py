"""Rows of the help table by their place, where the release is in memory.

A rewritten query needs one row of the help table per group that is hit. A join would read the
whole table for them. Rows stand group by group, ascending by hits, so their places are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

_COLUMN = re.compile(r"\bt\.(\w+)")


def columns_of(pieces: Iterable[str]) -> list[str]:
    """Columns of the help table ``t`` that pieces of SQL use."""
    return sorted({name for sql in pieces for name in _COLUMN.findall(sql)})


def starts_of(table: pl.DataFrame, hits: str) -> NDArray[np.int64]:
    """Places of the first row of each group of a help table."""
    return np.flatnonzero(table.get_column(hits).to_numpy() == 1)


def gather(
    table: pl.DataFrame,
    starts: NDArray[np.int64],
    group: str,
    hits: str,
    wanted: pl.DataFrame,
    columns: Iterable[str],
) -> pl.DataFrame | None:
    """Rows of a help table.

    Parameters
    ----------
    table
        The help table.
    starts
        From :func:`starts_of`.
    group, hits
        Names of the columns with groups and hits.
    wanted
        Groups and hits that are sought, as ``g`` and ``hits``.
    columns
        Other columns that are needed.

    Returns
    -------
    polars.DataFrame or None
        ``None`` if the table is not in the order that the format demands; then only a join helps.
    """
    numbers = table.get_column(hits).to_numpy()
    # Several keys may have the same number of hits in a group.
    distinct = wanted.select("g", "hits").unique()
    sought, counts = (distinct.get_column(name).to_numpy() for name in ("g", "hits"))
    if len(sought) and not (
        sought.dtype.kind == "i" and sought.min() >= 1 and sought.max() <= len(starts)
    ):
        return None
    places: NDArray[np.int64] = starts[sought - 1] + counts - 1
    if len(places) and places.max() >= table.height:
        return None
    groups = table.get_column(group).to_numpy()
    if not ((groups[places] == sought).all() and (numbers[places] == counts).all()):
        return None
    names = dict.fromkeys([group, hits, *columns])
    return pl.DataFrame([pl.Series(n, table.get_column(n).to_numpy()[places]) for n in names])


def near_groups(
    hit: pl.DataFrame, rows: pl.DataFrame, group: str, hits: str, keys: Sequence[str]
) -> NDArray[np.int64]:
    """Groups that can hold the smallest or the largest value of any key; no value being NULL.

    Parameters
    ----------
    hit
        Keys, groups and hits.
    rows
        Their rows of the help table, from :func:`gather`.
    group, hits
        Names of the columns of ``rows`` with groups and hits.
    keys
        Names of the columns of ``hit`` with keys.
    """
    both = hit.join(rows, left_on=["g", "hits"], right_on=[group, hits])
    by: list[pl.Expr] = [pl.col(key) for key in keys] or [pl.lit(1)]
    near = pl.lit(False)
    if {"min_lo", "min_hi"} <= set(both.columns):
        near = near | (pl.col("min_lo") <= pl.col("min_hi").min().over(by))
    if {"max_lo", "max_hi"} <= set(both.columns):
        near = near | (pl.col("max_hi") >= pl.col("max_lo").max().over(by))
    return both.filter(near).get_column("g").unique().sort().to_numpy()


def gather_values(
    values: pl.DataFrame, starts: NDArray[np.int64], group: str, groups: NDArray[np.int64]
) -> pl.DataFrame | None:
    """Rows of the table of values that belong to some groups; ``None`` if it has another order."""
    ends = np.append(starts[1:], values.height)
    sizes = (ends - starts)[groups - 1]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = np.repeat(starts[groups - 1], sizes) + within
    found = values[places]
    agree = (found.get_column(group).to_numpy() == np.repeat(groups, sizes)).all()
    return found if agree else None
