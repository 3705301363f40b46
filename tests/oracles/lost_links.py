"""Who knows how many links everybody has, of a graph that lost some, by trying every original.

Imports nothing of Papilio. Entities are called by the nodes that they truly are. An original that
fits has the published links, placed by some way entities can be nodes, and as many others as were
left out; each entity has as many links as it is known to have; and, in the groups of the levelled
side, no two nodes are linked to the same node.
"""

from itertools import combinations, product

from oracles.degrees import _sides


def originals(edges, left, right, lost, known):
    """Links of every original that fits, as pairs of entities, with the published among them.

    ``known`` are the true degrees of both sides, and the left side is levelled.
    """
    n, m = len(left), len(right)
    pairs = list(product(range(n), range(m)))
    for one, other in product(list(_sides(left)), list(_sides(right))):
        there = set(edges)
        shown = {(v, w) for v, w in pairs if (one[v], other[w]) in there}
        for gone in combinations([pair for pair in pairs if pair not in shown], lost):
            whole = shown | set(gone)
            if _degrees(whole, n, m) == known and _is_safe(whole, left):
                yield whole, shown


def _degrees(pairs, n, m):
    return (
        [sum(v == x for v, _ in pairs) for x in range(n)],
        [sum(w == y for _, w in pairs) for y in range(m)],
    )


def _is_safe(pairs, left):
    met = [(left[v], w) for v, w in pairs]
    return len(met) == len(set(met))


def belief_in_published(found, v, w):
    """Share of some originals in which a published link is between two entities."""
    return sum((v, w) in shown for _, shown in found) / len(found)


def belief(found, v, w):
    """Share of some originals in which two entities are linked, published or not."""
    return sum((v, w) in whole for whole, _ in found) / len(found)


def least_loss(edges, n, size):
    """Fewest links to drop so that safe groups of the left side have one degree each, or none."""
    near = [{y for x, y in edges if x == node} for node in range(n)]
    return min(
        (_loss(parts, near) for parts in _partitions(list(range(n)), near, size)), default=None
    )


def _loss(parts, near):
    return sum(len(near[x]) - min(len(near[y]) for y in part) for part in parts for x in part)


def _partitions(nodes, near, size):
    if not nodes:
        yield []
        return
    first, *rest = nodes
    for count in range(size - 1, len(rest) + 1):
        for others in combinations(rest, count):
            part = [first, *others]
            if any(near[a] & near[b] for a, b in combinations(part, 2)):
                continue
            left = [x for x in rest if x not in others]
            yield from ([part, *more] for more in _partitions(left, near, size))
