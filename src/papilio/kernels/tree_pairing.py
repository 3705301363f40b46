"""Generalise a representative tree and one more tree to the same tree, at least cost.

Trees of rows are numbered *nodes*: equal trees have the same number. Of a node the kernels know its
table, its label, its children (ascending by number, so table after table) and its *burden*: what it
costs to remove it, one for each row and one for each of its quasi-identifiers, with all below.

The *representative* of a cluster is a tree of its own, unfolded into lines numbered breadth first;
it has the labels that all members share, the loss of each, and what it costs each member to
remove a line with all below. Of ``w`` members, taking in one more tree costs

* for a pair of rows: ``(w + 1)`` times the loss of the joined label less ``w`` times that so far,
* for a row of the representative without partner: ``w`` times its burden less the loss so far,
* for a row of the tree without partner: its burden.

Keeping a pair is never dearer than removing both, so of two lists of children the shorter one
finds partners throughout, and siblings are paired independently of each other: the least cost is
found bottom-up, by an assignment problem for each pair of parents. Trees with more than
:data:`MOST_CELLS` pairs of rows, and all trees with ``local``, are paired from the root down, each
list of children greedily by labels alone, or, with more than :data:`MOST_PAIRS` pairs, in order.

There is no recursion: compiled recursive functions do not survive being kept on disk.

Source: Nergiz, Clifton, Nergiz, MultiRelational k-Anonymity, ICDE 2007, algorithm 1; with the root
generalised too, with children (not parents) paired, and with subtrees without partner removed as a
whole, keys included.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.assignment import assign, assign_greedily
from papilio.kernels.jit import kernel
from papilio.kernels.tree_labels import join_label, joined_loss

#: Trees with more pairs of rows than this are paired by labels alone.
MOST_CELLS = 250_000
#: Lists of children with more pairs than this are paired in order, without comparing all of them.
MOST_PAIRS = 4096

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


@kernel
def unfold_node(
    node: int, tree_node: Ints, tree_first: Ints, tree_count: Ints, start: Ints, child: Ints
) -> int:
    """Write the tree of a node line by line, breadth first; children stand next to each other.

    Returns the number of lines.
    """
    tree_node[0] = node
    total = 1
    line = 0
    while line < total:
        here = tree_node[line]
        tree_first[line] = total
        tree_count[line] = start[here + 1] - start[here]
        for place in range(start[here], start[here + 1]):
            tree_node[total] = child[place]
            total += 1
        line += 1
    return total


@kernel
def _partners(
    line: int,
    other: int,
    members: int,
    local: bool,
    partner: Ints,
    costs: Floats,
    rep_table: Ints,
    rep_label: Ints,
    rep_loss: Floats,
    rep_burden: Floats,
    rep_first: Ints,
    rep_count: Ints,
    rep_child: Ints,
    tree_node: Ints,
    tree_first: Ints,
    tree_count: Ints,
    table: Ints,
    label: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> float:
    """Pair the children of a line of the representative with those of a line of the tree.

    ``partner`` gets, for each child of the representative's line, a line of the tree or -1. Returns
    what the pairs in ``costs`` and the children without partner cost; with ``local``, the latter.
    """
    begin_i = rep_first[line]
    i, last_i = begin_i, begin_i + rep_count[line]
    j, last_j = tree_first[other], tree_first[other] + tree_count[other]
    cost = 0.0
    while i < last_i or j < last_j:
        mine = rep_table[rep_child[i]] if i < last_i else -1
        theirs = table[tree_node[j]] if j < last_j else -1
        if mine > theirs:
            partner[i - begin_i] = -1
            cost += members * rep_burden[rep_child[i]]
            i += 1
            continue
        if theirs > mine:
            cost += burden[tree_node[j]]
            j += 1
            continue
        end_i, end_j = i, j
        while end_i < last_i and rep_table[rep_child[end_i]] == mine:
            partner[end_i - begin_i] = -1
            cost += members * rep_burden[rep_child[end_i]]
            end_i += 1
        while end_j < last_j and table[tree_node[end_j]] == mine:
            cost += burden[tree_node[end_j]]
            end_j += 1
        m, n = end_i - i, end_j - j
        swap = m > n
        lines, columns = min(m, n), max(m, n)
        chosen = np.empty(lines, np.int64)
        if local and m * n > MOST_PAIRS:
            for place in range(lines):
                chosen[place] = (2 * place + 1) * columns // (2 * lines)
        else:
            # What a pair saves compared with removing both, as a number below zero.
            saved = np.empty((lines, columns))
            for a in range(m):
                one = rep_child[i + a]
                for b in range(n):
                    two = j + b
                    if local:
                        some = (members + 1) * joined_loss(
                            rep_label, one, label, tree_node[two], first[mine], first[mine + 1],
                            kind, word, size, base, values,
                        ) - members * rep_loss[one]  # fmt: skip
                    else:
                        some = costs[one, two]
                        some -= members * rep_burden[one] + burden[tree_node[two]]
                    if swap:
                        saved[b, a] = some
                    else:
                        saved[a, b] = some
            if lines == 1:
                chosen[0] = np.argmin(saved[0])
            else:
                chosen = assign_greedily(saved) if local else assign(saved)
            if not local:
                for place in range(lines):
                    cost += saved[place, chosen[place]]
        for place in range(lines):
            one = chosen[place] if swap else place
            two = place if swap else chosen[place]
            partner[i + one - begin_i] = j + two
            if local:
                cost -= members * rep_burden[rep_child[i + one]] + burden[tree_node[j + two]]
        i, j = end_i, end_j
    return cost


@kernel
def fill_costs(
    lines: int,
    others: int,
    members: int,
    partner: Ints,
    costs: Floats,
    rep_table: Ints,
    rep_label: Ints,
    rep_loss: Floats,
    rep_burden: Floats,
    rep_first: Ints,
    rep_count: Ints,
    rep_child: Ints,
    tree_node: Ints,
    tree_first: Ints,
    tree_count: Ints,
    table: Ints,
    label: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> None:
    """Find the least cost of every pair of a line of the representative and one of the tree."""
    for line in range(lines - 1, -1, -1):
        own = rep_table[line]
        for other in range(others - 1, -1, -1):
            node = tree_node[other]
            if table[node] != own:
                continue
            cost = (members + 1) * joined_loss(
                rep_label, line, label, node, first[own], first[own + 1],
                kind, word, size, base, values,
            ) - members * rep_loss[line]  # fmt: skip
            if rep_count[line] or tree_count[other]:
                cost += _partners(
                    line, other, members, False, partner, costs, rep_table, rep_label, rep_loss,
                    rep_burden, rep_first, rep_count, rep_child, tree_node, tree_first,
                    tree_count, table, label, burden, first, kind, word, size, base, values,
                )  # fmt: skip
            costs[line, other] = cost


@kernel
def pair_cost(
    lines: int,
    node: int,
    members: int,
    local: bool,
    work: tuple[Ints, Ints, Ints, Ints, Ints],
    rep_table: Ints,
    rep_label: Ints,
    rep_loss: Floats,
    rep_burden: Floats,
    rep_first: Ints,
    rep_count: Ints,
    rep_child: Ints,
    table: Ints,
    label: Ints,
    start: Ints,
    child: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> float:
    """What it costs to take the tree of a node into a cluster.

    Parameters
    ----------
    lines
        Lines of the representative, also those without a place in it any more.
    node
        A node of the person table.
    members
        How many trees the representative stands for.
    local
        Pair children by their labels alone, greedily, instead of by what their trees cost.
    work
        Five arrays with room for the largest tree.
    rep_table, rep_label, rep_loss, rep_burden, rep_first, rep_count, rep_child
        The representative.
    table, label, start, child, burden
        All nodes.
    first, kind, word, size, base, values
        See :mod:`papilio.kernels.tree_labels`.

    Notes
    -----
    Cost: for each pair of parents with m and n children an assignment, (m + n)**3 at most.
    """
    tree_node, tree_first, tree_count, partner, pairs = work
    others = unfold_node(node, tree_node, tree_first, tree_count, start, child)
    if not local and lines * others <= MOST_CELLS:
        costs = np.empty((lines, others))
        fill_costs(
            lines, others, members, partner, costs, rep_table, rep_label, rep_loss, rep_burden,
            rep_first, rep_count, rep_child, tree_node, tree_first, tree_count,
            table, label, burden, first, kind, word, size, base, values,
        )  # fmt: skip
        return float(costs[0, 0])
    nothing = np.empty((0, 0))
    # A line of the representative has one partner at most, so pairs are kept by lines.
    waiting = np.empty(lines, np.int64)
    waiting[0] = 0
    pairs[0] = 0
    total = 1
    at = 0
    cost = 0.0
    while at < total:
        line = waiting[at]
        other = pairs[line]
        own = rep_table[line]
        cost += (members + 1) * joined_loss(
            rep_label, line, label, tree_node[other], first[own], first[own + 1],
            kind, word, size, base, values,
        ) - members * rep_loss[line]  # fmt: skip
        cost += _partners(
            line, other, members, True, partner, nothing, rep_table, rep_label, rep_loss,
            rep_burden, rep_first, rep_count, rep_child, tree_node, tree_first, tree_count,
            table, label, burden, first, kind, word, size, base, values,
        )  # fmt: skip
        for place in range(rep_count[line]):
            if partner[place] >= 0:
                waiting[total] = rep_child[rep_first[line] + place]
                pairs[waiting[total]] = partner[place]
                total += 1
        at += 1
    return cost


@kernel
def take_in(
    lines: int,
    row: int,
    members: int,
    local: bool,
    place_of: Ints,
    work: tuple[Ints, Ints, Ints, Ints, Ints],
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
    start: Ints,
    child: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> float:
    """Generalise the representative so that it covers one more tree, as pair_cost reckons.

    Labels are widened, lines without partner leave the lists of children, and ``place_of[line]``
    becomes the row that stands for a line. Losses and burdens are brought up to date.

    Parameters
    ----------
    row
        The root of the tree; ``row_child[row_start[row] : row_start[row + 1]]`` are the rows below
        it, in the order of the children of its node ``row_node[row]``.

    Returns
    -------
    float
        Burden of the lines that are left, before any loss: what the representative can keep of
        another tree at most.
    """
    tree_node, tree_first, tree_count, partner, pairs = work
    others = unfold_node(row_node[row], tree_node, tree_first, tree_count, start, child)
    by_label = local or lines * others > MOST_CELLS
    costs = np.empty((0, 0)) if by_label else np.empty((lines, others))
    if not by_label:
        fill_costs(
            lines, others, members, partner, costs, rep_table, rep_label, rep_loss, rep_burden,
            rep_first, rep_count, rep_child, tree_node, tree_first, tree_count,
            table, label, burden, first, kind, word, size, base, values,
        )  # fmt: skip
    waiting = np.empty(lines, np.int64)
    waiting[0] = 0
    pairs[0] = 0
    place_of[0] = row
    total = 1
    at = 0
    while at < total:
        line = waiting[at]
        other = pairs[line]
        _partners(
            line, other, members, by_label, partner, costs, rep_table, rep_label, rep_loss,
            rep_burden, rep_first, rep_count, rep_child, tree_node, tree_first, tree_count,
            table, label, burden, first, kind, word, size, base, values,
        )  # fmt: skip
        kept = rep_first[line]
        below = row_start[place_of[line]] - tree_first[other]
        for place in range(rep_count[line]):
            if partner[place] >= 0:
                one = rep_child[rep_first[line] + place]
                pairs[one] = partner[place]
                place_of[one] = row_child[below + partner[place]]
                rep_child[kept] = one
                kept += 1
                waiting[total] = one
                total += 1
        rep_count[line] = kept - rep_first[line]
        at += 1
    capacity = 0.0
    for at in range(total - 1, -1, -1):
        line = waiting[at]
        node = tree_node[pairs[line]]
        own = rep_table[line]
        begin, end = first[own], first[own + 1]
        join_label(rep_label, line, label, node, begin, end, kind, word, size)
        rep_loss[line] = joined_loss(
            rep_label, line, label, node, begin, end, kind, word, size, base, values
        )
        capacity += 1 + end - begin
        rep_burden[line] = 1 + end - begin - rep_loss[line]
        for place in range(rep_first[line], rep_first[line] + rep_count[line]):
            rep_burden[line] += rep_burden[rep_child[place]]
    return capacity
