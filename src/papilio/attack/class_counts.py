"""How many classes of each size there are, in the original and in a release.

All measures of the risk of being found start here. In the original a class is all rows with the
same values of some quasi-identifiers, in a release all rows with the same published cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.table import Table
from papilio.release.manifest import PublishedTable

_ROWS, _CLASSES = "papilio rows", "papilio classes"


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """Sizes that occur, ascending, and the number of classes of each.

    Attributes
    ----------
    sizes
        Rows of a class; each size once.
    classes
        How many classes have it; at least one.
    """

    sizes: NDArray[np.int64]
    classes: NDArray[np.int64]

    @property
    def people(self) -> int:
        """Rows in all classes; a row is a person."""
        return int((self.sizes * self.classes).sum())

    @property
    def total(self) -> int:
        """Number of classes."""
        return int(self.classes.sum())

    @property
    def smallest(self) -> int:
        """Rows of the smallest class; 0 if there is none."""
        return int(self.sizes[0]) if len(self.sizes) else 0

    def of_size(self, size: int) -> int:
        """Number of classes with so many rows."""
        return int(self.classes[self.sizes == size].sum())


def counts_of(sizes: pl.Series) -> ClassCounts:
    """Count sizes of classes."""
    counted = sizes.to_frame(_ROWS).group_by(_ROWS).len(_CLASSES).sort(_ROWS)
    return ClassCounts(
        counted.get_column(_ROWS).to_numpy().astype(np.int64),
        counted.get_column(_CLASSES).to_numpy().astype(np.int64),
    )


def counts_before(original: Table, columns: Sequence[str]) -> ClassCounts:
    """Classes of the original to somebody who knows some columns; NULL is a value.

    Cost: one grouping of the rows.
    """
    return _grouped(original.frame, list(columns))


def counts_after(
    frame: pl.DataFrame, published: PublishedTable, columns: Sequence[str]
) -> ClassCounts:
    """Classes of a published table to somebody who knows some columns.

    Columns the table does not have tell nothing. Cost: one grouping of the rows.
    """
    cells = [cell for c in published.columns if c.name in columns for cell in c.published]
    return _grouped(frame, cells)


def _grouped(frame: pl.DataFrame, columns: list[str]) -> ClassCounts:
    if not frame.height:
        return ClassCounts(np.empty(0, np.int64), np.empty(0, np.int64))
    if not columns:
        return ClassCounts(np.array([frame.height]), np.array([1]))
    return counts_of(frame.group_by(columns).len(_ROWS).get_column(_ROWS))


#: Chance above which somebody counts as at risk: that of a class of fewer than five rows.
THRESHOLD = 0.2


@dataclass(frozen=True)
class Chances:
    """Chances of an attacker to name the right row of a person.

    Attributes
    ----------
    largest
        Of the person who is found most easily; 0 without people.
    average
        Over people; the attacker who tries everybody is right with that share.
    threshold
        Above which a chance counts as too high.
    at_risk
        People with such a chance.
    """

    largest: float
    average: float
    threshold: float
    at_risk: int


def chances_of(counts: ClassCounts, chance: NDArray[np.float64], threshold: float) -> Chances:
    """Sum up the chance that people in a class of each size have."""
    people = counts.sizes * counts.classes
    total = int(people.sum())
    return Chances(
        largest=float(chance.max(initial=0.0)),
        average=float((people * chance).sum() / total) if total else 0.0,
        threshold=threshold,
        at_risk=int(people[chance > threshold].sum()),
    )


def chances_over_people(chance: NDArray[np.float64], threshold: float) -> Chances:
    """Sum up the chances of people, one number for each person."""
    return Chances(
        largest=float(chance.max(initial=0.0)),
        average=float(chance.mean()) if len(chance) else 0.0,
        threshold=threshold,
        at_risk=int((chance > threshold).sum()),
    )
