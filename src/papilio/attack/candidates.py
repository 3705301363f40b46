"""The rows that may be somebody's, to an attacker who knows some of their values.

People whose quasi-identifiers are covered by the same classes have the same candidates; they form a
*pattern*. Without overlapping cells a pattern is a class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.looks import Look, distinct, kept, look
from papilio.data.table import Table
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_pairs
from papilio.verify.numbering import Side

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

    def fewer_than(self, k: int) -> int:
        """People who have candidates, but fewer than k."""
        return int(self.people[(self.rows > 0) & (self.rows < k)].sum())


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
    both = look(release, table, original, [*known, *sensitive])
    return _counted(both.fitting, len(known), sensitive)


def _without_knowledge(release: Release, original: Table, sensitive: Sequence[str]) -> Candidates:
    """To somebody who knows nothing about anyone, every row may be theirs."""
    frame = release.frames[original.name]
    return Candidates(
        np.array([original.height]),
        np.array([frame.height]),
        {name: np.array([frame.get_column(name).n_unique() == 1]) for name in sensitive},
    )


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


#: Names of columns in the frames below; blanks keep them apart from columns of a table.
PERSON, PATTERN, CLASS, COUNT = (
    "papilio person",
    "papilio pattern",
    "papilio class",
    "papilio count",
)
_POINT = "papilio point"


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


def patterns_of(
    release: Release,
    table: PublishedTable,
    original: Table,
    known: Sequence[str] | None = None,
    values: Sequence[str] | None = None,
) -> Patterns:
    """Find out who may have which rows of a table.

    Parameters
    ----------
    release, table, original
        The release, its table, and the table it was made from; each row is taken for a person.
    known
        Quasi-identifiers the attacker knows, at least one; left out, all of them.
    values
        Columns, published as they are, to look at; left out, the sensitive ones.

    Notes
    -----
    Cost: that of :func:`papilio.verify.fitting.fitting_pairs` on the quasi-identifiers.
    """
    quasi = [column.name for column in table.columns if column.role == "quasi"]
    quasi = [name for name in quasi if known is None or name in known]
    shown = (c for c in table.columns if c.role != "quasi" and c.cells == "value")
    wanted = (c.name for c in shown if c.role == "sensitive")
    sensitive = list(wanted if values is None else values)
    return kept(
        ("patterns", table.name, *quasi, None, *sensitive),
        (release, original.frame),
        lambda: _patterns_of(look(release, table, original, quasi + sensitive), quasi, sensitive),
    )


def _patterns_of(both: Look, quasi: Sequence[str], sensitive: Sequence[str]) -> Patterns:
    width, number = len(quasi), np.arange(len(both.values))
    persons = Side(np.column_stack([both.values, number]), np.ones(len(number), np.int64))
    points, people = numbered(persons, width, [*sensitive, PERSON], _POINT)
    boxes, rows = numbered(both.fitting.demand, width, sensitive, CLASS)
    narrow = Fitting(points, boxes, both.fitting.covers[:width])
    pairs = [np.column_stack(some) for some in fitting_pairs(narrow)]
    pattern_of, classes = _patterns(np.concatenate([np.empty((0, 2), np.int64), *pairs]))
    people = people.join(pattern_of, on=_POINT, how="left").drop(_POINT, COUNT).sort(PERSON)
    return Patterns(people, rows, classes, tuple(sensitive))


def numbered(side: Side, quasi: int, others: Sequence[str], name: str) -> tuple[Side, pl.DataFrame]:
    """Distinct rows on the quasi-identifiers, and all rows with the number of theirs."""
    points, which = distinct(side.numbers[:, :quasi])
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
