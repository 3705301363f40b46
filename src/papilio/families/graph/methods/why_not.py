"""Why a side of a graph has no safe grouping; in counts, never by naming a node."""

from __future__ import annotations

from papilio.data.bipartite import Adjacency
from papilio.kernels.safe_grouping import count_clashes


def largest_possible(side: Adjacency, other: Adjacency) -> int:
    """No safe grouping has a larger k than this.

    The d neighbours of one node must be in d different groups, and n nodes make at most n/k
    groups; so k is at most n/d.
    """
    count = len(side.starts) - 1
    return count // max(int(other.degrees.max(initial=1)), 1)


def why_not(name: str, side: Adjacency, other: Adjacency, k: int, retries: int) -> str:
    """Say what stands in the way, and whether that is certain."""
    count = len(side.starts) - 1
    if count < k:
        return f"there are only {count} entities"
    crowded = other.degrees[other.degrees * k > count]
    if len(crowded):
        return (
            f"{_plural(len(crowded), 'node of the other side is', 'nodes of the other side are')} "
            f"linked to more than 1 in {k} of '{name}' (at most to {int(crowded.max())} of "
            f"{count}), and the nodes linked to one must all be in different groups"
        )
    clashes = count_clashes(side.starts, side.links, other.starts, other.links)
    lonely = clashes[count - clashes < k]
    if len(lonely):
        return (
            f"{_plural(len(lonely), 'node shares', 'nodes share')} a neighbour with so many "
            f"others that fewer than {k} remain that could be in one group with "
            f"{'it' if len(lonely) == 1 else 'them'}"
        )
    return (
        f"none was found in {_plural(retries + 1, 'order', 'orders')} of the nodes, though none of "
        "them is impossible to place by itself; there may be one"
    )


def _plural(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"
