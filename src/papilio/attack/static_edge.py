"""Static attack: how far the release alone makes someone believe in a link (Lemma 4.4.1)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from papilio.attack.result import AttackResult, Exposed
from papilio.data.bipartite import BipartiteGraph
from papilio.policy.policy import Policy
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, blocks_of, everything, grouped_graph, select
from papilio.release.release import Release

NAME = "static_edge"


def static_edge(
    release: Release, original: BipartiteGraph, policy: Policy
) -> Iterator[AttackResult]:
    """Say how strongly anyone must believe in the links that there are.

    Two entities of groups with n and m nodes and c edges between them are linked with probability
    c / (n m), exactly; in a safe grouping that is at most 1/max(k, l). Figures: ``links``;
    ``strongest`` and ``mean``, the belief in the links that there are; ``bound``; ``certain``,
    links that are no secret. Exposed are entities of either side with such a link, the column of
    the other end being learnt. The original is not needed: a link's belief is that of its groups.

    Cost: sorting the edges.
    """
    del original
    graph = grouped_graph(release)
    beliefs = link_beliefs(graph)
    demanded: SafeGrouping
    (demanded,) = policy.family.requirements(policy)
    bound = demanded.posterior()
    figures: dict[str, int | float] = {
        "links": len(beliefs),
        "strongest": float(beliefs.max(initial=0.0)),
        "mean": float(beliefs.mean()) if len(beliefs) else 0.0,
        "bound": bound,
        "certain": int((beliefs >= 1).sum()),
    }
    sentence = (
        f"Of {figures['links']} links none would be believed with more than "
        f"{figures['strongest']:.1%}, on average {figures['mean']:.2%}; the policy allows "
        f"{bound:.1%}."
    )
    certain = _certain(graph)
    exposed = tuple(
        Exposed(len(np.unique(side.ends[certain])), len(side.group_of_node), learnt)
        for side, learnt in zip((graph.left, graph.right), reversed(graph.columns), strict=True)
    )
    yield AttackResult(NAME, "anyone with the release alone", sentence, figures, exposed)


def _certain(graph: GroupedGraph) -> NDArray[np.bool_]:
    """Which links there must be: everybody of one group is linked to everybody of the other."""
    left, right = (side.group_of_node[side.ends] for side in (graph.left, graph.right))
    codes = left * max(len(graph.right.sizes), 1) + right
    _, block, links = np.unique(codes, return_inverse=True, return_counts=True)
    full: NDArray[np.bool_] = links[block] == graph.left.sizes[left] * graph.right.sizes[right]
    return full


def link_beliefs(graph: GroupedGraph) -> NDArray[np.float64]:
    """Belief in each link that there is, from the release alone."""
    blocks = blocks_of(select(graph, everything(graph.left), everything(graph.right)))
    places = graph.left.sizes[blocks.left] * graph.right.sizes[blocks.right]
    return np.repeat(blocks.edges / places, blocks.edges)
