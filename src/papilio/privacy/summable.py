"""Numbers whose sums and squares a help table can hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from papilio.errors import DataError

#: Sizes of numbers, 0 aside, whose squares, summed over any table, stay ordinary doubles.
LEAST, MOST = 1e-140, 1e140


def check_summable(column: str, values: ArrayLike) -> None:
    """Refuse numbers of which a help table could not hold sums and variances.

    Raises
    ------
    DataError
        Says how many there are and what is accepted; no value.

    Notes
    -----
    Cost: one pass.
    """
    sizes = np.abs(np.asarray(values, np.float64))
    wrong = int(((sizes > MOST) | ((sizes > 0) & (sizes < LEAST))).sum())
    if wrong:
        raise DataError(
            f"column '{column}': {wrong} different numbers are too far from or too near to 0 for "
            f"the sums of the help table; 0 and sizes from {LEAST:g} to {MOST:g} are accepted, so "
            "publish it in another unit",
            reason="not-summable",
        )
