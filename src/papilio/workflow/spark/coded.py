"""Codes of rows as read, looked up once per distinct text of a part instead of once per row."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, codes_for, stack_codes
from papilio.kernels.codes import Codes
from papilio.workflow.pieces.meanings import Meanings
from papilio.workflow.pieces.piece import top_codes
from papilio.workflow.pieces.typed import typed_frame


def codes_as_read(frame: pl.DataFrame, meanings: Meanings) -> tuple[Codes, NDArray[np.int32]]:
    """Codes by which the top of the tree is cut: quasi-identifiers, and sensitive columns.

    The same as :func:`papilio.workflow.pieces.piece.top_codes` of the typed rows.
    """
    codes = [_codes(frame, each, meanings) for each in meanings.quasi]
    about = {each.meaning.column.name for each in meanings.sensitive}
    columns = tuple(each for each in meanings.columns if each.name in about)
    rest = replace(meanings, columns=columns, quasi=())
    sensitive = top_codes(typed_frame(frame, rest), rest)[1] if about else _none(frame.height)
    return stack_codes(codes, frame.height), sensitive


def _codes(frame: pl.DataFrame, meaning: EncodedColumn, meanings: Meanings) -> Codes:
    name = meaning.column.name
    one = replace(meanings, columns=(meaning.column,))
    series = frame.get_column(name)
    if not isinstance(series.dtype, pl.Enum):
        return codes_for(meaning, typed_frame(frame.select(name), one).get_column(name))
    texts = series.dtype.categories.alias(name)
    known = codes_for(meaning, typed_frame(pl.DataFrame([texts]), one).get_column(name))
    places = series.to_physical()
    # The last entry is for NULL, which is always code 0.
    padded = np.append(known, known.dtype.type(0))
    return cast(Codes, padded[places.fill_null(len(known)).to_numpy()])


def _none(height: int) -> NDArray[np.int32]:
    return np.empty((height, 0), np.int32)
