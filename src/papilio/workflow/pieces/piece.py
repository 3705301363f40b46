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
from papilio.data.roles import Role
from papilio.data.types import plain_text
from papilio.kernels.codes import Codes
from papilio.kernels.demand import COLUMN, SIZE, Demand
from papilio.workflow.pieces.meanings import HASHED, Meanings, SensitiveMeaning


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
    """

    encoded: EncodedTable
    sensitive: NDArray[np.int32]
    carried: pl.DataFrame

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.encoded.height


def piece_of(frame: pl.DataFrame, meanings: Meanings) -> Piece:
    """Encode rows for the methods.

    Parameters
    ----------
    frame
        Rows as :func:`papilio.workflow.pieces.typed.typed_frame` gives them.
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
    if not hashed:
        return demand
    rules = demand.rules.copy()
    for place in hashed:
        rules[rules[:, COLUMN] == place, SIZE] = int(piece.sensitive[:, place].max(initial=0)) + 1
    return demand._replace(rules=rules)


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
