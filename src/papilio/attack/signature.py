"""Signatures: what a (k,1) and a (1,l) release of one graph tell together (Zhang, 4.5).

Either release alone masks links. But both show the whole structure, one with the names of the left
and one with the names of the right nodes. A node whose place in the structure is like no other's
can be found in both, and with it its links.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from papilio.attack.result import AttackResult
from papilio.data.bipartite import BipartiteGraph
from papilio.policy.policy import Policy
from papilio.query.graph.grouped import GroupedGraph, grouped_graph
from papilio.release.release import Release

NAME = "signature"

#: Steps of signatures; the paper saw no change after the fourth.
STEPS = 4

Signatures = NDArray[np.int64]


def signature(release: Release, original: BipartiteGraph, policy: Policy) -> Iterator[AttackResult]:
    """Say how many nodes two releases of this graph, (k,1) and (1,l), would single out.

    Figures: for each side the number of entities, and ``step 1`` to ``step 4``: how many have a
    signature like no other after so many steps. It is a lower bound: nodes with equal signatures
    may be told apart by other means. Nobody is counted as exposed by this release: the attack needs
    a second one that its owner is told not to publish. The original is not needed; the structure
    is public.

    Cost: steps times edges.
    """
    del original, policy
    graph = grouped_graph(release)
    steps = signatures(graph, STEPS)
    for place, side in enumerate((graph.left, graph.right)):
        unique = [int((class_sizes(step[place]) == 1).sum()) for step in steps[1:]]
        count = len(side.group_of_node)
        figures: dict[str, int | float] = {"entities": count}
        figures |= {f"step {number}": found for number, found in enumerate(unique, start=1)}
        sentence = (
            f"{unique[-1]} of {count} of '{side.name}' ({unique[-1] / count:.1%}) would be singled "
            "out with all their links; so never publish both."
        )
        attacker = "someone who also had another release of this graph, of the kind (k,1) or (1,l)"
        yield AttackResult(NAME, attacker, sentence, figures)


def signatures(graph: GroupedGraph, steps: int) -> list[tuple[Signatures, Signatures]]:
    """Signatures of left and right nodes after 0, 1, … steps, as small numbers.

    In each step a node's signature becomes its own and the multiset of its neighbours'. Multisets
    are compared by a 64-bit sum of mixed numbers: that two different ones agree has a chance of
    about pairs/2**64.
    """
    left, right = graph.left.ends, graph.right.ends
    found = [
        (
            np.zeros(len(graph.left.group_of_node), np.int64),
            np.zeros(len(graph.right.group_of_node), np.int64),
        )
    ]
    for _ in range(steps):
        mine, theirs = found[-1]
        found.append((_step(mine, theirs, left, right), _step(theirs, mine, right, left)))
    return found


def class_sizes(signature: Signatures) -> NDArray[np.int64]:
    """How many nodes have each node's signature."""
    return np.bincount(signature)[signature]


def _step(own: Signatures, others: Signatures, ends: Signatures, far: Signatures) -> Signatures:
    sums = np.zeros(len(own), np.uint64)
    np.add.at(sums, ends, _mixed(others)[far])
    order = np.lexsort((sums, own))
    new = (np.diff(own[order]) != 0) | (np.diff(sums[order]) != 0)
    numbers = np.empty(len(own), np.int64)
    numbers[order] = np.concatenate([[0], np.cumsum(new)])
    return numbers


def _mixed(numbers: Signatures) -> NDArray[np.uint64]:
    """SplitMix64: spreads small numbers over 64 bits."""
    z = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
