"""A released graph by enumeration: every way entities can be nodes; imports nothing of Papilio."""

from __future__ import annotations

from itertools import permutations, product


def worlds(groups_of_node, groups_of_entity):
    """Every way the entities of each group can be its nodes: lists, entity of each node."""
    names = sorted(set(groups_of_node))
    nodes = [[x for x, g in enumerate(groups_of_node) if g == name] for name in names]
    people = [[e for e, g in enumerate(groups_of_entity) if g == name] for name in names]
    for ways in product(*(permutations(each) for each in people)):
        entity = [0] * len(groups_of_node)
        for places, way in zip(nodes, ways, strict=True):
            for node, person in zip(places, way, strict=True):
                entity[node] = person
        yield entity


def both(left, right):
    """Pairs of a world of the left and one of the right side."""
    return product(list(worlds(*left)), list(worlds(*right)))


def linked(edges, left, right, wanted_left, wanted_right, ok_left, ok_right):
    """Edges as (left entity, right entity, left node, right node) that a question selects."""
    return [
        (left[x], right[y], x, y)
        for x, y in edges
        if wanted_left[left[x]] and wanted_right[right[y]] and ok_left[x] and ok_right[y]
    ]


def figures(answers):
    """Smallest, largest, mean and variance of the answers that are not None; None without any."""
    known = [each for each in answers if each is not None]
    if not known:
        return None
    mean = sum(known) / len(known)
    return min(known), max(known), mean, sum((each - mean) ** 2 for each in known) / len(known)


def is_safe(edges, groups, end):
    """Whether no two nodes of one group share a neighbour; ``end`` 0 is left, 1 is right."""
    seen = set()
    for edge in edges:
        at = (groups[edge[end]], edge[1 - end])
        if at in seen:
            return False
        seen.add(at)
    return True


def example_7(edges, left, right, wanted_left, wanted_right):
    """Bounds of Example 7 for a safe grouping; ``left`` and ``right`` as for :func:`both`."""
    low = high = 0
    for j in set(right[0]):
        b = sum(1 for e, g in enumerate(right[1]) if g == j and wanted_right[e])
        size = right[0].count(j)
        lows, highs = [0], 0
        for i in set(left[0]):
            a = sum(1 for e, g in enumerate(left[1]) if g == i and wanted_left[e])
            c = sum(1 for x, y in edges if left[0][x] == i and right[0][y] == j)
            highs += min(a, b, c)
            lows.append(a + b + c - left[0].count(i) - size)
        low += max(lows)
        high += min(highs, b)
    return low, high
