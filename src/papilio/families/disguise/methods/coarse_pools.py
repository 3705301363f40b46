"""Personal levels of very many leaves: a bound and a solution from the upper part of the tree."""

from __future__ import annotations

import numpy as np

from papilio.data.domain_tree import from_parents
from papilio.data.weighted_tree import WeightedTree
from papilio.families.disguise.methods.personal_program import PersonalProgram, Solved
from papilio.families.disguise.methods.pools import People

#: Leaves that the upper part of the tree may have.
MOST_LEAVES = 256


def solve_coarsely(people: People, seconds: float) -> Solved:
    """Solve the program of the tree cut off below some depth, and carry it over.

    Nodes at that depth become leaves of no range, and inner ranges shrink to what lies between the
    lower ends of their first and last leaf. Every solution of the whole is one of the cut tree and
    costs no less, so a bound for the cut tree is one for the whole. Who joins a pool above the cut
    is taken from the cut tree, strongest demands first; all others stay with what they demand.
    """
    cut = _depth(people)
    coarse = cut_off(people, cut)
    solved = PersonalProgram(coarse).relax(seconds)
    if solved.joined is None:
        return solved
    entry, depth, many = coarse.shares(solved.joined)
    wanted = people.target.tree.depth[people.demanded[entry]]
    depth = np.minimum(depth, wanted)
    # Below the cut the coarse tree says nothing: there everybody has their own demand.
    leaf_depth = coarse.target.tree.depth[coarse.target.tree.leaf_node[coarse.codes[entry]]]
    depth = np.where(depth < leaf_depth, depth, wanted)
    joined = np.zeros_like(people.need)
    np.add.at(joined, (people.codes[entry], depth), many)
    return Solved(joined, solved.bound, optimal=False)


def _depth(people: People) -> int:
    """Largest depth at which the tree has few enough nodes or leaves above."""
    tree = people.target.tree
    ends = tree.end == np.arange(1, tree.nodes + 1)
    for depth in range(tree.height, 0, -1):
        leaves = (tree.depth == depth) | ((tree.depth < depth) & ends)
        if int(leaves.sum()) <= MOST_LEAVES:
            return depth
    return 1


def cut_off(people: People, depth: int) -> People:
    """People over the tree down to a depth; demands below it become demands of a leaf."""
    tree, weight = people.target.tree, people.target.weight
    kept = np.flatnonzero(tree.depth <= depth)
    number = np.cumsum(tree.depth <= depth) - 1
    leaves = kept[(tree.depth[kept] == depth) | (tree.end[kept] == kept + 1)]
    first = np.searchsorted(leaves, kept)
    last = np.searchsorted(leaves, tree.end[kept]) - 1
    parent = np.where(tree.parent[kept] >= 0, number[np.maximum(tree.parent[kept], 0)], -1)
    ends = tree.lows.gather(tree.first[leaves])
    coarse = from_parents(parent.tolist(), first.tolist(), last.tolist(), ends, ends)
    codes = np.searchsorted(tree.first[leaves], people.codes, side="right") - 1
    high = tree.depth[people.demanded] <= depth
    demanded = np.where(high, number[people.demanded], number[leaves[codes]])
    target = WeightedTree(coarse, weight[kept])
    return People(target, codes.astype(np.int32), demanded.astype(np.int32), people.counts)
