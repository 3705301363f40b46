"""What is in a table: its columns, the column sets that single rows out, suggested roles.

A profile holds names, types and counts, never a value of a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.people import PERSON, constant_columns, first_rows
from papilio.data.table import ColumnType, Role
from papilio.errors import DataError
from papilio.measure.suggest import (
    ColumnFacts,
    PersonColumn,
    Risk,
    Suggestion,
    suggest_l,
    suggest_near,
    suggest_person,
    suggest_role,
)
from papilio.measure.uniqueness import ColumnSet, column_set, uniqueness
from papilio.randomness import Randomness

#: Whole numbers that fill at least one in this many places of their range count as running.
_GAPS = 2
#: Share of the progress that the columns take; the sets take the rest.
_COLUMNS_SHARE = 0.1


@dataclass(frozen=True)
class ColumnProfile:
    """What is known about one column; all counts are over all rows.

    Attributes
    ----------
    name
        Its name.
    type
        How its values compare.
    distinct
        Number of distinct values; NULL, if it occurs, is one of them.
    missing_share
        Share of the rows in which it is NULL.
    unique_share
        Share of the rows whose value no other row has.
    smallest_group, largest_group
        Number of rows that share the rarest and the commonest value.
    role
        The suggested role.
    reason
        Why, in one sentence.
    most_l
        The largest l, counted, that all rows as one class meet: ``distinct``, and where people
        have several rows the values that are left without the rows of any one person.
    proposed_l
        An l to start with: 3, or 2 where fewer than one row in twenty has another value than the
        two commonest, should it be sensitive; ``None`` if even 2 cannot be met, and for
        identifiers.
    most_classes
        Most classes that can have ``proposed_l`` values: each needs a row beside the commonest.
    proposed_near
        What a narrow window may hold of a group, such as ``"50% within 5%"``, should a numeric
        column be sensitive; ``None`` if nearly all values are near each other.
    """

    name: str
    type: ColumnType
    distinct: int
    missing_share: float
    unique_share: float
    smallest_group: int
    largest_group: int
    role: Role
    reason: str
    most_l: int = 0
    proposed_l: int | None = None
    most_classes: int = 0
    proposed_near: str | None = None


@dataclass(frozen=True)
class RiskySet:
    """A set of columns on which many rows are alone, or beside rows of the same person only.

    Attributes
    ----------
    columns
        Names, in the order of the table.
    unique_share, distinctness, separation
        As in :class:`~papilio.measure.uniqueness.ColumnSet`.
    minimal
        Whether no smaller set within it is risky.
    """

    columns: tuple[str, ...]
    unique_share: float
    distinctness: float
    separation: float
    minimal: bool


@dataclass(frozen=True)
class Profile:
    """What is in a table.

    Attributes
    ----------
    rows
        Number of rows.
    looked_at
        Number of rows in which column sets were counted; a uniform sample if fewer than ``rows``,
        and then the unique shares of sets of two and more columns are overstated.
    largest_set
        Number of columns of the largest sets that were counted.
    columns
        The columns in the order of the table.
    risky_sets
        The sets on which the most rows are alone: minimal ones first, then by falling unique
        share. An identifier stands in them alone only, since it never leaves.
    risky_count
        Number of risky sets, of which ``risky_sets`` may list only the first.
    person
        The column that seems to say whose row it is, if people have several rows.

    Examples
    --------
    >>> import papilio as pp
    >>> profile = pp.profile(pp.samples.adult().head(300))
    >>> isinstance(profile, pp.Profile), profile.rows, len(profile.columns)
    (True, 300, 15)
    """

    rows: int
    looked_at: int
    largest_set: int
    columns: tuple[ColumnProfile, ...]
    risky_sets: tuple[RiskySet, ...]
    risky_count: int
    person: PersonColumn | None = None

    @property
    def repeated_identifier(self) -> str:
        """An identifier with fewer values than rows that have one; empty if there is none."""
        for column in self.columns:
            present = round((1 - column.missing_share) * self.rows)
            if column.role is Role.IDENTIFIER and column.distinct - (present < self.rows) < present:
                return column.name
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Give the profile as plain lists, dictionaries, texts and numbers for JSON."""
        return {
            "rows": self.rows,
            "looked_at": self.looked_at,
            "largest_set": self.largest_set,
            "columns": [
                asdict(column) | {"type": str(column.type), "role": str(column.role)}
                for column in self.columns
            ],
            "risky_sets": [
                asdict(each) | {"columns": list(each.columns)} for each in self.risky_sets
            ],
            "risky_count": self.risky_count,
            "person": None if self.person is None else self.person.to_dict(),
            "repeated_identifier": self.repeated_identifier,
        }


