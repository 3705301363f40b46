"""What tests of grouping methods share."""

from itertools import pairwise

from papilio.data.encode import attributes_of, encode
from papilio.data.table import Role
from papilio.kernels.attributes import RANGE, SET


def encoded_of(made):
    return encode(made, made.with_role(Role.QUASI))


def rows_of(encoded):
    return encoded.codes[:, : len(encoded.columns)].tolist()


def kinds_of(encoded):
    """The oracles' description of the columns, from public facts about them."""
    attributes = attributes_of(encoded)
    kinds = []
    for index, each in enumerate(encoded.columns):
        if each.kind == RANGE:
            start = attributes.position_start[index]
            kinds.append(("range", attributes.position[start : start + len(each.values)].tolist()))
        elif each.kind == SET:
            kinds.append(("set", len(each.values)))
        else:
            leaves = range(len(each.values))
            kinds.append(("tree", [_path(each.hierarchy, leaf) for leaf in leaves]))
    return kinds


def _path(tree, leaf):
    node, path = int(tree.leaf_node[leaf]), []
    while node >= 0:
        path.append(node)
        node = int(tree.parent[node])
    return path


def as_sets(classes):
    return {frozenset(classes.rows[a:b].tolist()) for a, b in pairwise(classes.starts)}
