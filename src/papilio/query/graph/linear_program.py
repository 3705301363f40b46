"""Bounds by linear programs (docs/papers.md), never weaker than sums over pairs of groups.

Let z_x be whether left node x is a selected entity, s_y the same on the right; group sums are
known.

* COUNT over edges: q_e <= z_x, q_e <= s_y, q_e >= z_x + s_y - 1.
* COUNT DISTINCT of right entities: q_y <= s_y, q_y <= sum of z_x over neighbours x; and
  q_y >= s_y + z_x - 1.

With whole numbers these are the exact questions, which are NP-hard; as fractions they bound them,
and HiGHS solves them. Nodes of groups that are selected as a whole, or not at all, are constants.
"""

from __future__ import annotations

import math

import numpy as np

from papilio.query.graph.grouped import Floats, Ints
from papilio.query.graph.selection import Chosen, Selection

#: Edges up to which a program is solved: some seconds.
MOST_EDGES = 20_000

#: What HiGHS may miss for each variable, ten times its tolerance; optima are moved outward by it.
_SLACK = 1e-6


def program_edges(selection: Selection, low: int, high: int) -> tuple[int, int]:
    """Sharpen bounds of the number of edges between selected entities."""
    return _sharpened(selection, low, high, distinct=False)


def program_distinct(selection: Selection, low: int, high: int) -> tuple[int, int]:
    """Sharpen bounds of the number of right entities with a selected neighbour."""
    return _sharpened(selection, low, high, distinct=True)


def _sharpened(selection: Selection, low: int, high: int, *, distinct: bool) -> tuple[int, int]:
    alive = selection.left.possible[selection.tails] & selection.right.possible[selection.heads]
    tails, heads = selection.tails[alive], selection.heads[alive]
    if not 0 < len(tails) <= MOST_EDGES:
        return low, high
    upper = _solve(selection, tails, heads, most=True, distinct=distinct)
    lower = _solve(selection, tails, heads, most=False, distinct=distinct)
    if upper is not None:
        high = min(high, math.floor(upper))
    if lower is not None:
        low = max(low, math.ceil(lower))
    return low, high


def _solve(
    selection: Selection, tails: Ints, heads: Ints, *, most: bool, distinct: bool
) -> float | None:
    """A number on the safe side of the optimum; ``None`` if the solver gives up.

    Variables: z of the left nodes, s of the right nodes, then q of each edge or right node.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    n, m, e = (
        len(selection.left.side.group_of_node),
        len(selection.right.side.group_of_node),
        len(tails),
    )
    which = np.unique(heads, return_inverse=True)[1] if distinct else np.arange(e)
    counted = int(which.max()) + 1
    first_q = n + m
    edge = np.arange(e)
    one = np.ones(e)
    if most and distinct:
        ends = np.unique(heads)
        # q_y - s_y <= 0, and q_y - sum of z_x <= 0.
        rows = np.concatenate(
            [np.arange(counted)] * 2 + [counted + np.arange(counted), counted + which]
        )
        columns = np.concatenate(
            [first_q + np.arange(counted), n + ends, first_q + np.arange(counted), tails]
        )
        signs = np.concatenate([np.ones(counted), -np.ones(counted), np.ones(counted), -one])
        limit = np.zeros(2 * counted)
    elif most:
        rows = np.concatenate([edge, edge, e + edge, e + edge])
        columns = np.concatenate([first_q + edge, tails, first_q + edge, n + heads])
        signs = np.concatenate([one, -one, one, -one])
        limit = np.zeros(2 * e)
    else:
        # The sum of s_y and z_x is at most q and 1 more.
        rows = np.concatenate([edge, edge, edge])
        columns = np.concatenate([n + heads, tails, first_q + which])
        signs = np.concatenate([one, one, -one])
        limit = one
    width = first_q + counted
    inside = csr_array((signs, (rows, columns)), shape=(len(limit), width))
    sums, totals = _group_sums(selection, width)
    cost = np.zeros(width)
    cost[first_q:] = -1.0 if most else 1.0
    found = linprog(cost, inside, limit, sums, totals, bounds=(0, 1), method="highs")
    if found.status != 0:
        return None
    return float(-found.fun + _SLACK * width if most else found.fun - _SLACK * width)


def _group_sums(selection: Selection, width: int) -> tuple[object, Floats]:
    """Of each group, as many nodes are selected as entities are."""
    from scipy.sparse import csr_array

    left, right = selection.left, selection.right
    rows = np.concatenate(
        [left.side.group_of_node, len(left.side.sizes) + right.side.group_of_node]
    )
    count = len(rows)
    sums = csr_array(
        (np.ones(count), (rows, np.arange(count))),
        shape=(len(left.side.sizes) + len(right.side.sizes), width),
    )
    return sums, np.concatenate([_totals(left), _totals(right)])


def _totals(chosen: Chosen) -> Floats:
    return chosen.per_group.astype(float)