def profile(
    frame: pl.DataFrame,
    types: Mapping[str, ColumnType],
    *,
    max_size: int = 3,
    sample: int = 1_000_000,
    risky: float = 0.05,
    limit: int = 100,
    randomness: Randomness | None = None,
    progress: Callable[[float], None] | None = None,
) -> Profile:
    """Profile a table.

    Parameters
    ----------
    frame
        The table as it was read.
    types
        How the values of each of its columns compare.
    max_size
        Most columns in a set.
    sample
        Most rows to count sets in; see :func:`~papilio.measure.uniqueness.uniqueness`.
    risky
        From this share of lone rows on a set is risky.
    limit
        Most risky sets to list.
    randomness
        Where the sample comes from.
    progress
        Called from time to time with the share of the work that is done, at last with 1.

    Raises
    ------
    DataError
        If a column has no type.

    Notes
    -----
    Cost: one hash per cell for the columns, and that of ``uniqueness`` over the columns that are
    not suggested as identifiers.
    """
    report = progress or _ignore
    counted = _count_columns(frame, types, report)
    identifiers = frozenset(each.facts.name for each in counted if _is_identifier(each.facts))
    person = _person(counted, identifiers, frame)
    if person is not None:
        identifiers |= {person.name}
    owners = None if person is None else _owners(frame.get_column(person.name))
    published = [each.facts.name for each in counted if each.facts.name not in identifiers]
    found = uniqueness(
        frame.select(published),
        owners=owners,
        max_size=max_size,
        sample=sample,
        randomness=randomness,
        progress=lambda share: report(_COLUMNS_SHARE + (1 - _COLUMNS_SHARE) * share),
    )
    singles = [_single_set(each, frame, owners) for each in counted]
    several = [each for each in found.sets if len(each.columns) > 1]
    sets = _risky_sets([*singles, *several], risky)
    risks = _risks(sets)
    report(1.0)
    return Profile(
        rows=frame.height,
        looked_at=found.looked_at if published else frame.height,
        largest_set=found.largest_size,
        columns=tuple(
            _with_diversity(_column_profile(each, risks, frame.height, person), each, frame, person)
            for each in counted
        ),
        risky_sets=tuple(sets[:limit]),
        risky_count=len(sets),
        person=person,
    )


@dataclass(frozen=True, eq=False)
class _Counted:
    """Facts about a column and the number of rows that share each of its values."""

    facts: ColumnFacts
    missing: int
    sizes: NDArray[np.int64]
    #: The same without NULL.
    present: NDArray[np.int64]


def _ignore(_share: float) -> None:
    """Stand in for a caller who does not ask for progress."""


def _is_identifier(facts: ColumnFacts) -> bool:
    return suggest_role(facts).role is Role.IDENTIFIER


def _count_columns(
    frame: pl.DataFrame, types: Mapping[str, ColumnType], report: Callable[[float], None]
) -> list[_Counted]:
    counted = []
    for series in frame.iter_columns():
        if series.name not in types:
            raise DataError(
                f"column '{series.name}' has no type; give one for each column",
                reason="untyped-column",
            )
        counted.append(_count_column(series, types[series.name]))
        report(_COLUMNS_SHARE * len(counted) / frame.width)
    return counted


def _count_column(series: pl.Series, type_: ColumnType) -> _Counted:
    values = series.fill_nan(None) if series.dtype.is_float() else series
    missing = values.null_count()
    groups = values.alias("value").to_frame().group_by("value").len("size")
    distinct = groups.height - (missing > 0)
    facts = ColumnFacts(
        name=series.name,
        type=type_,
        present=len(values) - missing,
        distinct=distinct,
        running=type_ is ColumnType.NUMERIC and _is_running(values, distinct),
    )
    known = groups.filter(pl.col("value").is_not_null())
    sizes, present = (
        each.get_column("size").to_numpy().astype(np.int64) for each in (groups, known)
    )
    return _Counted(facts, missing, sizes, present)


def _person(
    counted: Sequence[_Counted], identifiers: frozenset[str], frame: pl.DataFrame
) -> PersonColumn | None:
    present = {each.facts.name: each.present for each in counted}
    found = suggest_person([each.facts for each in counted], identifiers, present)
    if found is None or found.rows < frame.height:
        return found and replace(found, unknown=frame.height - found.rows)
    first = first_rows(frame.get_column(found.name).cast(pl.String).alias(PERSON))
    return replace(found, constant=constant_columns(frame.drop(found.name), first))


def _is_running(values: pl.Series, distinct: int) -> bool:
    """Whether the values are whole numbers that leave few gaps; numbers may still be text."""
    whole = values.cast(pl.Int64, strict=False) if values.dtype == pl.String else values
    if not whole.dtype.is_integer() or whole.null_count() > values.null_count():
        return False
    low, high = whole.min(), whole.max()
    if not isinstance(low, int) or not isinstance(high, int):
        return False
    return high - low < _GAPS * distinct


