"""Which runs of sorted values are (k,e)-anonymous groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.privacy.ke_anonymity import KeAnonymity


def runs_allowed(
    column: ValueCounts, requirement: KeAnonymity
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Least end of a run from each value, and whether two runs may share a value.

    A value is shared if it has copies for both. Where one value alone is a group already (k = 1,
    e = 0), sharing could go on for ever and gains nothing.
    """
    count = len(column.values)
    first = np.maximum(column.reach(requirement.exact_e), np.arange(count) + requirement.k - 1)
    alone = requirement.k == 1 and requirement.exact_e == 0
    shareable = np.zeros(count, bool) if alone else column.copies >= 2
    return first, shareable
