"""The tree of a person as the representative of a cluster of one."""

from __future__ import annotations

from papilio.kernels.jit import kernel
from papilio.kernels.tree_pairing import Floats, Ints


@kernel
def unfold(
    row: int,
    place_of: Ints,
    row_node: Ints,
    row_start: Ints,
    row_child: Ints,
    rep_table: Ints,
    rep_label: Ints,
    rep_loss: Floats,
    rep_burden: Floats,
    rep_first: Ints,
    rep_count: Ints,
    rep_child: Ints,
    table: Ints,
    label: Ints,
    burden: Floats,
) -> int:
    """Write the tree below a row into the representative, breadth first.

    See :mod:`papilio.kernels.tree_pairing` for what the arrays mean. Equal trees are unfolded into
    equal lines. Returns the number of lines.
    """
    place_of[0] = row
    total = 1
    line = 0
    while line < total:
        here = place_of[line]
        node = row_node[here]
        rep_table[line] = table[node]
        rep_label[line, :] = label[node, :]
        rep_loss[line] = 0.0
        rep_burden[line] = burden[node]
        # Each line but the root is the child of one line, so children have a list in common.
        rep_first[line] = total - 1
        rep_count[line] = row_start[here + 1] - row_start[here]
        for place in range(row_start[here], row_start[here + 1]):
            place_of[total] = row_child[place]
            rep_child[total - 1] = total
            total += 1
        line += 1
    return total
