"""Plans for several sensitive columns, from the definitions; imports nothing of Papilio."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product


def entropy(column):
    n = len(column)
    return -math.fsum(c / n * math.log(c / n) for c in Counter(column).values())


def mutual_information(first, second):
    n = len(first)
    p, q, both = Counter(first), Counter(second), Counter(zip(first, second, strict=True))
    return math.fsum(
        c / n * math.log((c / n) / (p[v] / n * q[w] / n)) for (v, w), c in both.items()
    )


def chance_information(first, second):
    """Mean over all permutations, by the hypergeometric distribution in whole numbers."""
    n, total = len(first), 0.0
    for a, b in product(Counter(first).values(), Counter(second).values()):
        for m in range(max(1, a + b - n), min(a, b) + 1):
            likely = Fraction(math.comb(a, m) * math.comb(n - a, b - m), math.comb(n, b))
            total += float(likely) * m / n * math.log(n * m / (a * b))
    return total


def shared_information(first, second):
    """Mutual information less what chance is expected to show, at least 0."""
    chance = chance_information(first, second)
    left = mutual_information(first, second) - chance
    return left if left > 1e-9 * chance else 0.0


def exposable(first, second, harmless_first=(), harmless_second=()):
    """E(Ai, Aj) case by case, with H(Ai) + H(Aj) - 2 I in the last one."""
    n = len(first)
    shared = shared_information(first, second)
    of_first, of_second = entropy(first) - shared, entropy(second) - shared
    total = 0.0
    for (v, w), count in Counter(zip(first, second, strict=True)).items():
        left, right = v not in harmless_first, w not in harmless_second
        total += count / n * (of_first * left + of_second * right)
    return total


def association_loss(columns, plan):
    table_of = {column: number for number, table in enumerate(plan) for column in table}
    every = apart = 0.0
    for i in range(len(columns)):
        for j in range(len(columns)):
            if i != j:
                information = shared_information(columns[i], columns[j])
                every += information / 2
                apart += information / 2 * (table_of[i] != table_of[j])
    return apart / every if every > 1e-13 else 0.0


def exposure(columns, plan, harmless=None):
    harmless = harmless or [()] * len(columns)

    def inside(table):
        return math.fsum(
            exposable(columns[i], columns[j], harmless[i], harmless[j])
            for i, j in combinations(table, 2)
        )

    every = inside(range(len(columns)))
    if every <= 1e-13:
        return 0.0
    return sum(inside(table) / every * len(table) / len(columns) for table in plan)


def plans(items):
    """All divisions of a list into tables."""
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for smaller in plans(rest):
        yield ((first,), *smaller)
        for place, table in enumerate(smaller):
            yield (*smaller[:place], (first, *table), *smaller[place + 1 :])


def front(points):
    """Points (loss, exposure) that no other beats."""
    return sorted(
        p for p in set(points) if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)
    )


def best_loss(points, limit):
    return min(loss for loss, exposed in points if exposed <= limit)


def codip(information, exposed_by, limit, feasible):
    """CODIP* with the next pair tried after a failure; returns the tables after every merge."""
    columns = range(len(information))
    tables = [(c,) for c in columns]
    found = [tuple(sorted(tables))]
    while True:
        unions = [
            (-_average(information, a + b), place, a, b)
            for place, (a, b) in enumerate(combinations(tables, 2))
        ]
        for _, _, a, b in sorted(unions):
            union = tuple(sorted(a + b))
            merged = [t for t in tables if t not in (a, b)] + [union]
            if feasible(union) and exposed_by(merged) <= limit:
                tables = merged
                found.append(tuple(sorted(tables)))
                break
        else:
            return found


def _average(information, columns):
    pairs = list(combinations(columns, 2))
    return sum(information[i][j] for i, j in pairs) / len(pairs)
