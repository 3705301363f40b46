"""Columns of text that would be numbers but for a few cells.

One cell such as ``n/a`` or ``1e400`` makes labels of a whole column of numbers: ranges become
lists, and the owner may not notice. So it is said.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import ColumnType
from papilio.data.text_values import parse_text

#: Share of the cells that may be something else in a column that was meant to be numbers.
FEW = 0.05


def nearly_numeric(
    texts: pl.Series, name: str, counts: NDArray[np.int64] | None = None
) -> str | None:
    """What to tell the owner of a column that was taken for labels; ``None`` if nothing.

    Parameters
    ----------
    texts
        Cells of a source without types.
    name
        The column, for the message.
    counts
        Of how many rows each cell stands; left out, of one.

    Returns
    -------
    str
        A sentence with the number of cells that are no finite numbers, without any of them.

    Notes
    -----
    Cost: the distinct cells are parsed once.
    """
    rows = pl.DataFrame({"text": texts.cast(pl.String), "rows": 1 if counts is None else counts})
    distinct = rows.drop_nulls("text").group_by("text").agg(pl.col("rows").sum())
    parsed = parse_text(distinct.get_column("text"), ColumnType.NUMERIC, declared=True)
    stray = int(distinct.get_column("rows").filter(parsed.values.is_null()).sum())
    cells = int(distinct.get_column("rows").sum())
    if not 0 < stray <= FEW * cells:
        return None
    are = "is no finite number" if stray == 1 else "are no finite numbers"
    return (
        f"Column '{name}' is taken for labels, because {stray:,} of its {cells:,} cells {are}; "
        "declare type: numeric to be told which is the first, or type: category if that is meant."
    )