def _owners(names: pl.Series) -> NDArray[np.int32]:
    """Whose each row is; each row that names nobody is somebody else's."""
    row = pl.col("row")
    said = names.cast(pl.String).alias(PERSON).to_frame().with_row_index("row")
    # The first row of each name stands for it.
    who = pl.when(pl.col(PERSON).is_null()).then(row).otherwise(row.first().over(PERSON))
    return said.select(who).to_series().to_numpy().astype(np.int32)


def _single_set(
    counted: _Counted, frame: pl.DataFrame, owners: NDArray[np.int32] | None
) -> ColumnSet:
    sizes, rows, name = counted.sizes, frame.height, counted.facts.name
    alone = int((sizes == 1).sum())
    if owners is not None:
        held = pl.DataFrame([frame.get_column(name).alias("value"), pl.Series(PERSON, owners)])
        groups = held.fill_nan(None).group_by("value").agg(pl.len(), pl.col(PERSON).n_unique())
        alone = int(groups.filter(pl.col(PERSON) == 1).get_column("len").sum())
    return column_set(
        (name,),
        rows,
        groups=len(sizes),
        alone=alone,
        smallest=int(sizes.min(initial=rows)),
        alike=int((sizes * (sizes - 1)).sum()),
    )


def _risky_sets(sets: Sequence[ColumnSet], risky: float) -> list[RiskySet]:
    chosen = [each for each in sets if each.unique_share >= risky and each.unique_share > 0]
    names = {each.columns for each in chosen}
    found = [
        RiskySet(
            columns=each.columns,
            unique_share=each.unique_share,
            distinctness=each.distinctness,
            separation=each.separation,
            minimal=not any(subset in names for subset in _proper_subsets(each.columns)),
        )
        for each in chosen
    ]
    return sorted(found, key=lambda each: (not each.minimal, -each.unique_share, len(each.columns)))


def _proper_subsets(columns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(columns)):
        yield from combinations(columns, size)


def _risks(sets: Sequence[RiskySet]) -> dict[str, Risk]:
    """Give each column the first, and so the strongest, of the minimal sets it is part of."""
    risks: dict[str, Risk] = {}
    for each in sets:
        if each.minimal:
            for name in each.columns:
                risks.setdefault(name, Risk(each.columns, each.unique_share))
    return risks


def _column_profile(
    counted: _Counted, risks: Mapping[str, Risk], rows: int, person: PersonColumn | None
) -> ColumnProfile:
    facts, sizes = counted.facts, counted.sizes
    suggestion = suggest_role(facts, risks.get(facts.name))
    if person is not None and person.name == facts.name:
        suggestion = Suggestion(Role.IDENTIFIER, "it seems to say whose row it is")
    return ColumnProfile(
        name=facts.name,
        type=facts.type,
        distinct=len(sizes),
        missing_share=counted.missing / rows if rows else 0.0,
        unique_share=int((sizes == 1).sum()) / rows if rows else 0.0,
        smallest_group=int(sizes.min(initial=rows)),
        largest_group=int(sizes.max(initial=0)),
        role=suggestion.role,
        reason=suggestion.reason,
    )


def _with_diversity(
    column: ColumnProfile, counted: _Counted, frame: pl.DataFrame, person: PersonColumn | None
) -> ColumnProfile:
    """Add which l to start with, and what may be near, for a column that may be sensitive."""
    if column.role is Role.IDENTIFIER:
        return column
    most = column.distinct - _of_one_person(frame, column.name, person)
    least, classes = suggest_l(counted.sizes, most)
    near = None
    if column.type is ColumnType.NUMERIC and frame.schema[column.name].is_numeric():
        values = frame.get_column(column.name).cast(pl.Float64).drop_nulls()
        near = suggest_near(values.filter(values.is_finite()).to_numpy(), frame.height)
    return replace(column, most_l=most, proposed_l=least, most_classes=classes, proposed_near=near)


def _of_one_person(frame: pl.DataFrame, name: str, person: PersonColumn | None) -> int:
    """Values that only one person has, of the person who has most of them."""
    if person is None or person.most == 1:
        return 0
    owners = frame.select(
        pl.col(name).alias("value"), pl.col(person.name).cast(pl.String).alias(PERSON)
    )
    own = (
        owners.group_by("value")
        .agg(pl.col(PERSON).n_unique().alias("people"), pl.col(PERSON).first())
        .filter(pl.col("people") == 1)
        .group_by(PERSON)
        .len()
    )
    return int(own.get_column("len").max() or 0)  # type: ignore[arg-type]
