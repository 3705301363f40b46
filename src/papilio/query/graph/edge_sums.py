"""COUNT and SUM over edges between selected entities (type 2, and type 1 as a special case).

An edge (x, y) counts f(x) g(y), where f and g are values of the entities that x and y are. Within
a group the entities are permuted at random, so f has mean m and covariance s (I - J/k) there, with
s = S² k/(k - 1) and S² the variance of the group's values. With M the edges as a matrix,

    E   = m_f' M m_g
    Var = m_f' M C_g M' m_f + m_g' M' C_f M m_g + tr(C_f M C_g M'),

which falls apart into sums over groups and pairs of groups; exact for any grouping, O(|E| log|E|).

Bounds by linear programs (docs/papers.md), never weaker than sums over pairs of groups.

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

from papilio.query.answer import Bounds
from papilio.query.graph.grouped import (
    Blocks,
    Chosen,
    Floats,
    GroupedSide,
    Ints,
    Selection,
    blocks_of,
    bounds,
    top_edges,
    whole,
)

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


def count_edges(selection: Selection, *, program: bool = True) -> Bounds:
    """Count the edges between selected entities.

    Parameters
    ----------
    selection
        What is selected.
    program
        Sharpen the bounds by a linear program where it is small enough.
    """
    blocks = blocks_of(selection)
    low, high = _count_bounds(selection, blocks)
    if program and low < high:
        low, high = program_edges(selection, low, high)
    left = selection.left.entities.astype(float)
    right = selection.right.entities.astype(float)
    return bounds(low, high, *moments(selection, left, right, blocks))


def sum_edges(selection: Selection, values: Floats) -> Bounds:
    """SUM of a value of the left entities over the edges between selected entities.

    Parameters
    ----------
    selection
        What is selected; entities whose value is NULL must not be.
    values
        A value per left entity.
    """
    chosen = np.where(selection.left.entities, values, 0.0)
    most, least = links_of(selection, sure=False), links_of(selection, sure=True)
    high = _largest_sum(selection.left, chosen, least, most)
    low = -_largest_sum(selection.left, -chosen, least, most)
    right = selection.right.entities.astype(float)
    figures = moments(selection, chosen, right, blocks_of(selection))
    return bounds(low, high, *figures, integer=whole(chosen))


def links_of(selection: Selection, *, sure: bool) -> Ints:
    """Fewest or most selected neighbours of each left node."""
    counted = selection.right.sure if sure else selection.right.possible
    tails = selection.tails[counted[selection.heads]]
    return np.bincount(tails, minlength=len(selection.left.side.group_of_node))


def _largest_sum(chosen: Chosen, values: Floats, least: Ints, most: Ints) -> float:
    """Largest sum of value times links: large values on nodes with many links (rearrangement).

    Where the links of a group's nodes are known this is tight; elsewhere positive values may take
    the most and negative ones the fewest links of any node.
    """
    side = chosen.side
    by_value = np.lexsort((values, side.group_of_entity))
    by_most = np.lexsort((most, side.group_of_node))
    by_least = np.lexsort((least, side.group_of_node))
    known = np.bincount(side.group_of_node, (most - least).astype(float)) == 0
    value = values[by_value]
    # Ascending values meet ascending links. The negative ones come first, so they meet the fewest.
    apart = (value < 0) & ~known[side.group_of_entity[by_value]]
    return math.fsum(value * np.where(apart, least[by_least], most[by_most]))


def _count_bounds(selection: Selection, blocks: Blocks) -> tuple[int, int]:
    """The best of three: pair by pair of groups, by left nodes, by right nodes."""
    pairs = _pair_bounds(selection, blocks)
    sides = [_node_bounds(each) for each in (selection, selection.flipped())]
    return max(low for low, _ in [pairs, *sides]), min(high for _, high in [pairs, *sides])


def _pair_bounds(selection: Selection, blocks: Blocks) -> tuple[int, int]:
    """Example 7's bounds of each pair of groups, added up; for unsafe pairs their likes."""
    turned = blocks_of(selection.flipped())
    a, k = selection.left.per_group[blocks.left], selection.left.side.sizes[blocks.left]
    b, l = selection.right.per_group[blocks.right], selection.right.side.sizes[blocks.right]  # noqa: E741
    # The flipped blocks are sorted by the other group first.
    back = np.lexsort((turned.left, turned.right))
    place = np.argsort(back)
    high = np.minimum(
        np.minimum(top_edges(blocks, a), top_edges(turned, b[place])[back]),
        np.minimum(a * b, blocks.edges),
    )
    lost = top_edges(blocks, k - a) + top_edges(turned, (l - b)[place])[back]
    low = np.maximum(0, blocks.edges - lost)
    return int(low.sum()), int(high.sum())


