"""How many rows of each class are whose, where a person may have several rows.

All measures over people start here. In the original a class is all rows with the same values of
some quasi-identifiers, and it is known whose they are. A release does not say which original row
each of its rows was made of: a row that fits one class only is in it, and of others the most and
the least that is possible is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import COUNT, PERSON, numbered
from papilio.attack.class_counts import ClassCounts, counts_of
from papilio.attack.looks import Look, distinct, look, side_of
from papilio.data.people import People
from papilio.data.table import Table
from papilio.errors import InternalError
from papilio.release.manifest import Manifest, PublishedTable
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_pairs
from papilio.verify.numbering import Side
from papilio.verify.people import is_over_people

_POINT, _CLASS, _FITS, _CLASSES = "point", "class", "fits", "classes"
_MOST, _LEAST = "most", "least"


@dataclass(frozen=True, eq=False)
class Holdings:
    r"""The rows that people have in classes, one line for each person and class.

    Attributes
    ----------
    person, group
        Number of the person, and of the class, of each line.
    most, least
        Rows that the person has in the class, at most and at least; the same wherever rows fit one
        class only.
    sizes
        Rows of each class.
    promised
        k if it is claimed that nobody owns more than one row in k of a class; otherwise 1.
    uncertain
        Rows of the original that fit several classes.
    alike
        Per sensitive column of a release, whether all rows of each class share one value of it.
    """

    person: NDArray[np.int64]
    group: NDArray[np.int64]
    most: NDArray[np.int64]
    least: NDArray[np.int64]
    sizes: NDArray[np.int64]
    promised: int = 1
    uncertain: int = 0
    alike: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows of all classes."""
        return int(self.sizes.sum())

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of a class that one person owns, for each line: at most that.

        Where it is not certain, no more than is promised: what is claimed over people was counted
        when the release was made, by who knew which row became which.
        """
        sizes = self.sizes[self.group]
        possible = np.minimum(self.most / sizes, 1 / self.promised)
        return np.maximum(self.least / sizes, possible)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """Largest share of each person over their classes, by the person's number.

        People who are in no class, because their rows were left out, are not there.
        """
        return self.worst(self.shares)

    def worst(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Largest number of each person, given one for each line."""
        lines = pl.DataFrame({PERSON: self.person, _MOST: shares})
        worst = lines.group_by(PERSON).agg(pl.col(_MOST).max()).sort(PERSON)
        return worst.get_column(_MOST).to_numpy()

    @property
    def people(self) -> int:
        """People who have a row in some class."""
        return len(np.unique(self.person))

    @cached_property
    def people_of_classes(self) -> NDArray[np.int64]:
        """People in each class; where rows fit several classes, at least so many.

        A class of n rows of which nobody owns more than m has at least n / m people, and everybody
        who certainly has a row there.
        """
        classes = len(self.sizes)
        every = np.bincount(self.group, minlength=classes)
        sure = np.bincount(self.group[self.least > 0], minlength=classes)
        doubtful = np.bincount(self.group[self.most > self.least], minlength=classes) > 0
        largest = np.zeros(classes)
        np.maximum.at(largest, self.group, self.shares)
        with np.errstate(divide="ignore"):
            needed = np.ceil(1 / largest - 1e-9)
        return np.where(doubtful, np.maximum(sure, needed), every).astype(np.int64)


def person_numbers(people: People) -> NDArray[np.int64]:
    """Whose each row is, also of people who have one row only: numbers from 0."""
    numbers = people.codes.astype(np.int64)
    alone = numbers == people.several
    numbers[alone] += np.arange(int(alone.sum()))
    return numbers


def owners_of(original: Table) -> NDArray[np.int64]:
    """Whose each row of a table is whose policy says it."""
    if original.people is None:
        raise InternalError("nobody said whose rows they are", reason="no-people")
    return person_numbers(original.people)


def holdings_before(original: Table, columns: Sequence[str]) -> Holdings:
    """Classes of the original to somebody who knows some columns; NULL is a value.

    Cost: two groupings of the rows.
    """
    group = _combinations(original.frame, list(columns))
    lines = pl.DataFrame({PERSON: owners_of(original), _CLASS: group})
    held = lines.group_by(PERSON, _CLASS).len(_MOST).sort(PERSON, _CLASS)
    person, classes, own = (_numbers(held, name) for name in (PERSON, _CLASS, _MOST))
    return Holdings(person, classes, own, own, np.bincount(group))


def _combinations(frame: pl.DataFrame, columns: list[str]) -> NDArray[np.int64]:
    """Number the combinations of values; without a column there is one."""
    if not columns:
        return np.zeros(frame.height, np.int64)
    some = frame.select(columns)
    known = some.unique().with_row_index(_CLASS)
    joined = some.join(known, on=columns, how="left", nulls_equal=True, maintain_order="left")
    return _numbers(joined, _CLASS)


