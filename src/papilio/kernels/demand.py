"""What a class must satisfy, in a form kernels can test.

Requirements are compiled into a :class:`Demand` once; every kernel that splits, merges or moves
rows asks :func:`class_meets` and nothing else. A new requirement extends this file only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


class Demand(NamedTuple):
    """Everything demanded of one class of rows.

    Attributes
    ----------
    least_size
        Smallest number of rows (k of k-anonymity).
    """

    least_size: int


@kernel
def class_meets(demand: Demand, rows: NDArray[np.int32]) -> bool:
    """Whether the class made of ``rows`` (source row numbers) satisfies the demand."""
    return len(rows) >= demand.least_size
