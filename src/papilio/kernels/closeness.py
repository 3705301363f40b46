"""Whether the values of a class are distributed as in the whole table (Li et al., ICDE 2007).

The Earth Mover's Distance between the distribution p of a class of n rows and the distribution q
of the table of N rows is compared with t = numerator / denominator, exactly: everything is a whole
multiple of 1 / (n N). ``values`` are the codes that occur in the class, ascending, ``counts`` how
often; only those are visited, never the whole domain, but for :func:`line_walk`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.compare_fractions import at_most
from papilio.kernels.jit import kernel

#: Sums up to this stay clear of the largest 64-bit number.
LARGEST = 1 << 62
#: Numbers a tree has for each of its nodes.
NODE_ENTRIES = 5


@kernel
def equal_close(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    rows: int,
    total: int,
    frequency: NDArray[np.int64],
    numerator: int,
    denominator: int,
) -> bool:
    """Any two values are equally far apart: EMD = 1 - sum of min(p_i, q_i).

    ``frequency`` is how often each code occurs in the table of ``total`` rows. All sums are at
    most rows * total. Cost: O(values of the class).
    """
    shared = 0
    for place in range(len(values)):
        shared += min(counts[place] * total, frequency[values[place]] * rows)
    return at_most(rows * total - shared, rows * total, numerator, denominator)


@kernel
def tree_close(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    rows: int,
    total: int,
    leaf_node: NDArray[np.int64],
    nodes: NDArray[np.int64],
    height: int,
    numerator: int,
    denominator: int,
) -> bool:
    """Two values are as far apart as their lowest common node is high.

    With h the height of a node and H that of the root, moving mass costs h / H of the node it
    has to climb to. Hence EMD = 1 - sum over all nodes but the root of w min(p, q) / H, where p
    and q are the shares below the node and w = h(parent) - h(node).

    Parameters
    ----------
    values, counts, rows
        The class.
    total
        Rows of the table.
    leaf_node
        Node of each code; codes are numbered depth first.
    nodes
        Five numbers per node: parent, first leaf, last leaf, weight w, rows of the table below
        it. Node 0 is the root.
    height
        H; height * rows * total must stay below 2^63.
    numerator, denominator
        The threshold.

    Notes
    -----
    Cost: O(values of the class * H).
    """
    shared = 0
    for place in range(len(values)):
        node = leaf_node[values[place]]
        end = place
        below = 0
        while node > 0:
            entry = NODE_ENTRIES * node
            if place > 0 and values[place - 1] >= nodes[entry + 1]:
                break  # An earlier value lies below it too and has counted it, and all above it.
            while end < len(values) and values[end] <= nodes[entry + 2]:
                below += counts[end]
                end += 1
            shared += nodes[entry + 3] * min(below * total, nodes[entry + 4] * rows)
            node = nodes[entry]
    whole = height * rows * total
    return at_most(whole - shared, whole, numerator, denominator)


@kernel
def line_close(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    rows: int,
    total: int,
    below: NDArray[np.int64],
    sums: NDArray[np.int64],
    numerator: int,
    denominator: int,
) -> bool:
    """Values lie on a line, equally spaced: EMD = sum of |P_i - Q_i| / (M - 1).

    P and Q are the cumulated distributions over the M values of the domain.

    Parameters
    ----------
    values, counts, rows
        The class.
    total
        Rows of the table.
    below
        Rows of the table with this code or a smaller one, per code.
    sums
        Sum of ``below`` over all smaller codes, per code.
    numerator, denominator
        The threshold; at most 10^9 each.
    """
    steps = len(below) - 1
    if steps < 1:
        return True
    if rows <= LARGEST // (total * steps):
        moved = line_gaps(values, counts, rows, total, below, sums)
        return at_most(moved, rows * total * steps, numerator, denominator)
    whole, rest = line_walk(values, counts, rows, total, below)
    allowed = numerator * steps // denominator
    if whole != allowed:
        return whole < allowed
    return at_most(rest, rows * total, numerator * steps - allowed * denominator, denominator)


@kernel
def line_gaps(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    rows: int,
    total: int,
    below: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> int:
    """Sum of |P_i - Q_i| in units of 1 / (rows * total).

    Between two values of the class P does not change and Q grows, so that one binary search finds
    where their difference changes its sign. Cost: O(values of the class * log M).
    """
    moved = 0
    inside = 0
    begin = 0
    for place in range(len(values) + 1):
        end = values[place] if place < len(values) else len(below) - 1
        reached = inside * total
        cross = begin
        after = end
        while cross < after:
            middle = (cross + after) // 2
            if below[middle] * rows <= reached:
                cross = middle + 1
            else:
                after = middle
        moved += reached * (cross - begin) - rows * (sums[cross] - sums[begin])
        moved += rows * (sums[end] - sums[cross]) - reached * (end - cross)
        if place < len(values):
            inside += counts[place]
            begin = end
    return moved


@kernel
def line_walk(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    rows: int,
    total: int,
    below: NDArray[np.int64],
) -> tuple[int, int]:
    """Same sum as (whole, rest): whole + rest / (rows * total), for classes too large for it.

    Nothing here exceeds 2 * rows * total. Cost: O(M + values of the class).
    """
    unit = rows * total
    whole = 0
    rest = 0
    inside = 0
    place = 0
    for code in range(len(below) - 1):
        if place < len(values) and values[place] == code:
            inside += counts[place]
            place += 1
        rest += abs(inside * total - below[code] * rows)
        if rest >= unit:
            rest -= unit
            whole += 1
    return whole, rest
