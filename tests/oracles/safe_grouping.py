"""Safe groupings, slowly; imports nothing of Papilio."""

from __future__ import annotations


def clash(neighbours, u, v):
    """Whether two nodes share a neighbour."""
    return bool(set(neighbours[u]) & set(neighbours[v]))


def first_fit(neighbours, order, groups, room):
    """Put each node into the first group with room and without a clash, else into a new one."""
    groups = [list(group) for group in groups]
    for u in order:
        for group in groups:
            if len(group) < room and not any(clash(neighbours, u, v) for v in group):
                group.append(u)
                break
        else:
            groups.append([u])
    return groups


def exists(neighbours, k):
    """Whether some division of the nodes has groups of at least k, none with a clash."""

    def extend(node, groups):
        if node == len(neighbours):
            return all(len(group) >= k for group in groups)
        for group in groups:
            if not any(clash(neighbours, node, v) for v in group):
                group.append(node)
                if extend(node + 1, groups):
                    return True
                group.pop()
        groups.append([node])
        found = extend(node + 1, groups)
        groups.pop()
        return found

    return extend(0, [])


def clashing(neighbours):
    """Number of others each node shares a neighbour with."""
    count = len(neighbours)
    return [
        sum(1 for v in range(count) if v != u and clash(neighbours, u, v)) for u in range(count)
    ]
