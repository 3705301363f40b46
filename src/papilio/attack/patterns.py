"""People and the published rows that may be theirs, with the sensitive values of both.

People whose quasi-identifiers are covered by the same classes have the same candidates; they form a
*pattern*. Without overlapping cells a pattern is a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import restricted
from papilio.attack.confront import ORIGINAL, confront
from papilio.data.table import Table
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs
from papilio.verify.numbering import Side, number_original

#: Names of columns in the frames below; blanks keep them apart from columns of a table.
PERSON, PATTERN, CLASS, COUNT = (
    "papilio person",
    "papilio pattern",
    "papilio class",
    "papilio count",
)
_POINT = "papilio point"
_NUMBER = PublishedColumn(PERSON, "plain", "numeric", "value", (PERSON,))


@dataclass(frozen=True, eq=False)
class Patterns:
    """One published table and the people in it; sensitive values are numbers.

    Attributes
    ----------
    people
        Person, pattern and sensitive values, one line per person, by person. The pattern of people
        whom no class covers, because their row was left out, is NULL.
    rows
        Class, sensitive values and how many published rows have them.
    classes
        Pattern and class: which classes cover it.
    sensitive
        Names of the sensitive columns that are published as they were.
    """

    people: pl.DataFrame
    rows: pl.DataFrame
    classes: pl.DataFrame
    sensitive: tuple[str, ...]

    def candidates(self, names: Sequence[str]) -> pl.DataFrame:
        """How many candidates a pattern has with each combination of some sensitive values."""
        counted = self.rows.group_by(CLASS, *names).agg(pl.col(COUNT).sum())
        joined = self.classes.join(counted, on=CLASS)
        return joined.group_by(PATTERN, *names).agg(pl.col(COUNT).sum())


def patterns_of(release: Release, table: PublishedTable, original: Table) -> Patterns:
    """Find out who may have which rows of a table.

    Cost: that of :func:`papilio.verify.fitting.fitting_pairs` on the quasi-identifiers.
    """
    quasi = [column.name for column in table.columns if column.role == "quasi"]
    sensitive = [c.name for c in table.columns if c.role == "sensitive" and c.cells == "value"]
    known = original.frame.select(quasi + sensitive).with_row_index(PERSON)
    with confront(release, known.with_columns(pl.col(PERSON).cast(pl.Int64))) as opened:
        asked = restricted(opened, table, quasi + sensitive)
        fitting = fitting_of(opened, asked, ORIGINAL)
        persons = number_original(
            opened, replace(asked, columns=(*asked.columns, _NUMBER)), ORIGINAL
        )
    width = len(quasi)
    points, people = _numbered(persons, width, [*sensitive, PERSON], _POINT)
    boxes, rows = _numbered(fitting.demand, width, sensitive, CLASS)
    narrow = Fitting(points, boxes, fitting.covers[:width])
    pairs = [np.column_stack(some) for some in fitting_pairs(narrow)]
    pattern_of, classes = _patterns(np.concatenate([np.empty((0, 2), np.int64), *pairs]))
    people = people.join(pattern_of, on=_POINT, how="left").drop(_POINT, COUNT).sort(PERSON)
    return Patterns(people, rows, classes, tuple(sensitive))


def _numbered(
    side: Side, quasi: int, others: Sequence[str], name: str
) -> tuple[Side, pl.DataFrame]:
    """Distinct rows on the quasi-identifiers, and all rows with the number of theirs."""
    points, inverse = np.unique(side.numbers[:, :quasi], axis=0, return_inverse=True)
    which = inverse.ravel().astype(np.int64)
    frame = pl.DataFrame({name: which, COUNT: side.count}).with_columns(
        pl.Series(column, side.numbers[:, quasi + place]) for place, column in enumerate(others)
    )
    return Side(points, np.bincount(which, weights=side.count).astype(np.int64)), frame


def _patterns(pairs: NDArray[np.int64]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Number the sets of classes that points are covered by."""
    frame = pl.DataFrame({_POINT: pairs[:, 0], CLASS: pairs[:, 1]}).sort(_POINT, CLASS)
    sets = frame.group_by(_POINT, maintain_order=True).agg(pl.col(CLASS))
    text = sets.get_column(CLASS).cast(pl.List(pl.String)).list.join(" ")
    numbered = sets.with_columns(text.rank("dense").cast(pl.Int64).alias(PATTERN))
    classes = numbered.unique(PATTERN).select(PATTERN, CLASS).explode(CLASS)
    return numbered.select(_POINT, PATTERN), classes
