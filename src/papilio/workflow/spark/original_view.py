"""The original in the engine: what the verifier is told of it, and a view it can be asked by."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations

import polars as pl

from papilio.errors import DataError
from papilio.families.facts import types_of
from papilio.verify.promise.promise import TableFacts
from papilio.workflow.spark.opened import MOST_ROWS
from papilio.workflow.spark.source_rows import SourceRows, map_rows


def facts_of_rows(rows: SourceRows) -> TableFacts:
    """What the verifier is told of an original."""
    return TableFacts(rows.name, types_of(rows.columns), rows.rows)


@contextmanager
def original_view(rows: SourceRows) -> Iterator[str]:
    """A view of the columns of the original, with their own names."""
    name = f"papilio_original_{secrets.token_hex(8)}"
    names = [column.name for column in rows.columns]
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return typing.give(frame, names)

    map_rows(rows, work, dict(rows.dtypes)).createOrReplaceTempView(name)
    try:
        yield name
    finally:
        rows.session.catalog.dropTempView(name)


def check_countable(names: tuple[str, ...], pairs: dict[tuple[int, int], int]) -> None:
    """Refuse columns with more pairs of values than the verifier can look at.

    Raises
    ------
    DataError
        Names the two columns.
    """
    for i, j in combinations(range(len(names)), 2):
        if pairs[i, j] > MOST_ROWS:
            raise DataError(
                f"columns '{names[i]}' and '{names[j]}' have {pairs[i, j]:,} pairs of values, and "
                f"at most {MOST_ROWS:,} can be verified; round the values of one of them",
                reason="too-many-pairs",
            )
