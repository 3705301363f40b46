"""Edges between pairs of groups: how many there are, and how many nodes they touch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papilio.query.graph.grouped import Ints
from papilio.query.graph.selection import Selection


@dataclass(frozen=True, eq=False)
class Blocks:
    """All pairs of groups with an edge between them.

    Attributes
    ----------
    left, right
        The two groups of each pair.
    edges
        Number of edges: c.
    rows, row_block
        For each left node of each block: its edges in it, most first within a block; its block.
    heads, head_block, head_edges
        For each right node of each block: the node, its block, its edges in it.
    """

    left: Ints
    right: Ints
    edges: Ints
    rows: Ints
    row_block: Ints
    heads: Ints
    head_block: Ints
    head_edges: Ints


def blocks_of(selection: Selection) -> Blocks:
    """Divide the edges of a selection by the groups of their ends. Cost: sorting the edges."""
    left, right = selection.left.side, selection.right.side
    wide = max(len(right.sizes), 1)
    code = left.group_of_node[selection.tails] * wide + right.group_of_node[selection.heads]
    found, block = np.unique(code, return_inverse=True)
    edges = np.bincount(block, minlength=len(found))
    row_block, rows, _ = _touched(block, selection.tails, len(left.group_of_node))
    order = np.lexsort((-rows, row_block))
    head_block, head_edges, heads = _touched(block, selection.heads, len(right.group_of_node))
    return Blocks(
        found // wide, found % wide, edges, rows[order], row_block[order], heads, head_block,
        head_edges,
    )  # fmt: skip


def _touched(block: Ints, nodes: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Block, number of edges and node of each node that a block touches."""
    codes, edges = np.unique(block * max(count, 1) + nodes, return_counts=True)
    return codes // max(count, 1), edges, codes % max(count, 1)


def top_edges(blocks: Blocks, nodes: Ints) -> Ints:
    """Most edges that so many left nodes of each block can have together."""
    first = np.searchsorted(blocks.row_block, np.arange(len(blocks.edges)))
    rank = np.arange(len(blocks.rows)) - first[blocks.row_block]
    counted = rank < nodes[blocks.row_block]
    sums = np.bincount(blocks.row_block[counted], blocks.rows[counted], minlength=len(blocks.edges))
    return sums.astype(np.int64)
