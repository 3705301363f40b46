"""Disguised distributions by exhaustive search, from the definitions alone.

A tree is a nested list whose leaves are numbers: ``[[1, 2], [3, 4]]``. Weights are those of the
leaves, a dictionary. A multiset of subdomains is a dictionary from nodes, written as tuples of
their leaves, to how often each is used.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product


def leaves(tree):
    return (tree,) if not isinstance(tree, list) else tuple(v for c in tree for v in leaves(c))


def nodes(tree):
    """All nodes, root first, depth first."""
    below = [] if not isinstance(tree, list) else [n for child in tree for n in nodes(child)]
    return [leaves(tree), *below]


def balanced(values, arity=2):
    if len(values) == 1:
        return values[0]
    parts = min(arity, len(values))
    each, more = divmod(len(values), parts)
    cuts = [i * each + min(i, more) for i in range(parts + 1)]
    return [balanced(values[a:b], arity) for a, b in zip(cuts, cuts[1:], strict=False)]


def mean_share(multiset, weights):
    """Distribution of one value, given the multiset (right-hand side of Definition 3.3.1)."""
    size = sum(multiset.values())
    share = dict.fromkeys(weights, Fraction(0))
    for node, many in multiset.items():
        mass = sum(weights[v] for v in node)
        for value in node:
            part = Fraction(weights[value], mass) if mass else Fraction(1, len(node))
            share[value] += Fraction(many, size) * part
    return share


def is_private(multiset, weights, domain=None):
    """Definition 3.3.1, inside ``domain``."""
    if any(sum(weights[v] for v in node) == 0 for node in multiset):
        return len(multiset) == 1 and domain in multiset
    share = mean_share(multiset, weights)
    inside = domain or tuple(weights)
    mass = sum(weights[v] for v in inside)
    return all(share[v] == Fraction(weights[v], mass) for v in inside) and not any(
        share[v] for v in weights if v not in inside
    )


def has_matching(values, multiset):
    """Whether values can be assigned one-to-one to subdomains that contain them (Kuhn)."""
    places = [node for node, many in multiset.items() for _ in range(many)]
    owner = {}

    def assign(value, seen):
        for place, node in enumerate(places):
            if values[value] in node and place not in seen:
                seen.add(place)
                if place not in owner or assign(owner[place], seen):
                    owner[place] = value
                    return True
        return False

    return all(assign(value, set()) for value in range(len(values)))


def span(node):
    return max(node) - min(node)


def cost(multiset):
    return sum(span(node) * many for node, many in multiset.items())


def multisets(tree, size):
    every = nodes(tree)
    for chosen in combinations_with_replacement(range(len(every)), size):
        yield {every[n]: chosen.count(n) for n in set(chosen)}


def least_cost(values, tree, weights, size=None):
    """Least sum of ranges over all private multisets that the values fit; fakes fill the rest."""
    size = len(values) if size is None else size
    found = [
        cost(m)
        for m in multisets(tree, size)
        if is_private(m, weights, leaves(tree)) and has_matching(values, m)
    ]
    return min(found, default=None)


def least_cost_with_fakes(values, tree, weights, limit):
    """Least sum over every set of at most ``limit`` fake values, and the fewest that reach it."""
    found = []
    for number in range(limit + 1):
        found += [
            (least_cost([*values, *fakes], tree, weights), number)
            for fakes in combinations_with_replacement(leaves(tree), number)
        ]
    return min(found)


def maximal(values, tree, weights):
    """Algorithm 3 written down recursively: subdomain -> how often."""
    found = {}

    def push(node, size):
        children = node if isinstance(node, list) else []
        ratio = _ratio([sum(weights[v] for v in leaves(c)) for c in children])
        here = [sum(v in leaves(c) for v in values) for c in children]
        lots = 0
        if sum(ratio):
            most = [n // w for n, w in zip(here, ratio, strict=False) if w]
            lots = min([size // sum(ratio), *most])
        if size - lots * sum(ratio):
            found[leaves(node)] = size - lots * sum(ratio)
        for child, w in zip(children, ratio, strict=False):
            if lots * w:
                push(child, lots * w)

    if values:
        push(tree, len(values))
    return found


def _ratio(weights):
    from math import gcd

    divisor = gcd(*weights) if weights else 1
    return [w // divisor if divisor else 0 for w in weights]


def partitions(things):
    """All partitions of a sequence into blocks."""
    if not things:
        yield []
        return
    head, rest = things[0], things[1:]
    for blocks in partitions(rest):
        yield [[head], *blocks]
        for number, block in enumerate(blocks):
            yield [*blocks[:number], [head, *block], *blocks[number + 1 :]]


def respects(multiset, demanded, weights):
    """Definition 5.3.1 with the target instead of the uniform distribution (papers D5.1)."""
    share = mean_share(multiset, weights)
    mass = sum(weights[v] for v in demanded)
    inside = sum(share[v] for v in demanded)
    return all(share[v] * mass == inside * weights[v] for v in demanded)


def least_personal_cost(people, tree, weights):
    """Least sum over all partitions of the people into groups; ``people`` = (value, demanded)."""

    @cache
    def one_group(group):
        values = [value for value, _ in group]
        found = [
            cost(m)
            for m in multisets(tree, len(group))
            if has_matching(values, m) and all(respects(m, r, weights) for _, r in group)
        ]
        return min(found, default=float("inf"))

    return min(
        sum(one_group(tuple(sorted(block))) for block in blocks)
        for blocks in partitions(list(people))
    )


def best_shifted(counts, size, shares, shift):
    """Largest number that may go to the children: every admissible division, tried."""
    best = 0
    for division in product(*(range(min(n, size) + 1) for n in counts)):
        pushed = sum(division)
        if pushed > size or pushed <= best:
            continue
        off = [abs(Fraction(d, pushed) - p) for d, p in zip(division, shares, strict=True)]
        if max(off) <= shift:
            best = pushed
    return best


def least_shifted_cost(values, tree, weights, shift):
    """Least sum of ranges if shares among siblings may differ by ``shift``: every division, tried.

    Only for trees of two levels of choice and few values.
    """

    @cache
    def least(path, size):
        node = tree
        for step in path:
            node = node[step]
        best = size * span(leaves(node))
        children = node if isinstance(node, list) else []
        masses = [sum(weights[v] for v in leaves(child)) for child in children]
        if not sum(masses):
            return best
        shares = [Fraction(mass, sum(masses)) for mass in masses]
        counts = [sum(v in leaves(child) for v in values) for child in children]
        for division in product(*(range(min(n, size) + 1) for n in counts)):
            pushed = sum(division)
            if not 0 < pushed <= size:
                continue
            off = [abs(Fraction(d, pushed) - p) for d, p in zip(division, shares, strict=True)]
            if max(off) <= shift:
                below = sum(least((*path, n), d) for n, d in enumerate(division))
                best = min(best, (size - pushed) * span(leaves(node)) + below)
        return best

    return least((), len(values))
