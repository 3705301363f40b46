"""Known degrees: what somebody concludes who knows how many links people have (Zhang, 4.3, 4.5).

The release hides which entity of a group is which of its nodes, and shows all links of each node.
Whoever knows how many papers an author wrote looks only at the nodes of the group with so many
links. Safe groupings promise nothing against that; it is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from papilio.attack.result import AttackResult, Exposed
from papilio.data.bipartite import BipartiteGraph
from papilio.policy.policy import Policy
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, GroupedSide, Ints, Mask, grouped_graph
from papilio.release.release import Release

NAME = "known_degrees"


@dataclass(frozen=True, eq=False)
class DegreeCells:
    """Nodes of one side by group and degree: what is left of a group to who knows a degree.

    Attributes
    ----------
    cell
        Cell of each node, numbered from 0: nodes of one group with equally many links.
    sizes
        Number of nodes of each cell.
    hidden
        Whether each node is in a group with other nodes; others are known by name anyway.
    """

    cell: Ints
    sizes: Ints
    hidden: Mask

    @cached_property
    def alone(self) -> Mask:
        """Nodes that are named by their degree: no other one of their group has it."""
        named: Mask = (self.sizes[self.cell] == 1) & self.hidden
        return named


@dataclass(frozen=True, eq=False)
class DegreeBeliefs:
    """Belief in each link that there is, of somebody who knows the degrees of its ends.

    Attributes
    ----------
    links
        Links between the cells of both ends.
    places
        Pairs of a node of either cell, each of which is as likely as the others to be the ends.
    """

    links: Ints
    places: Ints

    @property
    def certain(self) -> Mask:
        """Links that are no secret."""
        sure: Mask = self.links == self.places
        return sure

    def above(self, demanded: SafeGrouping) -> Mask:
        """Links that are believed in more strongly than 1/max(k, l); in whole numbers."""
        over: Mask = self.links * max(demanded.k, demanded.l) > self.places
        return over


def known_degrees(
    release: Release, original: BipartiteGraph, policy: Policy
) -> Iterator[AttackResult]:
    r"""Try everybody, and every link, with the number of links of each end known.

    An entity with d links is any of the :math:`n_{i,d}` nodes of its group i that have d links, all
    equally likely. So a link between entities of groups i and j with d and e links is believed with

    .. math:: \frac{c_{(i,d),(j,e)}}{n_{i,d} \, m_{j,e}},

    where c counts the edges between these nodes: exactly, whether the attacker knows these two
    degrees or those of everybody, since the nodes of one cell can be exchanged freely.

    Figures, for each side: ``entities``, and ``alone``, those whose node is known because no other
    node of their group has as many links. For the links: ``links``; ``certain``, links between
    entities that must be linked; ``above``, links that are believed in more strongly than
    ``bound``, 1/max(k, l), what the policy promises to who knows no degree; ``strongest`` and
    ``mean``, the belief in the links that there are. Exposed are
    entities with a link above the bound, of whom the other end is what is learnt, and those of them
    that are alone, about who they are. Who is alone and has no such link is told and not counted:
    the entities are public, and of no link more is believed than was promised. Entities of groups
    of one node, which are published by name, are never alone. Where all nodes of a group have
    equally many links, nothing is learnt.

    The original is not needed: degrees are published. Not tried: who knows a degree roughly, the
    degrees of neighbours (see ``signature``), or links besides (see ``learned_links``).

    Cost: sorting nodes and edges.
    """
    del original
    demanded: SafeGrouping
    (demanded,) = policy.family.requirements(policy)
    graph = grouped_graph(release)
    found = degree_beliefs(graph)
    over = found.above(demanded)
    for side in (graph.left, graph.right):
        yield _identity(side, degree_cells(side), np.unique(side.ends[over]))
    yield _links(graph, found, demanded)


def degree_cells(side: GroupedSide) -> DegreeCells:
    """Divide the nodes of each group by their number of links."""
    width = int(side.degrees.max(initial=0)) + 1
    codes = side.group_of_node * width + side.degrees
    _, cell, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    return DegreeCells(cell.astype(np.int64), sizes, side.sizes[side.group_of_node] > 1)


def degree_beliefs(graph: GroupedGraph) -> DegreeBeliefs:
    """How strongly each link is believed in by who knows the degrees of its ends."""
    left, right = degree_cells(graph.left), degree_cells(graph.right)
    tails, heads = left.cell[graph.left.ends], right.cell[graph.right.ends]
    _, block, links = np.unique(
        tails * max(len(right.sizes), 1) + heads, return_inverse=True, return_counts=True
    )
    return DegreeBeliefs(links[block], left.sizes[tails] * right.sizes[heads])


def _identity(side: GroupedSide, cells: DegreeCells, believed: Ints) -> AttackResult:
    """Who is alone, and how many of them have a link that is believed too strongly."""
    alone, count = int(cells.alone.sum()), len(cells.cell)
    sentence = (
        f"{alone:,} of {count:,} of '{side.name}' ({_share(alone, count)}) are the only ones of "
        "their group with so many links, so that their place in the graph is known."
    )
    return AttackResult(
        NAME,
        f"someone who knows how many links each of '{side.name}' has",
        sentence,
        {"entities": count, "alone": alone},
        (Exposed(int(cells.alone[believed].sum()), count),),
    )


def _links(graph: GroupedGraph, found: DegreeBeliefs, demanded: SafeGrouping) -> AttackResult:
    beliefs, over = found.links / found.places, found.above(demanded)
    figures: dict[str, int | float] = {
        "links": graph.edges,
        "certain": int(found.certain.sum()),
        "above": int(over.sum()),
        "bound": demanded.posterior(),
        "strongest": float(beliefs.max(initial=0.0)),
        "mean": float(beliefs.mean()) if graph.edges else 0.0,
    }
    sentence = (
        f"Of {graph.edges:,} links {figures['certain']:,} "
        f"({_share(int(figures['certain']), graph.edges)}) are certain, and {figures['above']:,} "
        f"({_share(int(figures['above']), graph.edges)}) are believed in more strongly than the "
        f"{demanded.posterior():.1%} that the policy allows to who knows no degree."
    )
    exposed = tuple(
        Exposed(len(np.unique(side.ends[over])), len(side.group_of_node), learnt)
        for side, learnt in zip((graph.left, graph.right), reversed(graph.columns), strict=True)
    )
    attacker = "someone who knows how many links both ends of a link have"
    return AttackResult(NAME, attacker, sentence, figures, exposed)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "0.0%"
