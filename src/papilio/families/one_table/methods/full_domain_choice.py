"""The choice among several acceptable vectors of levels: the one that loses least.

All losses are whole numbers, so that a tie is a tie on every machine. A row that is left out counts
as lost altogether.

=================  ===============================================================================
``ncp``            normalised certainty penalty (Xu et al., KDD 2006): for a cell (leaves under its
                   node - 1) / (leaves of the hierarchy - 1); 1 for a cell that is left out
``discernibility`` sum of the squared sizes of the classes; the number of all rows for each row
                   that is left out (Bayardo and Agrawal, ICDE 2005)
``height``         sum of the levels (Samarati, TKDE 13(6), 2001)
=================  ===============================================================================

Ties go to the smaller ``ncp``, then to the smaller ``height``, then to the vector that has the
lower level in the first column in which they differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from papilio.families.one_table.methods.full_domain import Vector
from papilio.families.one_table.methods.full_domain_check import Accepted, Question
from papilio.kernels.incognito import spread_of_classes

Metric: TypeAlias = Literal["ncp", "discernibility", "height"]


def choose_levels(asked: Question, accepted: Mapping[Vector, Accepted], metric: Metric) -> Vector:
    """Take the vector with the least loss; see the module for losses and ties."""
    return min(accepted, key=lambda levels: _loss(asked, levels, accepted[levels], metric))


def _loss(
    asked: Question, levels: Vector, accepted: Accepted, metric: Metric
) -> tuple[int, int, int, Vector]:
    ncp, height = _ncp(asked, levels, accepted), sum(levels)
    match metric:
        case "ncp":
            return ncp, ncp, height, levels
        case "discernibility":
            return _discernibility(accepted), ncp, height, levels
        case "height":
            return height, ncp, height, levels


def _ncp(asked: Question, levels: Vector, accepted: Accepted) -> int:
    """Certainty penalty summed over all cells, times the common multiple of the denominators."""
    classes, met = accepted.classes, accepted.met
    suppressed = int(classes.counts[~met].sum())
    sums = spread_of_classes(
        asked.codes, classes.members, classes.counts, met, np.array(levels), asked.levels
    )
    widest = [max(leaves - 1, 1) for leaves in asked.leaves]
    common = math.lcm(*widest)
    kept: int = sum(
        lost * (common // most) for lost, most in zip(sums.tolist(), widest, strict=True)
    )
    return kept + suppressed * len(levels) * common


def _discernibility(accepted: Accepted) -> int:
    counts, met = accepted.classes.counts, accepted.met
    # Squares add up to at most the square of the number of rows, which fits.
    return int((counts[met] ** 2).sum() + counts[~met].sum() * counts.sum())
