"""The values of a class that lies in several files, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from papilio.data.encode import EncodedColumn, EncodedTable, stack_codes
from papilio.kernels.codes import Codes
from papilio.workflow.out_of_core.rows_on_disk import RowFile, codes_in
from papilio.workflow.pieces.meanings import Meanings
from papilio.workflow.pieces.piece import own_codes


def box_of(files: Sequence[RowFile], meanings: Meanings) -> EncodedTable:
    """Lines that, column by column, hold every code of the rows in some files.

    Of a column that is known by its span, the smallest and the largest value and NULL are enough.
    """
    wide = [each.column.name for each in meanings.quasi if each.span is not None]
    occurs = [np.zeros(size, np.bool_) for size in meanings.sizes]
    ends: dict[str, list[pl.Series]] = {name: [] for name in wide}
    for file in files:
        for records, _ in file.windows():
            codes, _ = codes_in(records)
            for place, flags in enumerate(occurs):
                flags[codes[:, place]] = True
            for name in wide:
                ends[name].append(_ends(file.layout.column(name, records)))
    found = [
        _column(meaning, flags, ends.get(meaning.column.name))
        for meaning, flags in zip(meanings.quasi, occurs, strict=True)
    ]
    height = max(len(codes) for _, codes in found)
    # Shorter columns go round again, so that all have as many lines.
    longest = [codes[np.arange(height) % len(codes)] for _, codes in found]
    codes = stack_codes(longest, height)
    return EncodedTable(codes, tuple(meaning for meaning, _ in found))


def _ends(series: pl.Series) -> pl.Series:
    there = series.drop_nulls()
    null = series.filter(series.is_null()).head(1)
    return pl.concat([null, there.sort().head(1), there.sort().tail(1)])


def _column(
    meaning: EncodedColumn, occurs: np.ndarray[tuple[int], np.dtype[np.bool_]],
    ends: list[pl.Series] | None,
) -> tuple[EncodedColumn, Codes]:  # fmt: skip
    if ends is None:
        return meaning, np.flatnonzero(occurs).astype(np.int32)
    own, codes = own_codes(meaning, pl.concat(ends))
    return replace(own, span=meaning.span), codes
