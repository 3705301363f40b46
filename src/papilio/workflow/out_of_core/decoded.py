"""Rows as they were read, back from their records."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from papilio.workflow.out_of_core.records import Records, columns_in
from papilio.workflow.out_of_core.rows_on_disk import RowFile, codes_in
from papilio.workflow.pieces.decoded import decoded_column


def decoded(rows: RowFile) -> pl.DataFrame:
    """Give the rows of a file as they were read, for the verifier; text as ``Enum`` or ``String``.

    See :mod:`papilio.workflow.pieces.decoded`.
    """
    records, texts = next(rows.windows(rows.height))
    return decoded_records(rows, records, texts)


def decoded_records(rows: RowFile, records: Records, texts: Sequence[bytes]) -> pl.DataFrame:
    """The same of some records of a file and the bytes of their texts."""
    meanings = rows.layout.meanings
    stored = columns_in(records, dict(zip(rows.layout.texts, texts, strict=True)), rows.layout)
    kept = {series.name: series for series in stored}
    codes = codes_in(records)[0] if meanings.quasi else None
    for place, meaning in enumerate(meanings.quasi):
        name = meaning.column.name
        if codes is not None and name not in kept:
            kept[name] = decoded_column(meaning, codes[:, place])
    return pl.DataFrame([kept[column.name] for column in meanings.columns])
