"""What is read of people whose values stand apart from them, in groups.

Permuted and disguised releases show who is in which group and which values, or ranges, a group has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.release import Release

#: Columns of the frames of a :class:`GroupReading`.
KNOWN, GROUP, LOW, HIGH, MANY = "known", "group", "low", "high", "many"
_ROW = "papilio row"


@dataclass(frozen=True, eq=False)
class GroupReading:
    """People and cells of a release in groups, to somebody who knows some columns of everybody.

    People who are alike in what is known cannot be told apart: each of them may be any of their
    rows, all ways being equally likely.

    Attributes
    ----------
    column
        The sensitive column.
    people
        ``known`` (a number for each combination of what is known), ``group`` and ``many``, the
        people of both.
    cells
        ``group``, ``low``, ``high`` and ``many``, how often the group has this cell. A value is
        a cell whose ends are equal; both are NULL if it is missing.
    """

    column: str
    people: pl.DataFrame
    cells: pl.DataFrame

    @property
    def total(self) -> int:
        """People of the release."""
        return int(self.people.get_column(MANY).sum())

    @property
    def has_distances(self) -> bool:
        """Whether cells are numbers, so that some are near to each other."""
        return self.cells.schema[LOW].is_numeric()


def read_groups(release: Release, table: str, columns: Iterable[str]) -> GroupReading:
    """Read a permuted or disguised release as somebody who knows some columns.

    Cost: two groupings.
    """
    published = release.manifest.table(table)
    values = release.manifest.table(f"{table}_values")
    (group,) = (column.published[0] for column in values.columns if column.cells == "group")
    (hidden,) = (column for column in values.columns if column.role == "sensitive")
    known = set(columns)
    cells = [cell for c in published.columns if c.name in known for cell in c.published]
    ends = pl.col(hidden.published[0]).alias(LOW), pl.col(hidden.published[-1]).alias(HIGH)
    shown = release.frames[values.name].select(pl.col(group).alias(GROUP), *ends)
    return GroupReading(
        hidden.name,
        _people(release.frames[published.name], cells, group),
        shown.group_by(GROUP, LOW, HIGH).len(MANY).sort(GROUP, LOW, HIGH),
    )


def _people(frame: pl.DataFrame, cells: list[str], group: str) -> pl.DataFrame:
    numbered = frame.with_row_index(_ROW)
    first = pl.col(_ROW).first().over(cells) if cells else pl.lit(0, dtype=pl.UInt32)
    alike = numbered.select(first.alias(KNOWN), pl.col(group).alias(GROUP))
    return alike.group_by(KNOWN, GROUP).len(MANY).sort(KNOWN, GROUP)


#: What rounding may change in a difference of two doubles, as a part of the larger.
_ROUNDING = 1e-12


def reach(values: NDArray[Any], distance: Fraction, *, beyond: bool = False) -> NDArray[np.int64]:
    """For each of ascending values, the first that is at least so far above it, exactly.

    Parameters
    ----------
    values
        Different numbers, ascending, whole or doubles.
    distance
        How far.
    beyond
        Whether it must be farther than that.

    Notes
    -----
    Cost: a search for each; pairs whose rounded difference does not tell are looked at exactly.
    """
    about = values.astype(np.float64)
    off = (np.abs(about) + float(distance)) * _ROUNDING
    sure = np.searchsorted(about, about + float(distance) - off, side="left")
    last = np.searchsorted(about, about + float(distance) + off, side="right")
    exact = values.tolist()
    for index in np.flatnonzero(sure < last):
        place, low = int(sure[index]), Fraction(exact[index])
        while place < last[index]:
            apart = Fraction(exact[place]) - low - distance
            if apart > 0 or (apart == 0 and not beyond):
                break
            place += 1
        sure[index] = place
    return np.asarray(sure, np.int64)