def holdings_after(
    release: Release, table: PublishedTable, original: Table, columns: Sequence[str]
) -> Holdings:
    """Classes of a published table to somebody who knows some columns.

    A row of the original fits a class if a published row of it covers all its values, also those
    the attacker does not know: the owner looks whose rows they are, not the attacker.

    Cost: that of :func:`papilio.verify.fitting.fitting_pairs` on all columns, and a grouping of
    the pairs.
    """
    known = [each.name for each in table.columns if each.name in columns]
    others = [each.name for each in table.columns if each.name not in columns]
    both = look(release, table, original, known + others)
    fitting = both.fitting
    persons = side_of(np.column_stack([both.values, owners_of(original)]))
    points, lines = numbered(persons, len(both.columns), [PERSON], _POINT)
    classes, sizes = _classes(fitting.demand, len(known))
    fits = _fitting(Fitting(points, fitting.demand, fitting.covers), classes)
    held = _held(lines, fits, sizes)
    promised = promised_share(release.manifest, table.name, columns)
    return replace(held, promised=promised, alike=_alike(both, fitting.demand, classes))


def promised_share(manifest: Manifest, table: str, columns: Sequence[str]) -> int:
    """Largest k that is claimed over people of what somebody with these columns sees; else 1.

    What holds for classes on more columns holds for their unions.
    """
    claimed = [
        claim.parameters.get("k")
        for claim in manifest.claims
        if claim.claim == "k-anonymity" and claim.table == table and is_over_people(claim)
        if {*columns} <= {*claim.columns}
    ]
    return max((k for k in claimed if isinstance(k, int)), default=1)


def _classes(demand: Side, known: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Class of each distinct published row, and rows of each class."""
    if not known:
        return np.zeros(len(demand.count), np.int64), np.array([demand.count.sum()], np.int64)
    classes = distinct(demand.numbers[:, :known])[1]
    return classes, np.bincount(classes, weights=demand.count).astype(np.int64)


def _fitting(fitting: Fitting, classes: NDArray[np.int64]) -> pl.DataFrame:
    """Which original rows fit which classes, and how many published rows they fit there."""
    found = [pl.DataFrame(schema={_POINT: pl.Int64, _CLASS: pl.Int64, _FITS: pl.Int64})]
    for some, boxes in fitting_pairs(fitting):
        fits = {_POINT: some, _CLASS: classes[boxes], _FITS: fitting.demand.count[boxes]}
        found.append(pl.DataFrame(fits))
    pairs = pl.concat(found).group_by(_POINT, _CLASS).agg(pl.col(_FITS).sum())
    return pairs.with_columns(pl.len().over(_POINT).alias(_CLASSES))


def _alike(both: Look, demand: Side, classes: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """Per sensitive column, which classes share one value of it."""
    found = {}
    for place, column in enumerate(each.described for each in both.columns):
        if column.role == "sensitive" and column.cells == "value":
            pairs = distinct(np.column_stack([classes, demand.numbers[:, place]]))[0]
            found[column.name] = np.bincount(pairs[:, 0]) == 1
    return found


def _held(lines: pl.DataFrame, fits: pl.DataFrame, sizes: NDArray[np.int64]) -> Holdings:
    joined = lines.join(fits, on=_POINT).with_columns(
        pl.min_horizontal(COUNT, _FITS).alias(_MOST),
        pl.when(pl.col(_CLASSES) == 1).then(pl.col(COUNT)).otherwise(0).alias(_LEAST),
    )
    held = joined.group_by(PERSON, _CLASS).agg(pl.col(_MOST, _LEAST).sum()).sort(PERSON, _CLASS)
    several = fits.filter(pl.col(_CLASSES) > 1).select(_POINT).unique()
    uncertain = int(lines.join(several, on=_POINT).get_column(COUNT).sum())
    person, classes, most, least = (_numbers(held, n) for n in (PERSON, _CLASS, _MOST, _LEAST))
    return Holdings(person, classes, most, np.minimum(least, most), sizes, uncertain=uncertain)


def _numbers(frame: pl.DataFrame, name: str) -> NDArray[np.int64]:
    return frame.get_column(name).to_numpy().astype(np.int64)


def people_counts(held: Holdings) -> ClassCounts | None:
    """Classes by the number of their people; ``None`` if somebody is in several classes.

    Models of how people fall into classes take everybody for one unit in one class. People whose
    rows are spread over classes have no class of their own, and nothing is estimated over them.
    """
    if len(held.person) > held.people or (held.most > held.least).any():
        return None
    return counts_of(pl.Series(held.people_of_classes))
