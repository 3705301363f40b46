"""Chosen link: what somebody concludes who knows one link of a person, the most telling one.

Theorem 7 of Zhang bounds what is believed of entities nothing was learnt about. Of the two ends of
a learnt link it promises nothing: between two groups there are mostly few edges, often one, and
then the link tells which nodes its ends are, and with them how many links they have, and into
which groups (Zhang, 4.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from papilio.attack.result import AttackResult, Exposed
from papilio.data.bipartite import BipartiteGraph
from papilio.policy.policy import Policy
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, Ints, Mask, grouped_graph
from papilio.randomness import sampling
from papilio.release.release import Release

NAME = "chosen_link"
#: Pairs of links of one node that are looked at; beyond, a fixed sample of groups is.
_MOST_PAIRS = 10_000_000


@dataclass(frozen=True, eq=False)
class FurtherLinks:
    """Strongest belief in a link of a left entity, after another link of it was learnt.

    Attributes
    ----------
    node
        Left node of each such link; links of one node into one group are one entry.
    group
        The right group of its other end.
    hits, places
        The belief as a fraction.
    tried
        Whether each left node was looked at.
    """

    node: Ints
    group: Ints
    hits: Ints
    places: Ints
    tried: Mask

    def certain(self) -> Ints:
        """Nodes with a link that becomes certain."""
        return np.unique(self.node[self.hits == self.places])

    def above(self, demanded: SafeGrouping) -> Ints:
        """Nodes with a link that is believed in more than any other may be, in whole numbers."""
        least = max(demanded.k - 1, demanded.l - 1, 1)
        return np.unique(self.node[self.hits * least > self.places])


def chosen_link(
    release: Release, original: BipartiteGraph, policy: Policy
) -> Iterator[AttackResult]:
    r"""Try everybody with each of their links, and keep the one that tells most.

    Who learns that entities v and w of groups i and j are linked knows that they are the ends of
    one of the :math:`c_{ij}` edges between these groups, each as likely as the others. If all of
    these have one end in common, that end is named. With :math:`e(x, j')` edges between a node x
    and a group j' of :math:`m_{j'}` nodes, a further link of v, to an entity of j', is believed
    with

    .. math:: \frac{1}{c_{ij}} \sum_{(x, y)} \frac{e(x, j') - [j' = j]}{m_{j'} - [j' = j]},

    exactly over all originals that fit.

    Figures, for each side: ``links``, and ``both``, links that name both their nodes, at least one
    of which was hidden; ``entities``, and ``named``, those whose node one of their links names and
    who hide among others without it; ``tried``, entities whose further links were looked at, a
    fixed sample of groups where there are very many pairs of links; of these ``certain`` and
    ``above``, entities with a link that another one makes certain, or believed in more strongly
    than ``bound``, the 1/max(k - 1, l - 1) that holds for entities of whom no link was learnt.

    Exposed are entities that are ``above``, with the other end of the link as what is learnt. Being
    named is told and not counted as exposed: who the entities are is public, and the policy cannot
    prevent it; what it says of further links is counted. The original is not needed: within a group
    entities can be exchanged, so that they are called by their nodes.

    Not tried: two or more links (see ``learned_links``); links of one end concluded from the other.

    Cost: for each node the square of the number of groups that it is linked to, 10 million pairs
    at most for each side.
    """
    del original
    demanded: SafeGrouping
    (demanded,) = policy.family.requirements(policy)
    graph = grouped_graph(release)
    both = int(names_both(graph).sum())
    for view in (graph, graph.flipped()):
        yield _result(view, both, further_links(view), demanded)


def names_left(graph: GroupedGraph) -> Mask:
    """Links that tell which node their left end is: all edges between its groups share it."""
    width = max(len(graph.right.sizes), 1)
    pair = (
        graph.left.group_of_node[graph.left.ends] * width
        + graph.right.group_of_node[graph.right.ends]
    )
    _, block = np.unique(pair, return_inverse=True)
    nodes = max(len(graph.left.group_of_node), 1)
    ends = np.unique(block * nodes + graph.left.ends) // nodes
    named: Mask = (np.bincount(ends, minlength=1) == 1)[block]
    return named


def names_both(graph: GroupedGraph) -> Mask:
    """Links that tell both their nodes, if one of them was hidden."""
    named: Mask = names_left(graph) & names_left(graph.flipped())
    return named & (_hidden(graph) | _hidden(graph.flipped()))


def _hidden(graph: GroupedGraph) -> Mask:
    """Links whose left end hides among others."""
    left = graph.left
    hidden: Mask = left.sizes[left.group_of_node[left.ends]] > 1
    return hidden


def further_links(graph: GroupedGraph, most: int = _MOST_PAIRS) -> FurtherLinks:
    """Strongest belief in each link of a left entity by another of its links.

    Parameters
    ----------
    graph
        The release.
    most
        Pairs of links of one node to look at, at most.
    """
    rows = _rows(graph)
    tried = _tried(graph, rows, most)
    rows = rows.filter(pl.Series(tried[rows["node"].to_numpy()], dtype=pl.Boolean))
    pairs = rows.join(rows.select("node", to="group", further="edges"), on="node").with_columns(
        same=(pl.col("group") == pl.col("to")).cast(pl.Int64)
    )
    pairs = pairs.with_columns(further=pl.col("further") - pl.col("same"))
    block = ["own", "group", "to"]
    hits = pairs.group_by(block).agg(hits=(pl.col("edges") * pl.col("further")).sum())
    edges = rows.group_by("own", "group").agg(between=pl.col("edges").sum())
    room = pl.DataFrame({"to": np.arange(len(graph.right.sizes)), "room": graph.right.sizes})
    beliefs = hits.join(edges, on=["own", "group"]).join(room, on="to")
    there = pairs.filter(pl.col("further") > 0).join(beliefs, on=block)
    places = pl.col("between") * (pl.col("room") - pl.col("same"))
    best = (
        there.with_columns(places=places)
        .sort(pl.col("hits") / pl.col("places"), descending=True)
        .unique(["node", "to"], keep="first", maintain_order=True)
    )
    node, group, hit, place = (best[name].to_numpy() for name in ("node", "to", "hits", "places"))
    return FurtherLinks(node, group, hit, place, tried)


def _rows(graph: GroupedGraph) -> pl.DataFrame:
    """Edges between each left node and each right group, with the node's own group."""
    ends = {"node": graph.left.ends, "group": graph.right.group_of_node[graph.right.ends]}
    counted = pl.DataFrame(ends).group_by("node", "group", maintain_order=True)
    rows = counted.agg(edges=pl.len().cast(pl.Int64))
    return rows.with_columns(own=pl.Series(graph.left.group_of_node[rows["node"].to_numpy()]))


def _tried(graph: GroupedGraph, rows: pl.DataFrame, most: int) -> Mask:
    """Nodes of groups, in a fixed random order, that have no more pairs of links together."""
    groups = graph.left.group_of_node
    reached = np.bincount(rows["node"].to_numpy(), minlength=len(groups))
    pairs = np.bincount(groups, reached.astype(np.float64) ** 2, minlength=len(graph.left.sizes))
    order = sampling().permutation(len(pairs))
    chosen = np.zeros(len(pairs), bool)
    chosen[order] = np.cumsum(pairs[order]) <= most
    tried: Mask = chosen[groups]
    return tried


def _result(
    graph: GroupedGraph, both: int, found: FurtherLinks, demanded: SafeGrouping
) -> AttackResult:
    named = len(np.unique(graph.left.ends[names_left(graph) & _hidden(graph)]))
    certain, above = len(found.certain()), len(found.above(demanded))
    entities, tried = len(graph.left.group_of_node), int(found.tried.sum())
    figures: dict[str, int | float] = {
        "links": graph.edges,
        "both": both,
        "entities": entities,
        "named": named,
        "tried": tried,
        "certain": certain,
        "above": above,
        "bound": demanded.posterior(1),
    }
    sample = "" if tried == entities else f", of a sample of {tried:,}"
    sentence = (
        f"{both:,} of {graph.edges:,} links each tell both nodes, and {named:,} of {entities:,} of "
        f"'{graph.left.name}' can be found by one of their links; another link is then certain for "
        f"{certain:,}, and believed with more than {demanded.posterior(1):.1%} for {above:,}"
        f"{sample}."
    )
    attacker = f"someone who knows one link of one of '{graph.left.name}', the most telling"
    drawn_from = None if tried == entities else entities
    exposed = (Exposed(above, tried, graph.columns[1], drawn_from=drawn_from),)
    return AttackResult(NAME, attacker, sentence, figures, exposed)