def _node_bounds(selection: Selection) -> tuple[int, int]:
    """Selected entities on the nodes with fewest sure, or most possible, selected neighbours."""
    side, count = selection.left.side, selection.left.per_group
    least, most = links_of(selection, sure=True), links_of(selection, sure=False)
    return (
        int(_extreme(side, least, count).sum()),
        -int(_extreme(side, -most, count).sum()),
    )


def _extreme(side: GroupedSide, links: Ints, count: Ints) -> Ints:
    """The smallest numbers of links, as many as are selected in each group."""
    order = np.lexsort((links, side.group_of_node))
    group = side.group_of_node[order]
    first = np.concatenate([[0], np.cumsum(side.sizes)[:-1]])
    chosen: Ints = links[order][np.arange(len(order)) - first[group] < count[group]]
    return chosen


def moments(
    selection: Selection, left: Floats, right: Floats, blocks: Blocks
) -> tuple[float, float]:
    """Mean and variance of the sum over edges of left value times right value."""
    mean_f, spread_f = _spread(selection.left.side, left)
    mean_g, spread_g = _spread(selection.right.side, right)
    mean = float((mean_f[selection.tails] * mean_g[selection.heads]).sum())
    toward: Floats = np.bincount(
        selection.heads, mean_f[selection.tails], minlength=len(mean_g)
    ).astype(float)
    away: Floats = np.bincount(
        selection.tails, mean_g[selection.heads], minlength=len(mean_f)
    ).astype(float)
    variance = _quadratic(selection.right.side, spread_g, toward)
    variance += _quadratic(selection.left.side, spread_f, away)
    variance += _joint(selection, blocks, spread_f, spread_g)
    return mean, variance


def _spread(side: GroupedSide, values: Floats) -> tuple[Floats, Floats]:
    """Mean at each node, and s of each group."""
    size = side.sizes
    mean = np.bincount(side.group_of_entity, values, minlength=len(size)) / size
    square = np.bincount(
        side.group_of_entity, (values - mean[side.group_of_entity]) ** 2, minlength=len(size)
    )
    return mean[side.group_of_node], square / np.maximum(size - 1, 1)


def _quadratic(side: GroupedSide, spread: Floats, weight: Floats) -> float:
    """Weight' C weight."""
    total = np.bincount(side.group_of_node, weight, minlength=len(side.sizes))
    square = np.bincount(side.group_of_node, weight**2, minlength=len(side.sizes))
    return float((spread * (square - total**2 / side.sizes)).sum())


def _joint(selection: Selection, blocks: Blocks, spread_f: Floats, spread_g: Floats) -> float:
    """tr(C_f M C_g M'), a sum over pairs of groups."""
    k, l = selection.left.side.sizes[blocks.left], selection.right.side.sizes[blocks.right]  # noqa: E741
    pairs = len(blocks.edges)
    rows = np.bincount(blocks.row_block, blocks.rows.astype(float) ** 2, minlength=pairs)
    columns = np.bincount(blocks.head_block, blocks.head_edges.astype(float) ** 2, minlength=pairs)
    trace = blocks.edges - rows / l - columns / k + blocks.edges.astype(float) ** 2 / (k * l)
    return float((spread_f[blocks.left] * spread_g[blocks.right] * trace).sum())
