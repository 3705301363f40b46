"""Counts of the regions of a tree, from all workers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.collected import collect
from papilio.engines.spark.read import map_frames
from papilio.families.one_table.methods.top_tree import NodeCounts, TopTree, count_nodes
from papilio.workflow.spark.coded import codes_as_read
from papilio.workflow.spark.table import SparkTable

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
    number per value of each quasi-identifier and of each sensitive column that is spoken of.
    """

    def __init__(self, table: SparkTable) -> None:
        self._table = table

    def count(self, tree: TopTree, nodes: Sequence[int]) -> Sequence[NodeCounts]:
        """Count some nodes that are not cut, in the order in which they are asked for."""
        meanings = self._table.meanings
        sizes = list(meanings.sizes)
        more = list(meanings.sensitive_sizes)
        asked = list(nodes)

        def work(frame: pl.DataFrame) -> pa.Table:
            codes, sensitive = codes_as_read(frame, meanings)
            counted = count_nodes(codes, sensitive, tree, asked, sizes, more)
            flat = np.concatenate([part for each in counted for part in _parts(each)])
            places = np.flatnonzero(flat)
            return pa.table({"place": places.astype(np.int32), "rows": flat[places]})

        counted = map_frames(self._table.session, self._table.scan, work, _SCHEMA)
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
