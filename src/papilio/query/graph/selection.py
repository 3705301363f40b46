"""What a question selects on each side, and the edges between what may be selected."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from papilio.query.graph.grouped import Floats, GroupedGraph, GroupedSide, Ints, Mask


@dataclass(frozen=True, eq=False)
class Chosen:
    """What is selected on one side.

    Attributes
    ----------
    side
        The side.
    entities
        Entities that an attribute predicate selects: which of a group's nodes they are is hidden.
    nodes
        Nodes that a structural predicate selects.
    """

    side: GroupedSide
    entities: Mask
    nodes: Mask

    @cached_property
    def per_group(self) -> Ints:
        """Number of selected entities of each group: a, or b."""
        return self.side.entities_per_group(self.entities)

    @cached_property
    def share(self) -> Floats:
        """Chance of each group's nodes to be a selected entity: a/k."""
        return self.per_group / self.side.sizes

    @property
    def sure(self) -> Mask:
        """Nodes that are a selected entity in any case."""
        sure: Mask = self.per_group == self.side.sizes
        return sure[self.side.group_of_node]

    @property
    def possible(self) -> Mask:
        """Nodes that may be a selected entity."""
        possible: Mask = self.per_group > 0
        return possible[self.side.group_of_node]

    @property
    def certain(self) -> bool:
        """Whether it is known which nodes are selected."""
        return bool(((self.per_group == 0) | (self.per_group == self.side.sizes)).all())


def everything(side: GroupedSide) -> Chosen:
    """Select all of a side."""
    return Chosen(
        side, np.ones(len(side.group_of_entity), bool), np.ones(len(side.group_of_node), bool)
    )


@dataclass(frozen=True, eq=False)
class Selection:
    """What is selected on both sides.

    Attributes
    ----------
    left, right
        The sides.
    tails, heads
        The edges between nodes that the structure selects on both sides.
    """

    left: Chosen
    right: Chosen
    tails: Ints
    heads: Ints

    def flipped(self) -> Selection:
        """The same with sides exchanged."""
        return Selection(self.right, self.left, self.heads, self.tails)


def select(graph: GroupedGraph, left: Chosen, right: Chosen) -> Selection:
    """Put two sides together."""
    tails, heads = graph.left.ends, graph.right.ends
    kept = left.nodes[tails] & right.nodes[heads]
    return Selection(left, right, tails[kept], heads[kept])
