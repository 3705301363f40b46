"""A fixed number of features of each person's tree, by which people are cut into groups.

The root gives its codes. Below it, of each table, the number of rows, and the codes of a few rows
spread evenly over the list in which they stand sorted; below these the same again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.snowflake import Snowflake
from papilio.families.linked.methods.forest import Forest
from papilio.kernels.tree_cuts import COUNT

Ints = NDArray[np.int64]

#: Rows of each table that are looked at below one row, by depth; one further down.
_SLOTS = (3, 2)
#: Features are not added beyond this number.
_MOST = 48


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the distinct trees of people; see :mod:`papilio.kernels.tree_cuts`.

    Attributes
    ----------
    codes
        One line per node of the person table, from the first such node on.
    first_node
        Number of that node.
    kind, size, base, weight
        What each feature is.
    """

    codes: NDArray[np.int32]
    first_node: int
    kind: Ints
    size: Ints
    base: Ints
    weight: NDArray[np.float64]


def features_of(forest: Forest, snowflake: Snowflake) -> Features:
    """Look at the trees of all people."""
    first = int(forest.row_node[: forest.people].min())
    nodes = np.arange(first, len(forest.table))
    walk = _Walk(forest, snowflake)
    walk.visit(nodes, 0, 0, 1.0)
    meaning = np.array(walk.meaning, np.int64).reshape(-1, 3)
    kind, size, base = (np.ascontiguousarray(meaning[:, i]) for i in range(3))
    codes = np.column_stack(walk.codes) if walk.codes else np.zeros((len(nodes), 0), np.int32)
    weight = np.array(walk.weight, np.float64)
    return Features(np.ascontiguousarray(codes), first, kind, size, base, weight)


class _Walk:
    """Collects features, the ones nearest to the root first."""

    def __init__(self, forest: Forest, snowflake: Snowflake) -> None:
        self.forest, self.snowflake = forest, snowflake
        self.codes: list[NDArray[np.int32]] = []
        self.meaning: list[tuple[int, int, int]] = []
        self.weight: list[float] = []

    def visit(self, nodes: Ints, table: int, depth: int, weight: float) -> None:
        """Add the features of one row of each tree; ``nodes`` is -1 where there is none."""
        self._own(nodes, table, weight)
        for below in range(len(self.snowflake.tables)):
            if self.snowflake.above(below) == table and len(self.codes) < _MOST:
                self._below(nodes, below, depth, weight)

    def _own(self, nodes: Ints, table: int, weight: float) -> None:
        forest, labels = self.forest, self.forest.labels
        rows = forest.example[nodes] - forest.row_base[table]
        for place in range(labels.first[table + 1] - labels.first[table]):
            column = labels.first[table] + place
            codes = forest.tables[table].codes[np.where(nodes < 0, 0, rows), place]
            self._add(np.where(nodes < 0, -1, codes), column, weight)

    def _add(self, codes: NDArray[np.integer], column: int, weight: float) -> None:
        labels = self.forest.labels
        meaning = (labels.kind[column], labels.size[column], labels.base[column])
        self.codes.append(codes.astype(np.int32))
        self.meaning.append(tuple(map(int, meaning)))  # type: ignore[arg-type]
        self.weight.append(weight)

    def _below(self, nodes: Ints, table: int, depth: int, weight: float) -> None:
        first, counts = _lists(self.forest, nodes, table)
        mine = self.forest.table == table
        burden = float(self.forest.burden[mine].mean())
        self.codes.append(np.where(nodes < 0, -1, counts).astype(np.int32))
        self.meaning.append((COUNT, 0, 0))
        self.weight.append(weight * burden)
        slots = _SLOTS[depth] if depth < len(_SLOTS) else 1
        mean = float(counts[counts > 0].mean()) if (counts > 0).any() else 1.0
        share = max(mean / slots, 1.0) * weight
        for slot in range(slots):
            place = np.where(counts <= slots, slot, (2 * slot + 1) * counts // (2 * slots))
            there = place < counts
            child = np.where(there, first + place, 0)
            below = np.where(there, self.forest.child[child], -1)
            if there.any() and len(self.codes) < _MOST:
                self.visit(below, table, depth + 1, share)


def _lists(forest: Forest, nodes: Ints, table: int) -> tuple[Ints, Ints]:
    """Where the children of each node that belong to a table begin, and how many there are."""
    belongs = forest.table[forest.child] == table
    before = np.concatenate([[0], np.cumsum(belongs)])
    larger = np.concatenate([[0], np.cumsum(forest.table[forest.child] > table)])
    start, end = forest.start[nodes], forest.start[nodes + 1]
    start, end = np.where(nodes < 0, 0, start), np.where(nodes < 0, 0, end)
    # Children stand in descending order of their tables.
    return start + larger[end] - larger[start], before[end] - before[start]
