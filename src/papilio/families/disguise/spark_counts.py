"""What a disguise is planned from: the domain of the column, and counts of its leaves by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import Column
from papilio.data.domain_cells import MOST_CELLS, locate
from papilio.data.domain_tree import DomainTree
from papilio.data.weighted_tree import WeightedTree
from papilio.engines.spark.collected import collect
from papilio.families.disguise.methods.domain_of import (
    check_missing,
    check_outside,
    is_over_range,
    tree_of,
)
from papilio.families.disguise.methods.target_of import WeightFile, target_of
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.normalise_weights import WeightChange
from papilio.workflow.spark.group_sums import demanded_texts
from papilio.workflow.spark.source_rows import SourceRows, Typing, map_rows

#: Instead of the leaf: the value is outside of the domain, or missing.
_OUTSIDE, _MISSING = -1, -2


@dataclass(frozen=True, eq=False)
class CountedPart:
    """Rows with one target, counted.

    Attributes
    ----------
    key
        What they have in the columns that tell parts apart, as text.
    target, change
        Their target, and what normalising did to it.
    leaves
        Leaf -> number of rows.
    codes, said, counts
        Number of rows with each leaf and what is said about it; one entry without personal levels.
    """

    key: tuple[str | None, ...]
    target: WeightedTree
    change: WeightChange
    leaves: NDArray[np.int64]
    codes: NDArray[np.int32]
    said: pl.Series
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reading:
    """How workers see a row: its part, its leaf, and what its person says.

    Attributes
    ----------
    typing
        Types of the columns.
    column
        The disguised column.
    by
        Columns that tell parts apart.
    personal
        Column that holds what people say, if there is one.
    tree
        The subdomains.
    """

    typing: Typing
    column: str
    by: tuple[str, ...]
    personal: str | None
    tree: DomainTree

    @property
    def keys(self) -> list[str]:
        """Names of what tells parts apart."""
        return [f"b{place}" for place in range(len(self.by))]

    def value(self, frame: pl.DataFrame) -> pl.Series:
        """Values of the disguised column of rows as read."""
        return self.typing.give(frame, [self.column]).to_series()

    def read(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Keys, ``code`` and ``said`` of rows as read."""
        typed = self.typing.give(frame, [*self.by, self.column])
        keys = typed.select(pl.col(self.by).cast(pl.String)) if self.by else pl.DataFrame()
        values = typed.get_column(self.column)
        codes = np.where(values.is_null().to_numpy(), _MISSING, locate(self.tree, values))
        texts = (
            pl.Series([None] * frame.height, dtype=pl.String)
            if self.personal is None
            else demanded_texts(frame, self.personal)
        )
        more = [pl.Series("code", codes.astype(np.int32)), texts.alias("said")]
        return pl.DataFrame([*(s.alias(k) for s, k in zip(keys, self.keys, strict=True)), *more])


def tree_in_engine(
    rows: SourceRows, column: Column, said: TargetPolicy, file: WeightFile | None
) -> DomainTree:
    """Build the subdomains of a column from the values that occur.

    A tree over a range that the policy gives needs none of them. Otherwise they are collected, of
    which there may be as many as a tree may have leaves.
    """
    empty = pl.Series(column.name, [], dtype=rows.dtypes[column.name])
    if is_over_range(column, said.tree):
        return tree_of(column, empty, said.tree)
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return (
            typing.give(frame, [column.name]).unique().rename({column.name: "value"}).drop_nulls()
        )

    found = map_rows(rows, work, {"value": empty.dtype}, [column.name])
    found = found.distinct().limit(MOST_CELLS + 1)
    values = pl.Series(column.name, collect(found, "values of the domain").column("value"))
    also = None if file is None else file.values
    return tree_of(column, values.cast(empty.dtype), said.tree, also)


def count_parts(
    rows: SourceRows, reading: Reading, said: TargetPolicy, file: WeightFile | None
) -> list[CountedPart]:
    """Count leaves by part, and find each part's target.

    Parts stand in the order of their keys, as on one machine.

    Raises
    ------
    DataError
        If values are missing or outside of the domain.
    """
    names = [*reading.keys, "code", "said"]
    dtypes = {**dict.fromkeys(reading.keys, pl.String()), "code": pl.Int32(), "said": pl.String()}

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return reading.read(frame).group_by(names).len("rows").cast({"rows": pl.Int64})

    needed = [name for name in (*reading.by, reading.column, reading.personal) if name]
    counted = map_rows(rows, work, {**dtypes, "rows": pl.Int64()}, needed)
    summed = counted.groupBy(*names).sum("rows").toDF(*names, "rows")
    found = pl.DataFrame(collect(summed, "leaves of the domain by part"))
    for code, check in ((_MISSING, check_missing), (_OUTSIDE, check_outside)):
        check(reading.column, int(found.filter(pl.col("code") == code).get_column("rows").sum()))
    ordered = found.sort(names)
    parts = ordered.partition_by(reading.keys, maintain_order=True) if reading.keys else [ordered]
    return [_part(part, reading, said, file) for part in parts]


def _part(
    counted: pl.DataFrame, reading: Reading, said: TargetPolicy, file: WeightFile | None
) -> CountedPart:
    key = counted.select(reading.keys).row(0) if reading.keys else ()
    codes, counts = (counted.get_column(name).to_numpy() for name in ("code", "rows"))
    leaves = np.zeros(reading.tree.leaves, np.int64)
    np.add.at(leaves, codes, counts)
    named: Sequence[str] = () if file is None else file.keys.columns
    known = [value for name, value in zip(reading.by, key, strict=True) if name in named]
    target, change = target_of(said, reading.tree, leaves, file, known)
    name = reading.personal or ""
    return CountedPart(
        key, target, change, leaves, codes, counted.get_column("said").alias(name), counts
    )
