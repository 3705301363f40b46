"""Requirements on sensitive columns as rules that kernels can test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, encode_column
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.table import Table
from papilio.errors import DataError, InternalError
from papilio.kernels.codes import Codes
from papilio.kernels.demand import DISTINCT, ENTROPY, EQUAL, LINE, RECURSIVE, TREE
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.l_diversity import Diversity
from papilio.privacy.nt_closeness import NTCloseness
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.secret_column import SecretColumn
from papilio.privacy.t_closeness import Distance, TCloseness

#: Sums in kernels must stay below this.
_LARGEST = 1 << 63


@dataclass(frozen=True, eq=False)
class Rule:
    """One line of a demand's rules; see :mod:`papilio.kernels.demand`."""

    kind: int
    least: int = 0
    numerator: int = 0
    denominator: int = 1
    height: int = 0
    limit: float = 0.0
    base: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def entries(self, column: int, size: int, start: int) -> list[int]:
        """Its whole numbers, in the order of the constants of the kernel."""
        return [
            self.kind,
            column,
            size,
            self.least,
            self.numerator,
            self.denominator,
            start,
            self.height,
        ]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A sensitive column as codes.

    Attributes
    ----------
    meaning
        What the codes mean.
    codes
        Code of each row.
    """

    meaning: EncodedColumn
    codes: Codes

    @property
    def size(self) -> int:
        """Number of codes."""
        return len(self.meaning.values)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    def frequency(self) -> NDArray[np.int64]:
        """How often each code occurs."""
        return np.bincount(self.codes, minlength=self.size).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A sensitive column of which only counts are at hand.

    Attributes
    ----------
    meaning
        What the codes mean.
    counts
        How often each code occurs.
    """

    meaning: EncodedColumn
    counts: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Number of codes."""
        return len(self.counts)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    def frequency(self) -> NDArray[np.int64]:
        """How often each code occurs."""
        return self.counts


#: What a rule is compiled for.
RuledColumn: TypeAlias = CodedColumn | CountedColumn


def coded(table: Table, name: str, *, hierarchical: bool) -> CodedColumn:
    """Encode a sensitive column, by the leaves of its hierarchy or by its values.

    The two may differ: times of one day are one leaf of a hierarchy of dates.
    """
    column = next(each for each in table.columns if each.name == name)
    if not hierarchical:
        column = replace(column, hierarchy=None)
    return CodedColumn(*encode_column(table.frame.get_column(name), column))


def is_hierarchical(requirement: Diversity | TCloseness) -> bool:
    """Whether a requirement looks at the leaves of a hierarchy instead of the values."""
    if isinstance(requirement, SecretColumn):
        # Cells of a quasi-identifier tell no more than its leaves.
        return True
    return isinstance(requirement, TCloseness) and requirement.distance is Distance.HIERARCHICAL


def least_rows(requirement: Diversity | TCloseness) -> int:
    """Rows without which no class can satisfy a requirement."""
    return 1 if isinstance(requirement, TCloseness) else math.ceil(requirement.l)


def rule_of(requirement: Diversity | TCloseness, column: RuledColumn) -> Rule:
    """Compile a requirement on a column."""
    match requirement:
        case DistinctDiversity():
            return Rule(DISTINCT, least=requirement.l)
        case EntropyDiversity():
            return Rule(ENTROPY, least=math.ceil(requirement.l), limit=requirement.limit)
        case RecursiveDiversity(c=c):
            return Rule(RECURSIVE, requirement.l, c.numerator, c.denominator)
        case TCloseness():
            return _closeness(requirement, column)


def _closeness(requirement: TCloseness, column: RuledColumn) -> Rule:
    over, under = requirement.t.numerator, requirement.t.denominator
    enough = requirement.n if isinstance(requirement, NTCloseness) else 0
    frequency = column.frequency()
    match requirement.distance:
        case Distance.EQUAL:
            return Rule(EQUAL, enough, over, under, base=frequency)
        case Distance.ORDERED:
            below = np.cumsum(frequency)
            sums = np.cumsum(below) - below
            base = np.concatenate([below, sums])
            return Rule(LINE, enough, over, under, base=base)
        case Distance.HIERARCHICAL if column.meaning.hierarchy is not None:
            height, base = _tree(column.meaning.hierarchy, frequency)
            _check_tree_size(column, height)
            return Rule(TREE, enough, over, under, height, base=base)
    raise InternalError("t-closeness without a distance", reason="no-distance")


def _tree(tree: Hierarchy, frequency: NDArray[np.int64]) -> tuple[int, NDArray[np.int64]]:
    """Height of a tree, and its nodes as :func:`papilio.kernels.closeness.tree_close` has them."""
    heights = _heights(tree.parent)
    # The root has no parent and no weight that anyone reads.
    below = np.concatenate([[0], np.cumsum(frequency)])
    nodes = np.column_stack(
        [
            tree.parent,
            tree.first,
            tree.last,
            heights[tree.parent] - heights,
            below[tree.last + 1] - below[tree.first],
        ]
    )
    base = np.concatenate([tree.leaf_node, nodes.ravel()])
    return int(heights[0]), base.astype(np.int64)


def _heights(parent: NDArray[np.int32]) -> NDArray[np.int64]:
    """Steps from each node down to its deepest leaf; parents stand before their children."""
    heights = np.zeros(len(parent), np.int64)
    for node in range(len(parent) - 1, 0, -1):
        heights[parent[node]] = max(heights[parent[node]], heights[node] + 1)
    return heights


def _check_tree_size(column: RuledColumn, height: int) -> None:
    rows = column.rows
    if height * rows * rows >= _LARGEST:
        raise DataError(
            f"column '{column.meaning.column.name}': t-closeness over a hierarchy of height "
            f"{height} is limited to {math.isqrt(_LARGEST // height)} rows; the table has {rows}",
            reason="table-too-large",
        )


def stack(columns: Sequence[CodedColumn], height: int) -> NDArray[np.int32]:
    """Lay codes side by side, one line per row."""
    stacked = np.empty((height, len(columns)), np.int32)
    for index, column in enumerate(columns):
        stacked[:, index] = column.codes
    return stacked
