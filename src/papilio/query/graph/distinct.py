"""COUNT DISTINCT of right entities that are linked to a selected left entity (Example 7).

Bounds: the sums over pairs of groups of Example 7, sharpened by what is sure or possible of single
nodes, and by a linear program where it is small. The paper's expectation is wrong (papers D4.9);
with b of l right entities and a of k left ones selected in their groups, and d neighbours of y in
left group i,

    E = sum_y b/l (1 - U(y)),  U(y) = prod_i C(k - d, a) / C(k, a),

which needs neither safety nor independence. Variance: pairs (y, z) by P(both selected) and
P(both linked) = 1 - U(y) - U(z) + U(y, z) (docs/papers.md).
"""

from __future__ import annotations

import numpy as np

from papilio.kernels.covered_pairs import miss_all, sum_dependence, sum_safe_dependence
from papilio.query.bounds import Bounds
from papilio.query.graph.blocks import blocks_of, top_edges
from papilio.query.graph.grouped import Ints
from papilio.query.graph.linear_program import program_distinct
from papilio.query.graph.make_bounds import bounds
from papilio.query.graph.selection import Selection

#: Pairs of nodes up to which the variance is computed, where no node has two neighbours in one
#: group and elsewhere: some seconds.
MOST_SAFE_PAIRS, MOST_PAIRS = 100_000_000, 10_000_000


def count_distinct(selection: Selection, *, program: bool = True) -> Bounds:
    """Count the selected right entities with a selected left neighbour.

    Parameters
    ----------
    selection
        What is selected.
    program
        Sharpen the bounds by a linear program where it is small enough.
    """
    low, high = sum_bounds(selection)
    if program and low < high:
        low, high = program_distinct(selection, low, high)
    return bounds(low, high, *_moments(selection))


def sum_bounds(selection: Selection) -> tuple[int, int]:
    """Example 7's bounds, for unsafe pairs of groups their likes; O(|E| log|E|)."""
    blocks = blocks_of(selection)
    a, k = selection.left.per_group[blocks.left], selection.left.side.sizes[blocks.left]
    b = selection.right.per_group
    size = selection.right.side.sizes
    pairs, groups = len(blocks.edges), len(size)
    touched = np.bincount(blocks.head_block, minlength=pairs)
    reached = np.minimum(top_edges(blocks, a), touched)
    most = np.bincount(blocks.right, np.minimum(reached, b[blocks.right]), minlength=groups).astype(
        np.int64
    )
    # A node is missed only if all its neighbours in the group are left out.
    fragile = blocks.head_edges <= (k - a)[blocks.head_block]
    fragile_nodes = np.bincount(blocks.head_block[fragile], minlength=pairs)
    missed = np.minimum(fragile_nodes, top_edges(blocks, k - a))
    least = np.zeros(groups, np.int64)
    np.maximum.at(least, blocks.right, b[blocks.right] + touched - missed - size[blocks.right])
    sure, possible = _nodes(selection, blocks.heads[~fragile])
    least = np.maximum(least, b + sure - size)
    most = np.minimum(np.minimum(most, b), possible)
    return int(np.maximum(least, 0).sum()), int(most.sum())


def _nodes(selection: Selection, linked: Ints) -> tuple[Ints, Ints]:
    """Right nodes of each group that are linked in any case, and that may be linked."""
    side = selection.right.side
    sure = np.zeros(len(side.group_of_node), bool)
    sure[linked] = True
    possible = np.zeros(len(side.group_of_node), bool)
    possible[selection.heads[selection.left.possible[selection.tails]]] = True
    return side.nodes_per_group(sure), side.nodes_per_group(possible)


def _moments(selection: Selection) -> tuple[float, float | None]:
    left, right = selection.left.side, selection.right.side
    order = np.lexsort((selection.tails, left.group_of_node[selection.tails], selection.heads))
    starts, links = _lists(selection.heads, selection.tails, order, len(right.group_of_node))
    chosen = selection.left.per_group
    miss = miss_all(starts, links, left.group_of_node, left.sizes, chosen)
    linked = 1 - miss
    n, b = right.sizes, selection.right.per_group
    single = selection.right.share
    both = b * (b - 1) / np.maximum(n * (n - 1), 1)
    total = np.bincount(right.group_of_node, linked, minlength=len(n))
    square = np.bincount(right.group_of_node, linked**2, minlength=len(n))
    mean = float((single * total).sum())
    per_group = np.bincount(left.group_of_node[selection.tails], minlength=len(left.sizes))
    undecided = (chosen > 0) & (chosen < left.sizes)
    safe = _is_safe(starts, left.group_of_node[links])
    most = MOST_SAFE_PAIRS if safe else MOST_PAIRS
    if (per_group[undecided].astype(float) ** 2).sum() > most:
        return mean, None
    alone = float((single * total - single**2 * square).sum())
    together = float(((both - single**2) * (total**2 - square)).sum())
    back = _lists(
        selection.tails, selection.heads,
        np.argsort(selection.tails, kind="stable"), len(left.group_of_node),
    )  # fmt: skip
    members = _lists(
        left.group_of_node, np.arange(len(left.group_of_node)),
        np.argsort(left.group_of_node, kind="stable"), len(left.sizes),
    )  # fmt: skip
    dependence = sum_safe_dependence if safe else sum_dependence
    dependent = dependence(
        starts, links, *back, *members, left.group_of_node, left.sizes, chosen, miss,
        right.group_of_node, single, both,
    )  # fmt: skip
    return mean, alone + together + dependent


def _is_safe(starts: Ints, groups: Ints) -> bool:
    """Whether no node has two neighbours in one group; neighbours are sorted by group."""
    same = np.flatnonzero(groups[1:] == groups[:-1]) + 1
    return not np.setdiff1d(same, starts).size


def _lists(ends: Ints, others: Ints, order: Ints, count: int) -> tuple[Ints, Ints]:
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=count), out=starts[1:])
    return starts, others[order]
