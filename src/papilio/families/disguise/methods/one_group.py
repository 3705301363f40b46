"""Personal levels without volunteering choice: the paper's Algorithms 6 and 7, as baselines."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from papilio.families.disguise.methods.personal import Pooled
from papilio.families.disguise.methods.pools import People, generalise_pools


def one_group(people: People) -> Pooled:
    """Algorithm 6: everybody is raised to the largest subdomain that anybody demands around them.

    Optimal if all people are to be one group (Lemma 5.4.1, Theorem 9; papers D5.3, D5.5), which
    then falls apart into one group per largest subdomain. GetBigDomains, which the paper omits, is
    the set of inclusion-maximal demanded nodes (papers D5.10).
    """
    tree = people.target.tree
    demanded = np.zeros(tree.nodes, dtype=bool)
    demanded[people.demanded] = True
    largest = np.full(tree.nodes, -1, dtype=np.int32)
    for node in range(tree.nodes):
        above = int(tree.parent[node])
        inherited = -1 if above < 0 else int(largest[above])
        largest[node] = node if inherited < 0 and demanded[node] else inherited
    pool = largest[tree.leaf_node[people.codes]]
    joined = np.zeros_like(people.need)
    np.add.at(joined, (people.codes, tree.depth[pool]), 1)
    subdomains = generalise_pools(people.target, joined)
    cost = sum(
        float(tree.span[node]) * many for each in subdomains.values() for node, many in each.items()
    )
    return Pooled(pool, subdomains, cost, 0.0)


def groups_by_class(people: People, classes: Iterable[NDArray[np.int64]]) -> list[Pooled]:
    """Algorithm 7: Algorithm 6 for each class of people with equal quasi-identifiers.

    Parameters
    ----------
    people
        Everybody.
    classes
        Rows of each class.
    """
    return [
        one_group(People(people.target, people.codes[rows], people.demanded[rows]))
        for rows in classes
    ]
