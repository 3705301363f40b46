"""A bipartite graph: entities of two kinds, and which of one kind is linked to which of the other.

Entities of a side are numbered 0, 1, … in the order of their table; their keys are not held: what
is not in memory cannot leak.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.table import Table
from papilio.errors import InternalError

#: Column of a group's number, in tables of entities and of nodes.
GROUP = "group"
#: Column of a node's number in tables of nodes.
NODE = "node"


def nodes_name(entities: str) -> str:
    """Name of the table of nodes that belongs to a table of entities."""
    return f"{entities}_nodes"


Starts = NDArray[np.int64]
Links = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Entities:
    """The entities of one side.

    Attributes
    ----------
    name
        Name of their table.
    key
        Name of the column that identified them in the source.
    count
        How many there are.
    table
        Their published attributes; ``None`` if there are none.
    """

    name: str
    key: str
    count: int
    table: Table | None

    def __post_init__(self) -> None:
        if self.table is not None and self.table.height != self.count:
            raise InternalError("entities and their attributes differ", reason="graph-shape")


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Neighbours of each node of a side, ascending: ``links[starts[u]:starts[u + 1]]``."""

    starts: Starts
    links: Links

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class BipartiteGraph:
    """Two kinds of entities and the edges between them.

    Attributes
    ----------
    left, right
        The entities.
    name
        Name of the table of edges.
    columns
        Names of its columns with the left and the right end.
    forward, backward
        Neighbours of the left and of the right nodes; both hold the same edges.
    merged
        Edges that stood in the source more than once, counted without their first time.
    dropped
        Edges that were left out because an end of them is no entity.
    """

    left: Entities
    right: Entities
    name: str
    columns: tuple[str, str]
    forward: Adjacency
    backward: Adjacency
    merged: int = 0
    dropped: int = 0

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.forward.links)


def adjacency(
    tails: NDArray[np.int64], heads: NDArray[np.int64], tail_count: int, head_count: int
) -> tuple[Adjacency, Adjacency, int]:
    """Compact neighbour lists of both sides from a list of edges; duplicates are merged.

    Parameters
    ----------
    tails, heads
        The left and the right end of each edge.
    tail_count, head_count
        How many nodes each side has.

    Returns
    -------
    forward, backward, merged
        Neighbours of the left nodes, of the right nodes, and how many duplicates there were.
    """
    codes = np.unique(tails.astype(np.int64) * head_count + heads)
    merged = len(tails) - len(codes)
    left, right = np.divmod(codes, max(head_count, 1))
    forward = _compact(left, right, tail_count)
    order = np.argsort(right, kind="stable")
    return forward, _compact(right[order], left[order], head_count), merged


def _compact(ends: NDArray[np.int64], others: NDArray[np.int64], count: int) -> Adjacency:
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=count), out=starts[1:])
    return Adjacency(starts, others.astype(np.int32))
