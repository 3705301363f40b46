"""Whether the values of a class are diverse enough (Machanavajjhala et al., ICDE 2006, section 4).

``counts`` holds how often each value of the class occurs, at least one value, each at least once.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.compare_fractions import at_most
from papilio.kernels.count_values import sort_numbers
from papilio.kernels.jit import kernel


@kernel
def entropy_meets(counts: NDArray[np.int64], rows: int, least: int, limit: float) -> bool:
    """Whether the entropy is large enough.

    Values that are equally frequent are decided exactly: ``least`` of them are enough. For all
    others the entropy log n - (sum of c log c) / n must reach ``limit``, which lies above the
    logarithm that is demanded by more than this sum can be wrong; the sum carries its rounding
    errors along (Neumaier, ZAMM 54, 1974).
    """
    uniform = True
    for count in counts:
        uniform = uniform and count == counts[0]
    if uniform:
        return len(counts) >= least
    total = 0.0
    lost = 0.0
    for count in counts:
        term = count * math.log(count)
        raised = total + term
        if total >= term:
            lost += (total - raised) + term
        else:
            lost += (term - raised) + total
        total = raised
    return math.log(rows) - (total + lost) / rows >= limit


@kernel
def recursive_meets(
    counts: NDArray[np.int64], rows: int, least: int, numerator: int, denominator: int
) -> bool:
    """Whether r_1 < c (r_l + ... + r_m) with c = numerator / denominator and l = ``least``.

    Exact. Cost: O(m log m) for m values.
    """
    if len(counts) < least:
        return False
    ascending = counts.copy()
    sort_numbers(ascending)
    rest = rows
    for place in range(least - 1):
        rest -= ascending[len(ascending) - 1 - place]
    return not at_most(numerator, denominator, ascending[-1], rest)
