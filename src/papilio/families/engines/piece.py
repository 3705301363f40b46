"""The rows of one piece, ready to be divided into classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import (
    EncodedColumn,
    EncodedTable,
    codes_for,
    encode_column,
    stack_codes,
)
from papilio.data.table import Role
from papilio.data.types import plain_text
from papilio.errors import DataError
from papilio.families.engines.meanings import HASHED, Meanings, SensitiveMeaning
from papilio.kernels.codes import Codes
from papilio.kernels.demand import COLUMN, NUMERATOR, SIZE, Demand
from papilio.kernels.draw_groups import draw_groups, sums_tree
from papilio.privacy.requirement import with_codes_of_people
from papilio.randomness import Randomness


class Drawing:
    """Deals rows of several kinds out to groups, one after the other.

    Each row draws one of the places that are left for its kind, all with the same chance. So, once
    all rows are dealt out, every way to fill the groups was equally likely, whatever the order in
    which the rows came.

    Parameters
    ----------
    kinds, groups, copies
        The plan: how many rows of a kind go to a group. Kinds ascend.
    count
        Number of kinds.
    """

    def __init__(
        self,
        kinds: NDArray[np.int64],
        groups: NDArray[np.int64],
        copies: NDArray[np.int64],
        count: int,
    ) -> None:
        self._starts = np.searchsorted(kinds, np.arange(count + 1)).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(copies)]).astype(np.int64)
        self._left = np.diff(before[self._starts])
        self._groups = groups.astype(np.int64)
        self._tree = sums_tree(copies.astype(np.int64))

    def draw(self, kinds: NDArray[np.int64], randomness: Randomness) -> NDArray[np.int64]:
        """Draw a group for each of some rows, given the kinds of them.

        Raises
        ------
        DataError
            If there are more rows of a kind than the plan has, or a kind is -1.

        Notes
        -----
        Cost: O(log entries) for each row whose kind goes to more than one group.
        """
        keys = randomness.keys(len(kinds))
        known = np.maximum(kinds, 0)
        drawn = draw_groups(known, keys, self._starts, self._groups, self._left, self._tree)
        if len(kinds) and (int(kinds.min()) < 0 or int(drawn.min()) < 0):
            raise changed_while_reading()
        return drawn


def changed_while_reading() -> DataError:
    """Return the error for a source of which two passes saw different rows."""
    return DataError(
        "the source changed while it was read; read it again when nothing writes to it",
        reason="changed-while-reading",
    )


@dataclass(frozen=True, eq=False)
class PiecePeople:
    """Whose the rows of a piece are.

    Attributes
    ----------
    numbers
        A number that stands for the person, the same in all pieces; any for who has one row only.
    several
        Whether that person has several rows in the whole table.
    """

    numbers: NDArray[np.int64]
    several: NDArray[np.bool_]

    def codes(self) -> tuple[Codes, int]:
        """Codes as of :class:`papilio.data.people.People`, and how many people have several."""
        known, places = np.unique(self.numbers[self.several], return_inverse=True)
        codes = np.full(len(self.numbers), len(known), np.int32)
        codes[self.several] = places
        return codes, len(known)


@dataclass(frozen=True, eq=False)
class Piece:
    """Some rows of a table.

    Attributes
    ----------
    encoded
        The quasi-identifiers, with the meanings of the whole table.
    sensitive
        Codes of the sensitive columns that requirements speak of, one line per row.
    carried
        The sensitive and plain columns.
    people
        Whose the rows are, where people may have several.
    """

    encoded: EncodedTable
    sensitive: NDArray[np.int32]
    carried: pl.DataFrame
    people: PiecePeople | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.encoded.height


def piece_of(frame: pl.DataFrame, meanings: Meanings) -> Piece:
    """Encode rows for the methods.

    Parameters
    ----------
    frame
        Rows as :func:`papilio.families.engines.meanings.typed_frame` gives them.
    meanings
        The table they are from.
    """
    found = [own_codes(each, frame.get_column(each.column.name)) for each in meanings.quasi]
    codes = stack_codes([codes for _, codes in found], frame.height)
    encoded = EncodedTable(codes, tuple(meaning for meaning, _ in found))
    return Piece(encoded, own_sensitive(frame, meanings), carried_columns(frame, meanings))


def carried_columns(frame: pl.DataFrame, meanings: Meanings) -> pl.DataFrame:
    """The columns that are published as they are."""
    return frame.select(each.name for each in meanings.columns if each.role is not Role.QUASI)


def own_codes(meaning: EncodedColumn, series: pl.Series) -> tuple[EncodedColumn, Codes]:
    """Codes of a column of a piece; its own if the table has only bins."""
    if meaning.span is None:
        return meaning, codes_for(meaning, series)
    # One more NULL in front, so that a piece without any has the same cells as the others.
    null = pl.Series(series.name, [None], dtype=series.dtype)
    padded = pl.concat([null, series]) if meaning.has_null else series
    own, codes = encode_column(padded, meaning.column)
    return replace(own, span=meaning.span), codes[len(padded) - len(series) :]


def own_sensitive(frame: pl.DataFrame, meanings: Meanings) -> NDArray[np.int32]:
    """Codes of the sensitive columns for the demand on a piece."""
    return _beside(
        [_own(each, frame.get_column(each.meaning.column.name)) for each in meanings.sensitive],
        frame.height,
    )


def top_codes(frame: pl.DataFrame, meanings: Meanings) -> tuple[Codes, NDArray[np.int32]]:
    """Codes by which the top of the tree is cut: quasi-identifiers, and sensitive columns."""
    codes = [codes_for(each, frame.get_column(each.column.name)) for each in meanings.quasi]
    values = [_top(each, frame.get_column(each.meaning.column.name)) for each in meanings.sensitive]
    return stack_codes(codes, frame.height), _beside(values, frame.height)


def demand_on(piece: Piece, meanings: Meanings) -> Demand:
    """What each class of a piece must satisfy, by the distribution of the whole table."""
    demand = meanings.demand._replace(sensitive=piece.sensitive)
    hashed = [place for place, each in enumerate(meanings.sensitive) if each.hashed]
    if hashed:
        rules = demand.rules.copy()
        for place in hashed:
            most = int(piece.sensitive[:, place].max(initial=0))
            rules[rules[:, COLUMN] == place, SIZE] = most + 1
        demand = demand._replace(rules=rules)
    return demand if piece.people is None else over_people_of(demand, piece.people)


def over_people_of(demand: Demand, people: PiecePeople) -> Demand:
    """A demand over people that knows whose the rows of a piece are."""
    codes, several = people.codes()
    rules = demand.rules.copy()
    rules[0, SIZE] = several + 1
    # Nobody has more rows in a class of the piece than in the piece.
    rules[0, NUMERATOR] = max(int(np.bincount(codes)[:several].max(initial=0)), 1)
    together = with_codes_of_people(demand.sensitive, codes)
    return demand._replace(rules=rules, sensitive=together)


def _own(column: SensitiveMeaning, series: pl.Series) -> Codes:
    if not column.hashed:
        return codes_for(column.meaning, series)
    return encode_column(series, replace(column.meaning.column, domain=None))[1]


def _top(column: SensitiveMeaning, series: pl.Series) -> Codes:
    if not column.hashed:
        return codes_for(column.meaning, series)
    return (plain_text(series).hash() % HASHED).cast(pl.Int32).to_numpy()


def _beside(columns: Sequence[Codes], height: int) -> NDArray[np.int32]:
    stacked = np.empty((height, len(columns)), np.int32)
    for place, codes in enumerate(columns):
        stacked[:, place] = codes
    return stacked
