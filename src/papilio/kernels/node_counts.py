"""Where the rows of a table fall in a tree of cuts, and what occurs there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel


@kernel
def find_nodes(
    codes: Codes,
    attribute: NDArray[np.int32],
    cut: NDArray[np.int32],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    node_of_row: NDArray[np.int32],
) -> None:
    """Walk each row down a tree, from node 0 to the node that is not cut.

    Parameters
    ----------
    codes
        One line per row.
    attribute, cut, left, right
        Per node: rows whose code of ``attribute`` is at most ``cut`` go to ``left``, others to
        ``right``; an attribute of -1 ends the walk.
    node_of_row
        Output.

    Notes
    -----
    Cost: one comparison per row and level.
    """
    for row in range(len(codes)):
        node = 0
        while attribute[node] >= 0:
            below = codes[row, attribute[node]] <= cut[node]
            node = left[node] if below else right[node]
        node_of_row[row] = node


@kernel
def count_codes(
    codes: Codes,
    starts: NDArray[np.int64],
    node_of_row: NDArray[np.int32],
    slot_of_node: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> None:
    """Add how often each code of each attribute occurs in some nodes.

    Parameters
    ----------
    codes
        One line per row.
    starts
        Where the codes of each attribute begin in a line of ``counts``.
    node_of_row, slot_of_node
        Node of each row, and the line of ``counts`` that a node has, or -1.
    counts
        Output, one line per node that is asked for.

    Notes
    -----
    Cost: one step per cell of the rows that are counted.
    """
    for row in range(len(codes)):
        slot = slot_of_node[node_of_row[row]]
        if slot >= 0:
            for attribute in range(len(starts)):
                counts[slot, starts[attribute] + codes[row, attribute]] += 1
