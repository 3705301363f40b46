"""A released graph and who knows degrees, by trying every way entities can be nodes.

Imports nothing of Papilio. A world gives each side the node of each of its entities; entities are
called by the nodes that they truly are.
"""

from itertools import permutations, product


def _sides(groups):
    """Every way the entities of each group can be its nodes: node of each entity."""
    names = sorted(set(groups))
    members = [[x for x, g in enumerate(groups) if g == name] for name in names]
    for ways in product(*(permutations(each) for each in members)):
        node = [0] * len(groups)
        for entities, way in zip(members, ways, strict=True):
            for entity, place in zip(entities, way, strict=True):
                node[entity] = place
        yield node


def _degrees(edges, end, count):
    return [sum(1 for edge in edges if edge[end] == x) for x in range(count)]


def worlds(edges, left, right, known_left, known_right):
    """Worlds in which the entities that are known have as many links as they truly have."""
    fitting = []
    for end, groups, known in ((0, left, known_left), (1, right, known_right)):
        degrees = _degrees(edges, end, len(groups))
        fitting.append(
            [way for way in _sides(groups) if all(degrees[way[e]] == degrees[e] for e in known)]
        )
    return list(product(*fitting))


def belief(edges, found, v, w):
    """Share of some worlds in which two entities are linked."""
    there = set(edges)
    return sum((one[v], other[w]) in there for one, other in found) / len(found)


def named(found, end, entity):
    """Whether an entity is the same node in all of some worlds."""
    return len({world[end][entity] for world in found}) == 1


def linked_worlds(edges, left, right, learnt):
    """Worlds in which a learnt link is there."""
    there = set(edges)
    both = product(list(_sides(left)), list(_sides(right)))
    return [world for world in both if (world[0][learnt[0]], world[1][learnt[1]]) in there]
