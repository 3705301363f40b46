"""What a release loses, as numbers.

Normalised certainty penalty.

Source: Xu et al., "Utility-based anonymization using local recoding", KDD 2006, section 2.

Average class size.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006
(C_AVG, the normalised average size of classes).

Discernibility metric.

Source: Bayardo and Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.

Uncertainty penalty.

Source: Pei, Tao, Li, Xiao, "Butterfly: privacy preserving publishing on multiple
quasi-identifiers", TR 2008-18, section 2.1, definition 1.

Association Loss Ratio of a plan: the share of dependency between columns that it loses.

Source: section 4.1 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute"
(DEXA 2011).

Information Exposure Ratio of a plan: what knowing one sensitive column gives away of others.

Source: section 4.2 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute"
(DEXA 2011), with the misprint in its last case put right; see :mod:`papilio.measure.dependencies`.

How far values, targets and published subdomains are from each other, and what is lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.measure.dependencies import Dependencies
from papilio.measure.published_classes import PublishedClasses


@dataclass(frozen=True)
class Ncp:
    """Share of the domain that published cells cover, between 0 (nothing lost) and 1 (everything).

    Attributes
    ----------
    overall
        Mean over all cells of quasi-identifiers.
    per_column
        Mean over the cells of each column.
    """

    overall: float
    per_column: dict[str, float]


def ncp(classes: PublishedClasses) -> Ncp:
    r"""Measure a release: :math:`\frac{1}{n d} \sum_{rows} \sum_{columns} loss(cell)`.

    The loss of a cell is that of :class:`~papilio.measure.published_classes.PublishedClasses`.
    Xu et al. weight attributes; here all weigh the same.
    """
    rows = classes.sizes.sum()
    per_column = {
        name: float((loss * classes.sizes).sum() / rows) for name, loss in classes.loss.items()
    }
    return Ncp(float(np.mean(list(per_column.values()))), per_column)


def average_class_size(classes: PublishedClasses, k: int) -> float:
    """Rows per class in units of k: (rows / classes) / k.

    1 at best, when every class has exactly k rows; (rows / k) for a single class. Below 1 only if
    the release is not k-anonymous. Looks at sizes only, not at what the cells say.
    """
    return float(classes.sizes.sum()) / len(classes.sizes) / k


def discernibility(classes: PublishedClasses) -> int:
    r"""Sum of squared class sizes, :math:`\sum_E |E|^2`.

    Every row costs the number of rows it cannot be told from. The least possible value for n rows
    under k-anonymity is about n k; the value for one single class is n².
    """
    # Python integers: ten million rows in one class would already exceed 2**46.
    return sum(int(size) ** 2 for size in classes.sizes)


def uncertainty_penalty(classes: PublishedClasses) -> float:
    r"""Sum over rows and columns of :math:`(y - x) / |A|` for a published range :math:`[x, y]`.

    :math:`|A|` is the range of the column in the original. The definition assumes a global order on
    every domain: for sets of labels, x and y are the ranks of the first and the last label. A
    column that is constant in the original costs 0 (the printed formula would divide by zero).
    """
    return float(sum((span * classes.sizes).sum() for span in classes.span.values()))


def association_loss(known: Dependencies, plan: Sequence[Sequence[int]]) -> float:
    r"""Mutual information of pairs of columns in different tables, over that of all pairs.

    :math:`\Gamma_\alpha = \sum_{i<j, \text{apart}} I(A_i, A_j) / \sum_{i<j} I(A_i, A_j)`, and 0 if
    no two columns depend on each other at all (the paper says 1 for one column per table, which
    its own definition contradicts there). 0 for one table, from 0 to 1 otherwise; merging two
    tables never raises it.

    Parameters
    ----------
    known
        The dependencies.
    plan
        Numbers of the columns of each table; each column once.
    """
    pairs = combinations(range(len(known.names)), 2)
    total = math.fsum(known.information[i, j] for i, j in pairs)
    table_of = {column: number for number, columns in enumerate(plan) for column in columns}
    apart = math.fsum(
        known.information[i, j]
        for i, j in combinations(range(len(known.names)), 2)
        if table_of[i] != table_of[j]
    )
    return apart / total if total else 0.0


def exposure(known: Dependencies, plan: Sequence[Sequence[int]]) -> float:
    r"""Exposable information inside tables, weighted by their width, over that of all pairs.

    :math:`\Gamma_\beta = \sum_u \frac{E(\mathcal{A}_u)}{E_\Sigma}
    \frac{|\mathcal{A}_u|}{|\mathcal{A}|}`, where E of a table sums its pairs and E_Sigma sums all
    pairs; 0 if nothing can be exposed (one column, columns that determine each other, only
    harmless values), where the paper says 1 for one table. From 0 to 1; 0 for one column per
    table; merging two tables never lowers it.

    Parameters
    ----------
    known
        The dependencies.
    plan
        Numbers of the columns of each table; each column once.
    """
    columns = len(known.names)
    total = _inside(known, range(columns))
    if not total:
        return 0.0
    inside = math.fsum(_inside(known, table) * len(table) for table in plan)
    return inside / total / columns


def _inside(known: Dependencies, columns: Sequence[int]) -> float:
    return math.fsum(known.exposable[i, j] for i, j in combinations(columns, 2))


_Shares = NDArray[np.float64]


def target_shares(target: WeightedTree) -> _Shares:
    """Leaf -> probability under a target."""
    shares: _Shares = target.chance[target.tree.leaf_node]
    return shares


def published_shares(target: WeightedTree, nodes: dict[int, int]) -> _Shares:
    """Leaf -> probability after publishing subdomains, each spread as the target inside it.

    The right-hand side of Definition 3.3.1 in Zhang. Cost: the leaves each uses.
    """
    tree, shares = target.tree, target_shares(target)
    found = np.zeros(tree.leaves)
    for node, many in nodes.items():
        inside = slice(int(tree.first[node]), int(tree.last[node]) + 1)
        mass = shares[inside]
        total = mass.sum()
        found[inside] += many * (mass / total if total else 1 / len(mass))
    all_shares: _Shares = found / sum(nodes.values())
    return all_shares


def total_variation(one: _Shares, other: _Shares) -> float:
    """Largest difference of the probabilities of any set of values, from 0 to 1."""
    return float(np.abs(one - other).sum() / 2)


def range_loss(target: WeightedTree, nodes: dict[int, int]) -> float:
    """Average range of a published subdomain as a share of the domain's range, from 0 to 1."""
    span = target.tree.span
    if span[0] == 0:
        return 0.0
    wide = sum(span[node] * many for node, many in nodes.items())
    return float(wide / span[0] / sum(nodes.values()))
