"""Groups that may overlap, the widest as narrow as possible (Section 2.6.2, docs/papers.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.errors import DataError
from papilio.families.permutation.methods.max_partition import max_partition
from papilio.families.permutation.methods.partition import Partition
from papilio.families.permutation.methods.runs import runs_allowed
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_overlap import chain_of_groups
from papilio.kernels.ke_runs import widest_run
from papilio.privacy.ke_anonymity import KeAnonymity

#: Most steps of one decision, of which about ten are needed: half a minute in all.
LIMIT = 300_000_000


def overlapping_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the width of the widest group, over all partitions.

    The least width is a difference of two values, at most that of the best runs and at least
    half of it (Theorem 4), and is found by bisection; each decision follows chains of groups
    (:mod:`papilio.kernels.ke_overlap`). Where overlaps gain nothing, the runs are taken; where
    they do, nothing is said about the sum of widths, which may be large. Depends on how often each
    value occurs, and on nothing else.

    Raises
    ------
    DataError
        If there are too many different values for it; names ``max``, which is not.

    Notes
    -----
    Cost: O(p w^2 log p) for p different values of which at most w are within the width of the
    best runs, O(p w) space.
    """
    first, shareable = runs_allowed(column, requirement)
    widths = column.widths
    if requirement.k == 1 and requirement.exact_e == 0:
        return _one_value_each(column)
    worst = widest_run(widths, first, shareable)
    _check_cost(widths, worst)
    reach = column.reach(requirement.exact_e)
    single = column.copies == 1
    candidates = _differences(widths, worst / 2, worst)
    low, high = 0, len(candidates) - 1
    while low < high:
        middle = (low + high) // 2
        links = chain_of_groups(widths, single, reach, requirement.k, candidates[middle])
        low, high = (middle + 1, high) if _is_none(links) else (low, middle)
    if low == len(candidates) - 1:
        # Overlaps gain nothing here, and runs sum up to less.
        return max_partition(column, requirement)
    links = chain_of_groups(widths, single, reach, requirement.k, candidates[low])
    return _dealt(column, links[::-1])


def _one_value_each(column: ValueCounts) -> Partition:
    every = np.arange(len(column.values))
    return Partition(every, every, column.copies, len(every))


def _check_cost(widths: NDArray[np.float64], worst: float) -> None:
    ends = np.searchsorted(widths, widths + worst, side="right")
    within = int((ends - np.arange(len(widths))).max())
    if len(widths) * within * within > LIMIT:
        raise DataError(
            f"minimise: max-exact is too slow for {len(widths):,} different values, of which up to "
            f"{within:,} are within the width of a group; minimise: max is accepted, whose groups "
            "are at most twice as wide",
            reason="too-many-values",
        )


def _differences(widths: NDArray[np.float64], least: float, most: float) -> NDArray[np.float64]:
    """Differences of two values between two bounds, ascending; ``most`` is one of them."""
    # A little more on both sides, because sums of doubles round otherwise than differences.
    begins = np.searchsorted(widths, widths + least * (1 - 1e-9), side="left")
    ends = np.searchsorted(widths, widths + most * (1 + 1e-9), side="right")
    first = np.repeat(np.arange(len(widths)), ends - begins)
    offset = np.arange(len(first)) - np.repeat(
        np.cumsum(ends - begins) - (ends - begins), ends - begins
    )
    found = widths[begins[first] + offset] - widths[first]
    return np.unique(found[found <= most])


def _is_none(links: NDArray[np.int64]) -> bool:
    return len(links) == 1 and links[0, 0] < 0


def _dealt(column: ValueCounts, links: NDArray[np.int64]) -> Partition:
    """Deal values out to a chain of groups; of a value that two share, each gets half.

    Parameters
    ----------
    column
        The values.
    links
        As :func:`papilio.kernels.ke_overlap.chain_of_groups` gives them, from first to last.
    """
    copies = column.copies
    value, group, dealt = [], [], []
    place = 0
    for number, (_, start, end, taken, beyond) in enumerate(links):
        alone = np.arange(place, start)
        overlap = np.arange(start, end + 1)
        old, new = _shares(copies[overlap], int(taken), int(beyond) - int(start))
        value += [alone, overlap, overlap]
        group += [
            np.full(len(alone), number),
            np.full(len(overlap), number),
            np.full(len(overlap), number + 1),
        ]
        dealt += [copies[alone], old, new]
        place = max(int(start), int(end) + 1)
    rest = np.arange(place, len(copies))
    value.append(rest)
    group.append(np.full(len(rest), len(links)))
    dealt.append(copies[rest])
    values, groups, counts = map(np.concatenate, (value, group, dealt))
    some = counts > 0
    order = np.lexsort([groups[some], values[some]])
    return Partition(values[some][order], groups[some][order], counts[some][order], len(links) + 1)


def _shares(
    copies: NDArray[np.int64], taken: int, beyond: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Copies in an overlap that the old group gets, and those that the new one gets."""
    old = copies // 2
    single = np.flatnonzero(copies == 1)
    # The first value is the new group's if there is one copy only.
    offered = single[single > 0]
    if beyond >= 0:
        old[offered[: taken - 1]] = 1
        old[beyond] = 1
    else:
        old[offered[:taken]] = 1
    return old, copies - old
