"""What somebody believes who knows who demanded what, by every world and every way to pool it.

Imports nothing of Papilio. Trees and weights are those of :mod:`oracles.disguise`.
"""

from fractions import Fraction
from itertools import product

from oracles.disguise import cost, leaves, maximal, nodes


def subtree(tree, node):
    if leaves(tree) == node:
        return tree
    below = (subtree(child, node) for child in tree) if isinstance(tree, list) else ()
    return next((found for found in below if found is not None), None)


def above(tree, value):
    """Nodes that hold a value, from the value up to the root."""
    return [node for node in nodes(tree) if value in node][::-1]


def published(tree, weights, values, joined):
    """People and cells of each pool."""
    inside = {}
    for person, pool in enumerate(joined):
        inside.setdefault(pool, []).append(person)
    return frozenset(
        (
            tuple(who),
            tuple(
                sorted(
                    maximal(
                        [values[i] for i in who], subtree(tree, pool), {v: weights[v] for v in pool}
                    ).items()
                )
            ),
        )
        for pool, who in inside.items()
    )


def best(tree, weights, values, levels, least=1):
    """All ways to pool people at the least sum of ranges, and the chance of each.

    How many people of each value join which pool is one of those that are as good, all alike
    likely; the strongest demands of a value join the highest pools, equal ones by chance.
    """
    chains = [above(tree, value) for value in values]
    options = [
        chain[min(level, len(chain) - 1) :] for chain, level in zip(chains, levels, strict=True)
    ]
    costs = {}
    for joined in product(*options):
        if any(joined.count(pool) < least for pool in joined):
            continue
        if any(
            values[a] == values[b] and levels[a] > levels[b] and len(joined[a]) < len(joined[b])
            for a in range(len(values))
            for b in range(len(values))
        ):
            continue
        shown = published(tree, weights, values, joined)
        costs[joined] = sum(cost(dict(cells)) for _, cells in shown)
    kinds = {}
    for joined, paid in costs.items():
        if paid == min(costs.values()):
            kind = tuple(sorted(zip(values, joined, strict=True)))
            kinds.setdefault(kind, []).append(joined)
    return {
        joined: Fraction(1, len(kinds) * len(alike)) for alike in kinds.values() for joined in alike
    }


def beliefs(tree, weights, levels, least=1):
    """What is seen -> its chance, and per person the chance of each value."""
    domain = leaves(tree)
    found = {}
    for values in product(domain, repeat=len(levels)):
        mass = Fraction(1)
        for value in values:
            mass *= Fraction(weights[value], sum(weights.values()))
        for joined, chance in best(tree, weights, values, levels, least).items():
            seen = published(tree, weights, values, joined)
            total, each = found.setdefault(
                seen, [Fraction(0), [dict.fromkeys(domain, Fraction(0)) for _ in levels]]
            )
            found[seen][0] = total + mass * chance
            for person, value in enumerate(values):
                each[person][value] += mass * chance
    return {
        seen: (total, [{v: part / total for v, part in one.items() if part} for one in each])
        for seen, (total, each) in found.items()
        if total
    }
