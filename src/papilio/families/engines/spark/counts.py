"""Sums over groups and counts of boxes on Spark."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.read import map_frames
from papilio.engines.spark.write import collect
from papilio.families.engines.report import GroupKeys, SourceSums
from papilio.families.engines.spark.coded import codes_as_read, signed, unsigned
from papilio.families.engines.spark.source_rows import SourceRows, map_rows
from papilio.families.engines.spark.table import SparkTable
from papilio.families.generalising.top_tree import NodeCounts, TopTree, count_nodes
from papilio.privacy.requirement import with_codes_of_people
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.witness.values import RowSum, sum_rows

_SCHEMA = "place int, rows bigint"


class SparkCounter:
    """Counts what occurs in the nodes of a tree: each worker in its parts, the engine adds up.

    Parameters
    ----------
    table
        The source in the engine.

    Notes
    -----
    One pass over the source and one small shuffle per call. Collected: for each node at most one
    number per value of each quasi-identifier and of each sensitive column that is spoken of, and
    where people may have several rows one for each of those who have most.
    """

    def __init__(self, table: SparkTable) -> None:
        self._table = table

    def count(self, tree: TopTree, nodes: Sequence[int]) -> Sequence[NodeCounts]:
        """Count some nodes that are not cut, in the order in which they are asked for."""
        meanings = self._table.meanings
        sizes = list(meanings.sizes)
        more = list(meanings.sensitive_sizes)
        asked, persons = list(nodes), self._table.persons

        def work(frame: pl.DataFrame) -> pa.Table:
            codes, sensitive = codes_as_read(frame, meanings)
            if persons is not None:
                heavy = persons.counted.heavy_codes(persons.numbers(frame).to_numpy())
                sensitive = with_codes_of_people(sensitive, heavy)
            counted = count_nodes(codes, sensitive, tree, asked, sizes, more)
            flat = np.concatenate([part for each in counted for part in _parts(each)])
            places = np.flatnonzero(flat)
            return pa.table({"place": places.astype(np.int32), "rows": flat[places]})

        counted = map_frames(self._table.session, self._table.whole, work, _SCHEMA)
        summed = counted.groupBy("place").sum("rows").toDF("place", "rows")
        return _unflattened(collect(summed, "counts of regions"), len(asked), sizes, more)


def _parts(counts: NodeCounts) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    return [*counts.codes, *counts.sensitive]


def _unflattened(
    found: pa.Table, nodes: int, sizes: Sequence[int], more: Sequence[int]
) -> list[NodeCounts]:
    lengths = [*sizes, *more]
    flat = np.zeros(nodes * sum(lengths), np.int64)
    flat[found.column("place").to_numpy()] = found.column("rows").to_numpy()
    counts = []
    for line in flat.reshape(nodes, sum(lengths)):
        parts = np.split(line, np.cumsum(lengths)[:-1])
        counts.append(NodeCounts(tuple(parts[: len(sizes)]), tuple(parts[len(sizes) :])))
    return counts


def sum_source_rows(
    rows: SourceRows,
    names: Sequence[str],
    sensitive: str,
    keys: GroupKeys,
    personal: str | None = None,
) -> SourceSums:
    """Add up the rows of the source in a pass that does nothing else with them.

    Parameters
    ----------
    rows
        The source.
    names
        Its published columns, in the order in which workers add them up.
    sensitive
        The one that is published apart.
    keys
        The keys of the workers.
    personal
        Column in which people demand something for themselves; it comes last.

    Notes
    -----
    Collected: three numbers for each part of the source.
    """
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, names)
        values = sum_rows(typed.select(sensitive), keys.values).total
        if personal is not None:
            typed = typed.with_columns(demanded_texts(frame, personal).alias(PERSONAL))
        found = sum_rows(typed, keys.rows)
        return pl.DataFrame([[found.rows], [signed(found.total)], [signed(values)]], list(_SUMS))

    sums = collect(map_rows(rows, work, _SUMS), "sums of rows")
    read, total, values = (sums.column(name).to_pylist() for name in _SUMS)
    return SourceSums(
        RowSum(sum(read), unsigned(sum(total))), RowSum(sum(read), unsigned(sum(values)))
    )


_SUMS: dict[str, pl.DataType] = dict.fromkeys(("rows", "total", "values"), pl.Int64())


def demanded_texts(frame: pl.DataFrame, personal: str) -> pl.Series:
    """What people demand for themselves, as text, of rows as read."""
    return frame.get_column(personal).cast(pl.String).str.strip_chars()
