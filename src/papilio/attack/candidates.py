"""The rows that may be somebody's, to an attacker who knows some of their values.

A published row is a *candidate* of a person if on every column the attacker knows, its cell covers
the person's value. A person's own row is always one of them, so that classes of at least k rows on
these columns leave at least k candidates; overlapping classes leave more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.confront import ORIGINAL, confront
from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs, is_readable
from papilio.verify.numbering import Side
from papilio.verify.opened import Opened

_COUNT = "papilio rows"
_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of all people; people with equal known values are counted together.

    Attributes
    ----------
    people
        How many people have each combination of known values.
    rows
        How many candidates each of them has; 0 if their row was left out of the release and no
        other covers them.
    learnt
        Per sensitive column, whether all candidates share one value of it.
    """

    people: NDArray[np.int64]
    rows: NDArray[np.int64]
    learnt: dict[str, NDArray[np.bool_]]

    def figures(self) -> dict[str, int | float]:
        r"""Sum up in numbers.

        ``people``: people in the original. ``smallest``, ``average``: candidates per person, of
        people who have any. ``singled_out``: people with one candidate. ``expected``: how many
        people are found if the attacker picks one of each person's candidates at random,
        :math:`\sum_p 1 / c_p`. ``learnt: <column>``: people whose candidates share one value.
        """
        some = self.rows > 0
        people, rows = self.people[some], self.rows[some]
        found = int(people.sum())
        return {
            "people": int(self.people.sum()),
            "smallest": int(rows.min(initial=_NONE)) if found else 0,
            "average": float((people * rows).sum() / found) if found else 0.0,
            "singled_out": int(people[rows == 1].sum()),
            "expected": math.fsum((people / rows).tolist()),
            **{
                f"learnt: {name}": int(self.people[same & some].sum())
                for name, same in self.learnt.items()
            },
        }


def candidates(
    release: Release, original: Table, known: Sequence[str], sensitive: Sequence[str]
) -> Candidates:
    """Find the candidates of everybody.

    Parameters
    ----------
    release
        A release of one table.
    original
        The table it was made from.
    known
        Columns the attacker knows of a person; may be none.
    sensitive
        Columns, published as they are, that the attacker wants to learn.

    Raises
    ------
    ReleaseError
        If the release does not have one of these columns, or cells nobody can read.

    Notes
    -----
    Cost: a few passes in SQL, then about (distinct combinations) * log(classes) plus the number of
    pairs of a combination and a class that covers it.
    """
    if not known:
        return _without_knowledge(release, original, sensitive)
    table = release.manifest.table(original.name)
    with confront(release, original.frame) as opened:
        asked = restricted(opened, table, [*known, *sensitive])
        return _counted(fitting_of(opened, asked, ORIGINAL), len(known), sensitive)


def _without_knowledge(release: Release, original: Table, sensitive: Sequence[str]) -> Candidates:
    """To somebody who knows nothing about anyone, every row may be theirs."""
    frame = release.frames[original.name]
    return Candidates(
        np.array([original.height]),
        np.array([frame.height]),
        {name: np.array([frame.get_column(name).n_unique() == 1]) for name in sensitive},
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


def _counted(fitting: Fitting, known: int, sensitive: Sequence[str]) -> Candidates:
    """Collapse both sides to the known columns and count; see :func:`candidates`."""
    points = _collapsed(fitting.supply, known, 0)
    boxes = _collapsed(fitting.demand, known, len(sensitive))
    count = boxes.get_column(_COUNT).to_numpy()
    first = [boxes.get_column(f"first{place}").to_numpy() for place in range(len(sensitive))]
    last = [boxes.get_column(f"last{place}").to_numpy() for place in range(len(sensitive))]
    rows = np.zeros(points.height, np.int64)
    low = np.full((len(sensitive), points.height), _NONE)
    high = np.full((len(sensitive), points.height), -_NONE)
    narrow = Fitting(_side(points, known), _side(boxes, known), fitting.covers[:known])
    for some, which in fitting_pairs(narrow):
        np.add.at(rows, some, count[which])
        for place in range(len(sensitive)):
            np.minimum.at(low[place], some, first[place][which])
            np.maximum.at(high[place], some, last[place][which])
    return Candidates(
        points.get_column(_COUNT).to_numpy(),
        rows,
        {name: low[place] == high[place] for place, name in enumerate(sensitive)},
    )


def _collapsed(side: Side, known: int, more: int) -> pl.DataFrame:
    """Distinct rows on the first columns, how many there are of each, and the span of others."""
    frame = pl.DataFrame(
        {f"c{place}": side.numbers[:, place] for place in range(known + more)}
        | {_COUNT: side.count}
    )
    spans = [
        each
        for place in range(more)
        for each in (
            pl.col(f"c{known + place}").min().alias(f"first{place}"),
            pl.col(f"c{known + place}").max().alias(f"last{place}"),
        )
    ]
    keys = [f"c{place}" for place in range(known)]
    return frame.group_by(keys).agg(pl.col(_COUNT).sum(), *spans)


def _side(frame: pl.DataFrame, known: int) -> Side:
    numbers = [frame.get_column(f"c{place}").to_numpy() for place in range(known)]
    return Side(np.column_stack(numbers), frame.get_column(_COUNT).to_numpy())
