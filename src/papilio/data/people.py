"""Whose row each row of a table is, where one person may have several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.types import normalise_nulls
from papilio.errors import DataError
from papilio.kernels.codes import Codes

#: People who are counted one by one where there are too many to count all of them.
HEAVY = 4096
#: What the column of people is called once it has left its table.
PERSON = "person"


@dataclass(frozen=True, eq=False)
class People:
    """The people of a table, by numbers.

    Attributes
    ----------
    codes
        Whose each row is: 0, 1, ... for people who have several rows; ``several`` for everybody
        who has one row only.
    several
        How many people have several rows.
    most
        Most rows that one person has.
    count
        How many people there are.
    """

    codes: Codes
    several: int
    most: int
    count: int


@dataclass(frozen=True, eq=False)
class PeopleCounted:
    """What is known of the people of a table whose rows are not all at hand.

    Attributes
    ----------
    count, several, most
        As of :class:`People`.
    heavy
        Numbers (:func:`person_numbers`) of those who have most rows, ascending.
    rest
        Most rows that one of the others has.
    """

    count: int
    several: int
    most: int
    heavy: NDArray[np.int64]
    rest: int

    def heavy_codes(self, numbers: NDArray[np.int64]) -> Codes:
        """Whose each row is: the place in ``heavy``, or behind it for everybody else."""
        places = np.searchsorted(self.heavy, numbers)
        known = np.append(self.heavy, np.int64(-1))[places] == numbers
        return np.where(known, places, len(self.heavy)).astype(np.int32)


def person_names(column: pl.Series, *, linked: bool = False) -> pl.Series:
    """Read the column that says whose row it is, as text without blanks around it.

    Blanks are left out because two spellings of a person would count as two people, and a class
    would look better protected than it is; two people who are taken for one only cost detail.

    Parameters
    ----------
    column
        The column.
    linked
        Whether rows of a person are kept together, so that they cannot be people themselves.

    Raises
    ------
    DataError
        If somebody is not named: rows of unknown people may all be one person's.
    """
    known = person_texts(column)
    check_named(column.name, known.null_count(), len(column), linked=linked)
    return known.alias(PERSON)


def person_texts(column: pl.Series) -> pl.Series:
    """Names of people as :func:`person_names` reads them; NULL where nobody is named."""
    known = normalise_nulls(column).cast(pl.String).str.strip_chars()
    return known.set(known == "", None)


def check_named(column: str, unknown: int, rows: int, *, linked: bool = False) -> None:
    """Refuse rows of people who are not named; see :func:`person_names`."""
    if unknown:
        instead = "" if linked else ", or write person: rows if each row is another person"
        raise DataError(
            f"column '{column}' says whose row it is, and {unknown} of {rows} rows have nothing "
            "there; they may all be one person's: fill it in, or leave these rows out of the source"
            f"{instead}",
            reason="unknown-person",
        )


def person_numbers(names: pl.Series, key: int) -> NDArray[np.int64]:
    """Numbers of 63 bits that stand for names where not all of them are at hand.

    Two of n people get the same one, and are taken for one person, with a chance of about
    :math:`n^2 / 2^{64}`: one in 1800 for a hundred million.

    Parameters
    ----------
    names
        Text, none of it NULL.
    key
        Drawn for the run, so that nobody can tell a number of a known name.

    Notes
    -----
    Cost: one hash per row. The same name and key have the same number in every process.
    """
    return (names.cast(pl.String).hash(key) // 2).cast(pl.Int64).to_numpy()


def people_of(names: pl.Series) -> People:
    """Number the people of :func:`person_names`.

    Cost: a sort of the distinct names, and a few passes; 4 bytes per row are kept.
    """
    numbers = names.cast(pl.Enum(names.unique().sort())).to_physical().to_numpy()
    counts = np.bincount(numbers)
    repeated = counts > 1
    several = int(repeated.sum())
    code_of = np.where(repeated, np.cumsum(repeated) - 1, several).astype(np.int32)
    most = int(counts.max(initial=0))
    return People(code_of[numbers], several, most, len(counts))


def first_rows(names: pl.Series) -> NDArray[np.int64]:
    """For each row, the first row of the same person.

    Cost: one pass that hashes the names of :func:`person_names`; 8 bytes per row.
    """
    numbered = names.to_frame(PERSON).with_row_index("row")
    first = numbered.select(pl.col("row").first().over(PERSON)).to_series()
    return first.cast(pl.Int64).to_numpy().copy()


def constant_columns(frame: pl.DataFrame, first: NDArray[np.int64]) -> tuple[str, ...]:
    """Columns that have one value in all rows of a person, for every person.

    NULL is a value like any other: a person with NULL in one row and something in another has two.

    Parameters
    ----------
    frame
        The rows.
    first
        For each row, the first row of the same person; see :func:`first_rows`.

    Notes
    -----
    Cost: one comparison per cell. Nothing is sorted or hashed.
    """
    rows = pl.Series(first)
    return tuple(
        column.name
        for column in frame.iter_columns()
        if column.eq_missing(column.gather(rows)).all()
    )
