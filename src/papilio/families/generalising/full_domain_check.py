"""Whether a table meets a demand at a vector of levels, from counts of its distinct rows.

The choice among several acceptable vectors of levels: the one that loses least.

All losses are whole numbers, so that a tie is a tie on every machine. A row that is left out counts
as lost altogether.

=================  ===============================================================================
``ncp``            normalised certainty penalty (Xu et al., KDD 2006): for a cell (leaves under its
                   node - 1) / (leaves of the hierarchy - 1); 1 for a cell that is left out
``discernibility`` sum of the squared sizes of the classes; the number of all rows for each row
                   that is left out (Bayardo and Agrawal, ICDE 2005)
``height``         sum of the levels (Samarati, TKDE 13(6), 2001)
=================  ===============================================================================

Ties go to the smaller ``ncp``, then to the smaller ``height``, then to the vector that has the
lower level in the first column in which they differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.hierarchy.tree import Hierarchy
from papilio.families.classes import Classes
from papilio.families.generalising.full_domain import Vector
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.incognito import (
    Levels,
    classes_met,
    merge_classes,
    rows_below,
    rows_by_class,
    spread_of_classes,
    weighed_classes_met,
)

#: Combinations of nodes are numbered up to here, and compared node by node beyond.
_MOST_COMBINATIONS = 2**62


@dataclass(frozen=True, eq=False)
class FrequencySet:
    """Which combinations of nodes occur, and how often.

    Attributes
    ----------
    members
        One distinct row for each class.
    counts
        Rows of each class.
    """

    members: NDArray[np.int32]
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Accepted:
    """The classes of a vector that is acceptable.

    Attributes
    ----------
    classes
        All of them.
    met
        Which of them meet the demand; rows of the others are left out.
    """

    classes: FrequencySet
    met: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Question:
    """A table reduced to its distinct rows, and what is demanded of it.

    Attributes
    ----------
    codes
        The distinct rows.
    distinct
        Which of them each row of the table is.
    weights
        How many rows each row of the table stands for; ``None`` if for one.
    every
        The distinct rows as a frequency set.
    levels
        What codes become at each level.
    top
        The last level of each column.
    leaves
        Number of leaves of each column.
    demand
        What each class must satisfy.
    beyond_size
        Whether the demand looks at more than the number of rows.
    spare
        How many rows may be left out.
    """

    codes: Codes
    distinct: NDArray[np.int32]
    weights: NDArray[np.int64] | None
    every: FrequencySet
    levels: Levels
    top: Vector
    leaves: tuple[int, ...]
    demand: Demand
    beyond_size: bool
    spare: int

    @property
    def rows(self) -> int:
        """Number of rows of the table."""
        return len(self.distinct) if self.weights is None else int(self.weights.sum())


def question(
    table: EncodedTable,
    trees: Sequence[Hierarchy],
    demand: Demand,
    *,
    beyond_size: bool,
    spare: int,
    weights: NDArray[np.int64] | None = None,
) -> Question:
    """Count the distinct rows of a table.

    Parameters
    ----------
    table, trees
        The table, and a hierarchy for each of its columns.
    demand, beyond_size, spare, weights
        As in :class:`Question`.

    Notes
    -----
    Cost: one pass over the rows; nothing after it looks at them unless the demand does.
    """
    levels = _compile(trees, table.codes)
    columns = np.arange(len(trees))
    rows = np.arange(table.height, dtype=np.int32)
    distinct, first, counts = merge_classes(
        table.codes,
        rows,
        np.ones(table.height, np.int64) if weights is None else weights,
        columns,
        np.zeros_like(columns),
        levels,
        _combinations(levels, columns.tolist(), [0] * len(trees)),
    )
    every = FrequencySet(np.arange(len(first), dtype=np.int32), counts)
    return Question(
        codes=table.codes[first],
        distinct=distinct,
        weights=weights,
        every=every,
        levels=levels,
        top=tuple(tree.height for tree in trees),
        leaves=tuple(len(tree.leaves) for tree in trees),
        demand=demand,
        beyond_size=beyond_size,
        spare=spare,
    )


def roll_up(
    asked: Question, finer: FrequencySet, columns: Sequence[int], at: Sequence[int]
) -> FrequencySet:
    """Frequency set of some columns at some levels, from one that is finer on all of them."""
    _, members, counts = _merge(asked, finer, columns, at)
    return FrequencySet(members, counts)


def accept(
    asked: Question, classes: FrequencySet, columns: Sequence[int], at: Sequence[int]
) -> Accepted | None:
    """Classes at the given levels, if the rows of those that fall short can be spared.

    Parameters
    ----------
    asked
        The table and the demand.
    classes
        The frequency set of the columns at the levels.
    columns, at
        Columns that are not at their root, and their levels.

    Notes
    -----
    Sizes are looked at first; rows only if these pass and more is demanded.
    """
    if not big_enough(asked, classes):
        return None
    if asked.beyond_size:
        return accept_rows(asked, columns, at)
    return Accepted(classes, classes.counts >= asked.demand.least_size)


def accept_rows(asked: Question, columns: Sequence[int], at: Sequence[int]) -> Accepted | None:
    """As :func:`accept`, by a look at the rows of each class.

    Cost: a pass over the distinct rows, one over all rows, and the demand's test of each class, up
    to the class with which too many rows fall short.
    """
    which, members, counts = _merge(asked, asked.every, columns, at)
    _, _, met, unmet = _tested(asked, which, counts, asked.spare)
    return Accepted(FrequencySet(members, counts), met) if unmet <= asked.spare else None


def _tested(
    asked: Question, which: NDArray[np.int32], counts: NDArray[np.int64], spare: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_], int]:
    """Rows by class, where each class starts, which are met, and rows of the others."""
    if asked.weights is None:
        rows, starts = rows_by_class(which, asked.distinct, counts)
        return rows, starts, *classes_met(asked.demand, rows, starts, spare)
    lines = np.bincount(which[asked.distinct], minlength=len(counts)).astype(np.int64)
    rows, starts = rows_by_class(which, asked.distinct, lines)
    met = weighed_classes_met(asked.demand, rows, starts, asked.weights, asked.rows, spare)
    return rows, starts, *met


def big_enough(asked: Question, classes: FrequencySet) -> bool:
    """Whether the rows of classes that are too small can be spared."""
    return rows_below(classes.counts, asked.demand.least_size) <= asked.spare


def classes_at(asked: Question, levels: Vector) -> Classes:
    """Rows of the classes that meet the demand at a vector of levels, class after class."""
    which, _, counts = _merge(asked, asked.every, range(len(levels)), levels)
    rows, starts, met, _ = _tested(asked, which, counts, asked.rows)
    sizes = np.diff(starts)
    return Classes(rows[np.repeat(met, sizes)], np.concatenate([[0], np.cumsum(sizes[met])]))


def _merge(
    asked: Question, finer: FrequencySet, columns: Sequence[int], at: Sequence[int]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    return merge_classes(
        asked.codes,
        finer.members,
        finer.counts,
        np.array(columns, np.int64),
        np.array(at, np.int64),
        asked.levels,
        _combinations(asked.levels, columns, at),
    )


def _combinations(levels: Levels, columns: Sequence[int], at: Sequence[int]) -> int:
    """Number of combinations of groups, or 0 if it is too large for one word."""
    sizes = levels.size
    count = math.prod(int(sizes[c, level]) for c, level in zip(columns, at, strict=True))
    return count if count < _MOST_COMBINATIONS else 0


def _compile(trees: Sequence[Hierarchy], codes: Codes) -> Levels:
    """Number the nodes that occur at each level of each column from 0 on."""
    shape = (len(trees), max(tree.height for tree in trees) + 1)
    start, size = np.zeros(shape, np.int64), np.ones(shape, np.int64)
    group: list[NDArray[np.int32]] = []
    spread: list[NDArray[np.int32]] = []
    for column, tree in enumerate(trees):
        occurring = np.zeros(len(tree.leaves), np.bool_)
        occurring[codes[:, column]] = True
        for level, nodes in enumerate(tree.levels):
            used = np.zeros(len(tree.labels), np.bool_)
            used[nodes[occurring]] = True
            start[column, level] = sum(map(len, group))
            size[column, level] = max(used.sum(), 1)
            group.append((np.cumsum(used) - 1)[nodes].astype(np.int32))
            spread.append((tree.last - tree.first)[nodes])
    return Levels(np.concatenate(group), np.concatenate(spread), start, size)


Metric: TypeAlias = Literal["ncp", "discernibility", "height"]


def choose_levels(asked: Question, accepted: Mapping[Vector, Accepted], metric: Metric) -> Vector:
    """Take the vector with the least loss; see the module for losses and ties."""
    return min(accepted, key=lambda levels: _loss(asked, levels, accepted[levels], metric))


def _loss(
    asked: Question, levels: Vector, accepted: Accepted, metric: Metric
) -> tuple[int, int, int, Vector]:
    ncp, height = _ncp(asked, levels, accepted), sum(levels)
    match metric:
        case "ncp":
            return ncp, ncp, height, levels
        case "discernibility":
            return _discernibility(accepted), ncp, height, levels
        case "height":
            return height, ncp, height, levels


def _ncp(asked: Question, levels: Vector, accepted: Accepted) -> int:
    """Certainty penalty summed over all cells, times the common multiple of the denominators."""
    classes, met = accepted.classes, accepted.met
    suppressed = int(classes.counts[~met].sum())
    sums = spread_of_classes(
        asked.codes, classes.members, classes.counts, met, np.array(levels), asked.levels
    )
    widest = [max(leaves - 1, 1) for leaves in asked.leaves]
    common = math.lcm(*widest)
    kept: int = sum(
        lost * (common // most) for lost, most in zip(sums.tolist(), widest, strict=True)
    )
    return kept + suppressed * len(levels) * common


def _discernibility(accepted: Accepted) -> int:
    counts, met = accepted.classes.counts, accepted.met
    # Squares add up to at most the square of the number of rows, which fits.
    return int((counts[met] ** 2).sum() + counts[~met].sum() * counts.sum())
