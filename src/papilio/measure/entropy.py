r"""Entropy of a column, and what is left of it when another column is known.

Source: Cover and Thomas, *Elements of Information Theory*, 1991, chapter 2; used in section 4.2 of
Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011). Natural logarithms;
the paper does not fix the base, and no ratio depends on it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from papilio.measure.contingency import Contingency


def entropy(counts: NDArray[np.int64]) -> float:
    r""":math:`H = \sum_v \frac{c_v}{n} \log \frac{n}{c_v}`; 0 exactly for a single value.

    ``counts`` is how often each value occurs. All terms are positive, so that nothing cancels.
    """
    rows = int(counts.sum())
    terms = counts * np.log1p((rows - counts) / counts)
    return math.fsum(terms.tolist()) / rows


def conditional_entropy(pairs: Contingency) -> float:
    r"""Entropy of the first column that is left when the second is known.

    :math:`H(A|B) = H(A) - I(A, B) = \sum_{v, w} \frac{c_{vw}}{n} \log \frac{c_w}{c_{vw}}`; exactly
    0 if the second column determines the first.
    """
    terms = pairs.together * np.log1p((pairs.second - pairs.together) / pairs.together)
    return math.fsum(terms.tolist()) / pairs.rows
