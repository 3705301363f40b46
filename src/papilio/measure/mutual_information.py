r"""Mutual information: how much two columns say of each other.

Source: Cover and Thomas, *Elements of Information Theory*, 1991, section 2.3; section 4.1 of Fang,
Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.measure.contingency import Contingency

#: Below this the power series is used; its first terms left out are below 1e-17 of the result.
_SMALL = 0.01
#: 1 / (j (j - 1)) for j = 2 .. 10.
_SERIES = [1 / (j * (j - 1)) for j in range(2, 11)]


def mutual_information(pairs: Contingency) -> float:
    r"""Mutual information of two columns, never negative, and exactly 0 if they are independent.

    By definition :math:`I = \sum_{v, w} \frac{c_{vw}}{n} \log \frac{n c_{vw}}{c_v c_w}`. With
    :math:`x = (n c_{vw} - c_v c_w) / (c_v c_w)` and because these differences add up to zero, it is

    .. math:: I = \sum_{v, w} \frac{c_v c_w}{n^2} \left((1 + x) \log(1 + x) - x\right),

    a sum of terms none of which is negative, so that nothing cancels. A pair that does not occur
    has x = -1 and adds its expected share.

    Cost: one pass over the pairs that occur.
    """
    rows = pairs.rows
    expected = pairs.first * pairs.second
    surplus = rows * pairs.together - expected
    terms = excess_over_chance(surplus, expected)
    missing = rows * rows - int(expected.sum())
    return math.fsum([*terms.tolist(), float(missing)]) / rows / rows


def excess_over_chance(surplus: NDArray[Any], expected: NDArray[Any]) -> NDArray[np.float64]:
    """Term of each pair that occurs, times the square of the number of rows.

    Parameters
    ----------
    surplus
        By how much rows times the pair's rows exceed what is expected.
    expected
        Product of the rows of both values.
    """
    return expected.astype(np.float64) * _excess((surplus / expected).astype(np.float64))


def _excess(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 + x) log(1 + x) - x, also where x is so small that the two parts nearly cancel."""
    direct = (1 + x) * np.log1p(x) - x
    series = np.zeros_like(x)
    for factor in reversed(_SERIES):
        series = factor - x * series
    return np.where(np.abs(x) < _SMALL, x * x * series, direct)
