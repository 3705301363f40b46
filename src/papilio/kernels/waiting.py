"""The waiting list of classes that may be cut further."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def new_waiting(low: int, high: int) -> NDArray[np.int64]:
    """Make a list with one class. Smaller halves are taken first, so 64 places always suffice."""
    waiting = np.empty((64, 2), np.int64)
    waiting[0, 0] = low
    waiting[0, 1] = high
    return waiting


@kernel
def add_halves(waiting: NDArray[np.int64], length: int, begin: int, middle: int, end: int) -> int:
    """Append both halves, the smaller one last; return the new length."""
    larger_first = middle - begin > end - middle
    waiting[length, 0] = begin if larger_first else middle
    waiting[length, 1] = middle if larger_first else end
    waiting[length + 1, 0] = middle if larger_first else begin
    waiting[length + 1, 1] = end if larger_first else middle
    return length + 2
