"""A safe grouping of one side: several orders, strict ones first; or why there is none."""

from __future__ import annotations

from papilio.data.bipartite import Adjacency, Entities
from papilio.errors import InfeasibleError
from papilio.families.graph.methods.node_order import Order, node_order
from papilio.families.graph.methods.safe_grouping import NodeGroups, safe_grouping
from papilio.families.graph.methods.why_not import largest_possible, why_not
from papilio.randomness import Randomness


def find_grouping(
    entities: Entities,
    side: Adjacency,
    other: Adjacency,
    k: int,
    *,
    letter: str,
    order: Order,
    retries: int,
    randomness: Randomness,
) -> NodeGroups:
    """Find a safe grouping, strict if one of the orders gives one.

    Parameters
    ----------
    entities
        Of this side, for messages.
    side, other
        Neighbours of this side's nodes and of the other side's.
    k
        Least size of a group.
    letter
        How the policy calls it, ``k`` or ``l``.
    order, retries
        The order, and how many further ones are tried: half of the same kind, half by how
        crowded the neighbours are. A grouping that is not strict is taken only if none of them
        gives a strict one.
    randomness
        For the orders.

    Raises
    ------
    InfeasibleError
        If none was found: for how many nodes and why, and the largest k that was found to work.
    """
    best = _try(side, other, k, order, retries, randomness)
    if best is not None:
        return best
    reason = why_not(entities.name, side, other, k, retries)
    nearest = _largest(side, other, min(k - 1, largest_possible(side, other)), order, randomness)
    raise InfeasibleError(
        f"'{entities.name}': no safe grouping with {letter} = {k}: {reason}",
        reason="no-safe-grouping",
        nearest=f"the largest {letter} that was found to work is {nearest}",
    )


def _try(
    side: Adjacency, other: Adjacency, k: int, order: Order, retries: int, randomness: Randomness
) -> NodeGroups | None:
    """Try orders until one gives a strict grouping; else the one with the smallest groups."""
    found: list[NodeGroups] = []
    if k <= largest_possible(side, other):
        for attempt in range(retries + 1):
            # Ties are broken anew each time; where that does not help, another order may.
            kind: Order = order if attempt <= retries // 2 else "crowded"
            groups = safe_grouping(side, other, k, node_order(side, other, kind, randomness))
            if groups.strict(k):
                return groups
            if groups.complete:
                found.append(groups)
                if not _strict_sizes_exist(len(groups.group_of_node), k):
                    break
    return min(found, key=lambda groups: int(groups.sizes.max()), default=None)


def _strict_sizes_exist(count: int, k: int) -> bool:
    """Whether so many nodes can be divided into groups of k and k + 1 at all."""
    return -(-count // (k + 1)) <= count // k


def _largest(
    side: Adjacency, other: Adjacency, most: int, order: Order, randomness: Randomness
) -> int:
    """Largest k up to ``most`` for which a grouping is found; 1 always is one.

    A grouping for k is one for every smaller k, so halving finds the largest for which one exists,
    as far as the search finds it.
    """
    least = 1
    while least < most:
        middle = (least + most + 1) // 2
        if _try(side, other, middle, order, 2, randomness) is None:
            most = middle - 1
        else:
            least = middle
    return least
