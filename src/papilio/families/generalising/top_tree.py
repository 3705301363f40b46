"""The top of the Mondrian tree, cut from counts alone.

A table that no memory holds is divided into *pieces* that fit, and every piece is finished by
itself. The pieces are regions of strict Mondrian: boxes of codes, cut by the rules of
:mod:`papilio.kernels.mondrian`. These rules ask only how often each code occurs in a region and,
where something is demanded of sensitive values, how often each of those does. So whoever can count
(a pass over a file, an engine with many workers) can have the top cut, and no row need be moved.

Strict Mondrian inside the pieces then makes the classes that it would make of the whole table,
unless requirements are over people: whether a region meets those is answered carefully, see
:func:`meets`. Other methods make other classes inside than they would without these borders; each
class still meets the demand, because the piece does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import RANGE, TREE, Attributes, range_width, set_width, tree_width
from papilio.kernels.codes import Codes
from papilio.kernels.demand import (
    COLUMN,
    EQUAL,
    KIND,
    LEAST,
    NUMERATOR,
    Demand,
    rule_holds,
    spared_rows,
)
from papilio.kernels.node_counts import count_codes, find_nodes
from papilio.privacy.requirement import is_over_people

#: Rows of a piece, unless memory or the method want fewer.
PIECE_ROWS = 1_000_000


@dataclass(frozen=True, eq=False)
class TopTree:
    """Cuts, and the pieces they leave.

    Attributes
    ----------
    attribute, cut
        Per node, rows whose code of ``attribute`` is at most ``cut`` go left; -1 if not cut.
    left, right
        Nodes below.
    piece
        Number of the piece that a node is, or -1.
    rows
        Rows of each piece.
    one_class
        Whether a piece has more rows than wanted, because no cut of it is allowed.
    """

    attribute: NDArray[np.int32]
    cut: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    piece: NDArray[np.int32]
    rows: tuple[int, ...]
    one_class: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class NodeCounts:
    """What occurs in a node.

    Attributes
    ----------
    codes
        Per attribute, how often each code occurs.
    sensitive
        Per sensitive column that a requirement speaks of, how often each code occurs.
    """

    codes: tuple[NDArray[np.int64], ...]
    sensitive: tuple[NDArray[np.int64], ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.codes[0].sum())

    def __add__(self, other: NodeCounts) -> NodeCounts:
        return NodeCounts(
            tuple(a + b for a, b in zip(self.codes, other.codes, strict=True)),
            tuple(a + b for a, b in zip(self.sensitive, other.sensitive, strict=True)),
        )

    def __sub__(self, other: NodeCounts) -> NodeCounts:
        return NodeCounts(
            tuple(a - b for a, b in zip(self.codes, other.codes, strict=True)),
            tuple(a - b for a, b in zip(self.sensitive, other.sensitive, strict=True)),
        )


class Counter(Protocol):
    """Counts what occurs in the nodes of a tree, wherever the rows are."""

    def count(self, tree: TopTree, nodes: Sequence[int]) -> Sequence[NodeCounts]:
        """Count some nodes that are not cut, in the order in which they are asked for."""


def count_nodes(
    codes: Codes,
    sensitive: NDArray[np.int32],
    tree: TopTree,
    nodes: Sequence[int],
    sizes: Sequence[int],
    sensitive_sizes: Sequence[int],
) -> list[NodeCounts]:
    """Count nodes among rows at hand; what batches or workers return is added up.

    Parameters
    ----------
    codes, sensitive
        Codes of the rows; ``sensitive`` has a column per size in ``sensitive_sizes``.
    tree, nodes
        The tree and the nodes asked for.
    sizes, sensitive_sizes
        Number of codes of each attribute and of each sensitive column.
    """
    where = node_numbers(tree, codes)
    slots = np.full(len(tree.attribute), -1, np.int32)
    slots[list(nodes)] = np.arange(len(nodes), dtype=np.int32)
    found = _histograms(codes, sizes, where, slots, len(nodes))
    values = _histograms(sensitive, sensitive_sizes, where, slots, len(nodes))
    return [NodeCounts(*each) for each in zip(found, values, strict=True)]


def _histograms(
    codes: Codes,
    sizes: Sequence[int],
    where: NDArray[np.int32],
    slots: NDArray[np.int32],
    nodes: int,
) -> list[tuple[NDArray[np.int64], ...]]:
    ends = np.cumsum(sizes, dtype=np.int64)
    counts = np.zeros((nodes, int(ends[-1]) if len(ends) else 0), np.int64)
    if len(ends):
        count_codes(codes, ends - np.asarray(sizes, np.int64), where, slots, counts)
    return [tuple(np.split(line, ends[:-1])) if len(ends) else () for line in counts]


def node_numbers(tree: TopTree, codes: Codes) -> NDArray[np.int32]:
    """Node of each row."""
    found = np.empty(len(codes), np.int32)
    find_nodes(codes, tree.attribute, tree.cut, tree.left, tree.right, found)
    return found


def piece_numbers(tree: TopTree, codes: Codes) -> NDArray[np.int32]:
    """Piece of each row."""
    return tree.piece[node_numbers(tree, codes)]


def cut_top(
    counter: Counter,
    attributes: Attributes,
    demand: Demand,
    *,
    piece_rows: int = PIECE_ROWS,
    weights: Sequence[float] | None = None,
) -> TopTree:
    """Cut a table into pieces of at most ``piece_rows`` rows, where cuts are allowed.

    Parameters
    ----------
    counter
        Counts what occurs in a node. It is asked once per round for one half of each cut that is
        tried; the other half is the difference.
    attributes
        What the codes mean.
    demand
        What each piece must satisfy, as each class must; ``total`` is the number of rows of the
        table if there are rules about closeness. The whole table must satisfy it.
    piece_rows
        Largest size of a piece. A region that is larger and allows no cut is one piece all the
        same, and a single class: ``one_class``.
    weights
        How many times as wide each attribute counts; left out, as wide as it is.

    Notes
    -----
    Cost: as many rounds of counting as the tree has levels, log2(rows / ``piece_rows``), and one
    more for each time that the demand refuses a cut; counts are held for the regions of one level.
    """
    growing = _Growing(attributes, demand, piece_rows, weights)
    growing.start(counter.count(growing.tree(), [0])[0])
    while tried := growing.propose():
        found = counter.count(growing.tree(), [growing.left[node] for node in tried])
        for node, counts in zip(tried, found, strict=True):
            growing.decide(node, counts)
    return growing.tree()


class _Growing:
    """A tree while it is cut; nodes that came of a refused cut stay behind unused."""

    def __init__(
        self,
        attributes: Attributes,
        demand: Demand,
        piece_rows: int,
        weights: Sequence[float] | None,
    ) -> None:
        self._attributes, self._demand, self._weights = attributes, demand, weights
        self._piece_rows = piece_rows
        self.attribute: list[int] = [-1]
        self.cut: list[int] = [-1]
        self.left: list[int] = [-1]
        self.right: list[int] = [-1]
        self._rows: dict[int, int] = {}
        #: Nodes that may yet be cut, with what occurs in them and the attributes left to try.
        self._open: dict[int, tuple[NodeCounts, list[int]]] = {}
        self._uncut: set[int] = set()

    def start(self, counts: NodeCounts) -> None:
        """Take up the root."""
        self._take_up(0, counts)

    def propose(self) -> list[int]:
        """Cut every open node by the widest attribute left; return those that could be cut."""
        tried = []
        for node in sorted(self._open):
            counts, left = self._open[node]
            if not self._cut_by_widest(node, counts, left):
                del self._open[node]
                self._uncut.add(node)
            elif not self._is_last(node, counts):
                tried.append(node)
        return tried

    def _is_last(self, node: int, counts: NodeCounts) -> bool:
        """Whether both halves are pieces without another count; if so, note their rows."""
        below = int(counts.codes[self.attribute[node]][: self.cut[node] + 1].sum())
        above = counts.rows - below
        if len(self._demand.rules) or max(below, above) > self._piece_rows:
            return False
        del self._open[node]
        self._rows[self.left[node]], self._rows[self.right[node]] = below, above
        return True

    def decide(self, node: int, counts: NodeCounts) -> None:
        """Keep a proposed cut if both halves meet the demand; ``counts`` are of the left one."""
        whole, _ = self._open[node]
        rest = whole - counts
        if meets(self._demand, counts) and meets(self._demand, rest):
            del self._open[node]
            self._take_up(self.left[node], counts)
            self._take_up(self.right[node], rest)
        else:
            self.attribute[node] = -1

    def tree(self) -> TopTree:
        """Return the tree as it is, its uncut nodes numbered as pieces."""
        piece = np.full(len(self.attribute), -1, np.int32)
        leaves = [node for node in self._rows if self.attribute[node] < 0]
        piece[leaves] = np.arange(len(leaves), dtype=np.int32)
        return TopTree(
            np.array(self.attribute, np.int32),
            np.array(self.cut, np.int32),
            np.array(self.left, np.int32),
            np.array(self.right, np.int32),
            piece,
            tuple(self._rows[node] for node in leaves),
            tuple(node in self._uncut for node in leaves),
        )

    def _take_up(self, node: int, counts: NodeCounts) -> None:
        self._rows[node] = counts.rows
        if counts.rows > self._piece_rows:
            self._open[node] = counts, by_width(counts, self._attributes, self._weights)

    def _cut_by_widest(self, node: int, counts: NodeCounts, left: list[int]) -> bool:
        while left:
            attribute = left.pop(0)
            cut = middle_cut(counts.codes[attribute], self._demand.least_size)
            if cut >= 0:
                below = len(self.attribute)
                self.attribute[node], self.cut[node] = attribute, cut
                self.left[node], self.right[node] = below, below + 1
                for each in (self.attribute, self.cut, self.left, self.right):
                    each += [-1, -1]
                return True
        return False


def by_width(
    counts: NodeCounts, attributes: Attributes, weights: Sequence[float] | None = None
) -> list[int]:
    """Attributes that may be cut, from the widest to the narrowest; of equal ones the first."""
    widths = [_width(each, place, attributes) for place, each in enumerate(counts.codes)]
    if weights is not None:
        widths = [width * weight for width, weight in zip(widths, weights, strict=True)]
    order = sorted(range(len(widths)), key=lambda place: -widths[place])
    return [place for place in order if widths[place] > 0]


def _width(counts: NDArray[np.int64], attribute: int, attributes: Attributes) -> float:
    present = np.flatnonzero(counts)
    low, high = int(present[0]), int(present[-1])
    if low == high:
        return 0.0
    if attributes.kind[attribute] == RANGE:
        return range_width(attributes, attribute, low, high)
    if attributes.kind[attribute] == TREE:
        return tree_width(attributes, attribute, low, high)
    return set_width(attributes, attribute, len(present))


def middle_cut(counts: NDArray[np.int64], least_size: int) -> int:
    """Code of the allowed cut nearest to the middle, of equally near ones the lower; or -1."""
    below = np.cumsum(counts)
    size = int(below[-1])
    allowed = (counts > 0) & (below >= least_size) & (size - below >= max(least_size, 1))
    places = np.flatnonzero(allowed)
    if len(places) == 0:
        return -1
    return int(places[np.argmin(np.abs(2 * below[places] - size))])


def meets(demand: Demand, counts: NodeCounts) -> bool:
    """Whether the rows of a node satisfy a demand as one class.

    Over people the counts do not say who has which value: it is answered whether the values are
    diverse or close enough without any rows that are as many as one person has in the node. So a
    node that satisfies the demand may be refused, and none that does not is accepted.
    """
    many, owned = counts.rows, _most_owned(demand, counts)
    if many < demand.least_size or (owned and demand.rules[0, LEAST] * owned > many):
        return False
    about = range(1 if owned else 0, len(demand.rules))
    return all(_rule_met(demand, rule, counts, owned) for rule in about)


def _most_owned(demand: Demand, counts: NodeCounts) -> int:
    """Most rows that one person may have in a node; 0 if each row counts by itself."""
    if not is_over_people(demand):
        return 0
    known = counts.sensitive[demand.rules[0, COLUMN]][:-1]
    return max(int(known.max(initial=0)), int(demand.rules[0, NUMERATOR]), 1)


def _rule_met(demand: Demand, rule: int, counts: NodeCounts, owned: int) -> bool:
    """Whether a node satisfies one rule, whichever ``owned`` rows are taken from it."""
    many, entries = counts.rows, demand.rules[rule]
    if entries[KIND] >= EQUAL and 0 < entries[LEAST] <= many - owned:
        return True
    column = counts.sensitive[entries[COLUMN]]
    values = np.flatnonzero(column)
    asked = demand, rule, values, column[values], many, demand.total
    if not rule_holds(*asked):
        return False
    return not owned or int(spared_rows(*asked, min(owned, many))) >= owned
