"""How a kernel sees the quasi-identifiers: kinds, positions and trees, as flat arrays.

A row is a line of integer codes, one per attribute. Three kinds of attribute exist, and each says
how wide a set of its codes is, as the share of the whole domain that a published cell would
cover (normalised certainty penalty of one cell; Xu et al., KDD 2006, section 2):

``RANGE``
    Numbers and dates. ``position[code]`` lies in [0, 1]; the width of a set is the difference
    between its largest and smallest position. NULL lies at -1, further from every value than
    any two values are from each other, and widths are capped at 1.
``TREE``
    A hierarchy whose leaves are numbered depth first. The smallest node over a set of leaves is the
    smallest one over its first and last leaf, so two codes are enough to find it.
``SET``
    Labels without order. The width is (distinct codes - 1) / (size of the domain - 1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel

RANGE = 0
TREE = 1
SET = 2


class Attributes(NamedTuple):
    """All attributes of a table, one after the other in shared arrays.

    Attributes
    ----------
    kind
        ``RANGE``, ``TREE`` or ``SET``, per attribute.
    size
        Number of codes, per attribute.
    position_start
        Where an attribute's positions start in ``position`` (``RANGE``).
    position
        Position of each code of each ``RANGE`` attribute.
    node_start
        Where an attribute's nodes start in ``parent``, ``last_leaf`` and ``node_loss`` (``TREE``).
    leaf_start
        Where an attribute's leaves start in ``leaf_node`` (``TREE``).
    parent
        Parent of each node, counted within its attribute.
    last_leaf
        Last leaf each node covers.
    node_loss
        Width of each node.
    leaf_node
        Node of each leaf, counted within its attribute.
    """

    kind: NDArray[np.int8]
    size: NDArray[np.int64]
    position_start: NDArray[np.int64]
    position: NDArray[np.float64]
    node_start: NDArray[np.int64]
    leaf_start: NDArray[np.int64]
    parent: NDArray[np.int32]
    last_leaf: NDArray[np.int32]
    node_loss: NDArray[np.float64]
    leaf_node: NDArray[np.int32]


@kernel
def range_width(attributes: Attributes, attribute: int, low: int, high: int) -> float:
    """Width of a ``RANGE`` attribute over the codes ``low .. high``."""
    start = attributes.position_start[attribute]
    width = attributes.position[start + high] - attributes.position[start + low]
    return float(min(width, 1.0))


@kernel
def tree_width(attributes: Attributes, attribute: int, low: int, high: int) -> float:
    """Width of the smallest node of a ``TREE`` attribute that covers ``low .. high``.

    Climbs from the first leaf; at most one step per level of the tree.
    """
    start = attributes.node_start[attribute]
    node = attributes.leaf_node[attributes.leaf_start[attribute] + low]
    while attributes.last_leaf[start + node] < high:
        node = attributes.parent[start + node]
    return float(attributes.node_loss[start + node])


@kernel
def set_width(attributes: Attributes, attribute: int, distinct: int) -> float:
    """Width of a ``SET`` attribute of which ``distinct`` codes occur."""
    return float((distinct - 1) / max(attributes.size[attribute] - 1, 1))
