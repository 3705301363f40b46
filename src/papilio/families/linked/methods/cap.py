"""At most so many rows below one row: long tails cut by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from papilio.data.snowflake import LinkedTable, Snowflake
from papilio.randomness import Randomness


def cap(
    snowflake: Snowflake, at_most: Mapping[str, int], randomness: Randomness
) -> tuple[Snowflake, dict[str, NDArray[np.int64]]]:
    """Keep at most a given number of rows below each row; which ones is drawn at random.

    Chance depends on no value, so what is kept is a fair sample of each person's rows.

    Parameters
    ----------
    snowflake
        The tables.
    at_most
        Limits, by table.
    randomness
        Draws the rows that stay.

    Returns
    -------
    tuple
        The tables without the other rows and all that hung off them, and the rows of each table
        that stay.
    """
    if not at_most:
        return snowflake, {each.name: np.arange(each.height) for each in snowflake.tables}
    tables: list[LinkedTable] = []
    kept: list[NDArray[np.int64]] = []
    for place, each in enumerate(snowflake.tables):
        above = snowflake.above(place)
        if above < 0:
            tables.append(each)
            kept.append(np.arange(each.height))
            continue
        new_row = np.full(snowflake.tables[above].height, -1, np.int64)
        new_row[kept[above]] = np.arange(len(kept[above]))
        rows = np.flatnonzero(new_row[each.up] >= 0)
        if each.name in at_most:
            rows = _drawn(rows, each.up, at_most[each.name], randomness)
        kept.append(rows)
        frame = each.table.frame
        fewer = replace(each.table, frame=frame[rows] if frame.width else frame.head(len(rows)))
        tables.append(replace(each, table=fewer, up=new_row[each.up[rows]]))
    stay = {each.name: rows for each, rows in zip(snowflake.tables, kept, strict=True)}
    return Snowflake(tuple(tables)), stay


def _drawn(
    rows: NDArray[np.int64], up: NDArray[np.int64], limit: int, randomness: Randomness
) -> NDArray[np.int64]:
    order = np.lexsort((randomness.keys(len(rows)), up[rows]))
    parents = up[rows][order]
    starts = np.flatnonzero(np.diff(parents, prepend=-1))
    rank = np.arange(len(rows)) - np.repeat(starts, np.diff(starts, append=len(rows)))
    return np.sort(rows[order[rank < limit]])
