"""A binary hierarchy of classes: from the cuts of Mondrian, or by clustering boxes.

Source: Pei et al., "Butterfly", TR 2008-18, section 4.2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.families.classes import Classes
from papilio.families.recipients.methods.setting import Points, View
from papilio.kernels.attributes import RANGE, Attributes
from papilio.kernels.class_tree import mondrian_tree
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import middle_codes

#: How many times as wide an attribute of the body counts; the loss changes little from 2 to 4.
BODY_WEIGHT = 3.0
#: The same where units are so large that butterflies gain little, and classes must be good.
LIGHT_BODY_WEIGHT = 2.0
#: Width of the attribute that tells classes with equal middles apart; it is cut last.
_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class ClassTree:
    """A binary tree whose leaves are classes.

    Attributes
    ----------
    points
        The rows; those of a node lie next to each other.
    nodes
        One line per node: first row, row after the last, left child, right child (-1 for a leaf).
        Children are numbered after their parent; the root is node 0.
    """

    points: Points
    nodes: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows of each node."""
        return self.nodes[:, 1] - self.nodes[:, 0]

    @property
    def leaves(self) -> NDArray[np.int64]:
        """Numbers of the leaves, from the first row to the last."""
        found = np.flatnonzero(self.nodes[:, 2] < 0)
        return found[np.argsort(self.nodes[found, 0])]

    def rows(self, node: int) -> NDArray[np.int32]:
        """Rows of a node."""
        return self.points.rows[self.nodes[node, 0] : self.nodes[node, 1]]

    def within(self, node: int) -> Points:
        """Rows of a node and their units."""
        begin, end = self.nodes[node, :2]
        unit = None if self.points.unit is None else self.points.unit[begin:end]
        return Points(self.points.rows[begin:end], unit)


def tree_by_cuts(
    points: Points,
    view: View,
    demand: Demand,
    body: Sequence[int] = (),
    weight: float = BODY_WEIGHT,
) -> ClassTree:
    """Cut rows by strict Mondrian and keep the tree of its cuts; units stay whole.

    Parameters
    ----------
    points, view, demand
        The rows, the attributes by which they are cut, and what each class must satisfy.
    body, weight
        Attributes that count as several times as wide as they are. Without them rows that agree on
        the body are soon far apart, so that few nodes make good blocks; with them the lowest nodes
        agree on more of the body, at the price of classes that are a little worse.

    Notes
    -----
    Cost: O(n d log(n / k)) time. Rows of a unit stay next to each other, because cuts keep the
    order of lines on either side.
    """
    codes, rows = points.lines(view), points.rows.copy()
    words = codes.view(np.int64)
    place = np.argsort(rows, kind="stable")
    weights = np.array([weight if place in body else 1.0 for place in view.places])
    nodes = mondrian_tree(
        codes, words, rows, np.empty_like(words), np.empty_like(rows),
        view.attributes, weights, demand,
    )  # fmt: skip
    if points.unit is None:
        return ClassTree(Points(rows), nodes)
    moved = place[np.searchsorted(points.rows[place], rows)]
    return ClassTree(Points(rows, points.unit[moved]), nodes)


def tree_by_clustering(
    classes: Classes, table: EncodedTable, body: Sequence[int] = ()
) -> ClassTree:
    """Cluster the boxes of classes into a binary tree, like the nodes of an R-tree.

    The middles of the boxes are cut by strict Mondrian until each class stands alone; attributes of
    the body count as several times as wide as they are.

    Notes
    -----
    Cost: O(n d + c d log c) time for c classes.
    """
    middles = middle_codes(table.codes[classes.rows], classes.starts)[classes.starts[:-1]]
    width = len(table.columns)
    codes = np.zeros((classes.count, -(-(width + 1) // 2) * 2), np.int32)
    codes[:, :width] = middles[:, :width]
    codes[:, width] = np.arange(classes.count)
    order = np.arange(classes.count, dtype=np.int32)
    words = codes.view(np.int64)
    nodes = mondrian_tree(
        codes,
        words,
        order,
        np.empty_like(words),
        np.empty_like(order),
        _numbered(attributes_of(table), classes.count),
        np.array([BODY_WEIGHT if place in body else 1.0 for place in range(width + 1)]),
        Demand(1),
    )
    return ClassTree(Points(_in_order(classes, order)), _row_nodes(nodes, classes.sizes[order]))


def _numbered(attributes: Attributes, count: int) -> Attributes:
    """Attributes with one more, the number of a class, which is narrower than any other."""
    return attributes._replace(
        kind=np.append(attributes.kind, np.int8(RANGE)).astype(np.int8),
        size=np.append(attributes.size, count),
        position_start=np.append(attributes.position_start, len(attributes.position)),
        position=np.concatenate([attributes.position, np.linspace(0.0, _TINY, count)]),
        node_start=np.append(attributes.node_start, 0),
        leaf_start=np.append(attributes.leaf_start, 0),
    )


def _in_order(classes: Classes, order: NDArray[np.int32]) -> NDArray[np.int32]:
    parts = [classes.rows[classes.starts[each] : classes.starts[each + 1]] for each in order]
    return np.concatenate(parts)


def _row_nodes(nodes: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Nodes over classes as nodes over rows."""
    first = np.concatenate([[0], np.cumsum(sizes)])
    return np.column_stack([first[nodes[:, 0]], first[nodes[:, 1]], nodes[:, 2:]])
