"""Trees and their pairing by trying everything; imports nothing of Papilio.

A tree is ``(table, label, children)``: a label is a tuple of values, children a list of trees. A
*cost* is a function of a table and two labels.
"""

from __future__ import annotations


def burden(tree):
    """One for each row and one for each of its values."""
    return 1 + len(tree[1]) + sum(map(burden, tree[2]))


def distance(one, other, loss):
    """Least cost to give two trees the same tree: all ways to pair all children are tried."""
    total = 2 * loss(one[0], one[1], other[1])
    for table in {tree[0] for tree in one[2] + other[2]}:
        mine = [tree for tree in one[2] if tree[0] == table]
        theirs = [tree for tree in other[2] if tree[0] == table]
        total += _best(mine, theirs, loss)
    return total


def _best(mine, theirs, loss):
    """Not only full pairings: any pair may be given up."""
    if not mine or not theirs:
        return sum(map(burden, mine + theirs))
    first, rest = mine[0], mine[1:]
    best = burden(first) + _best(rest, theirs, loss)
    for place, partner in enumerate(theirs):
        others = theirs[:place] + theirs[place + 1 :]
        best = min(best, distance(first, partner, loss) + _best(rest, others, loss))
    return best


def canonical(tree):
    """Equal for trees that differ in the order of children only."""
    return tree[0], tree[1], tuple(sorted(map(canonical, tree[2]), key=repr))
