"""The tree of cuts of strict Mondrian: a binary hierarchy of classes.

The cuts are those of :mod:`papilio.kernels.mondrian`; here they are kept. A node is a run of lines;
its children are the two halves of its cut. Children are numbered after their parent, so that going
through the nodes backwards meets every child before its parent.

Source of the use: Pei, Tao, Li, Xiao, "Butterfly: privacy preserving publishing on multiple
quasi-identifiers", TR 2008-18, section 4.2.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import Attributes
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.jit import kernel
from papilio.kernels.mondrian import cut_widest, measure_attribute


@kernel
def mondrian_tree(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    attributes: Attributes,
    weights: NDArray[np.float64],
    demand: Demand,
) -> NDArray[np.int64]:
    """Cut all lines into classes and return the nodes of the tree.

    Parameters
    ----------
    codes, words, rows, spare_words, spare_rows, attributes, demand
        As for :func:`papilio.kernels.mondrian.mondrian`, on all lines.
    weights
        Per attribute, by how much its width counts when the widest is chosen; all 1 for Mondrian.

    Returns
    -------
    nodes
        One line per node: first line, line after the last, left child, right child; children of
        a leaf are -1. The root is node 0.

    Notes
    -----
    Cost: that of strict Mondrian, and 64 bytes per class.
    """
    number = len(rows)
    histogram = np.zeros(attributes.size.max(), np.int64)
    smallest = np.empty(len(attributes.kind), np.int64)
    largest = np.empty(len(attributes.kind), np.int64)
    width = np.empty(len(attributes.kind))
    nodes = np.full((2 * (number // max(demand.least_size, 1)) + 1, 4), -1, np.int64)
    nodes[0, 0] = 0
    nodes[0, 1] = number
    count = 1
    # Smaller halves are taken first, so 64 places always suffice.
    waiting = np.zeros(64, np.int64)
    length = 1
    while length > 0:
        length -= 1
        node = waiting[length]
        begin = nodes[node, 0]
        end = nodes[node, 1]
        if end - begin < 2 * demand.least_size:
            continue
        for attribute in range(len(width)):
            smallest[attribute], largest[attribute], wide = measure_attribute(
                codes, begin, end, attribute, attributes, histogram
            )
            width[attribute] = wide * weights[attribute]
        middle = cut_widest(
            codes, words, rows, spare_words, spare_rows, begin, end,
            smallest, largest, width, demand, histogram,
        )  # fmt: skip
        if middle < 0:
            continue
        nodes[node, 2] = count
        nodes[node, 3] = count + 1
        nodes[count, 0] = begin
        nodes[count, 1] = middle
        nodes[count + 1, 0] = middle
        nodes[count + 1, 1] = end
        left_larger = middle - begin > end - middle
        waiting[length] = count if left_larger else count + 1
        waiting[length + 1] = count + 1 if left_larger else count
        length += 2
        count += 2
    return nodes[:count].copy()


@kernel
def run_widths(
    codes: Codes, begin: NDArray[np.int64], end: NDArray[np.int64], attributes: Attributes
) -> NDArray[np.float64]:
    """Width of every attribute over runs of lines: what the smallest cell of each run loses.

    Cost: O(lines of all runs x attributes).
    """
    count = len(attributes.kind)
    widths = np.empty((len(begin), count))
    histogram = np.zeros(attributes.size.max(), np.int64)
    for run in range(len(begin)):
        for attribute in range(count):
            _, _, widths[run, attribute] = measure_attribute(
                codes, begin[run], end[run], attribute, attributes, histogram
            )
    return widths
