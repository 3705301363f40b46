"""Trees, targets and people as tests write them down."""

import numpy as np
import polars as pl

from papilio.data.domain_tree import balanced, weigh
from papilio.families.disguise.methods.pools import People


def tree_over(values, arity=2):
    series = pl.Series(list(values))
    return balanced(series, series, arity)


def target_over(values, weights=None, arity=2):
    """Weighted tree; equal weights if none are given."""
    weights = [1] * len(list(values)) if weights is None else weights
    return weigh(tree_over(values, arity), np.array(weights, dtype=np.int64))


def codes_of(values, tree):
    return np.searchsorted(tree.lows.to_numpy(), np.array(values)).astype(np.int32)


def counts_of(values, tree):
    return np.bincount(codes_of(values, tree), minlength=tree.leaves).astype(np.int64)


def named(tree, nodes):
    """Subdomains as tuples of their values, as the oracle writes them."""
    values = tree.lows.to_list()
    return {
        tuple(values[tree.first[node] : tree.last[node] + 1]): many for node, many in nodes.items()
    }


def node_over(tree, low, high):
    values = tree.lows.to_list()
    (found,) = (
        n for n in range(tree.nodes) if (values[tree.first[n]], values[tree.last[n]]) == (low, high)
    )
    return found


def people(pairs, target):
    """People from (value, (low, high), how many)."""
    tree = target.tree
    values = [value for value, _, many in pairs for _ in range(many)]
    demanded = [node_over(tree, *ends) for _, ends, many in pairs for _ in range(many)]
    return People(target, codes_of(values, tree), np.array(demanded, dtype=np.int32))
