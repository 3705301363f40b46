"""Which rows hang together because some recipient sees them in one class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def forbid_cuts(
    codes: NDArray[np.int64], classes: NDArray[np.int64], least: int, forbidden: NDArray[np.int64]
) -> None:
    """Count, for each cut ``code <= v``, classes that would have a side of 1 to ``least - 1`` rows.

    Parameters
    ----------
    codes, classes
        Code and class of each row, sorted by class and then by code.
    least
        Least size of a side that is not empty.
    forbidden
        Entry v is raised by one for each class that forbids the cut; as differences, so that the
        running sum gives the counts.

    Notes
    -----
    Cost: O(rows).
    """
    begin = 0
    while begin < len(codes):
        end = begin
        while end < len(codes) and classes[end] == classes[begin]:
            end += 1
        size = end - begin
        if codes[begin] != codes[end - 1]:
            if size < 2 * least:
                forbidden[codes[begin]] += 1
                forbidden[codes[end - 1]] -= 1
            else:
                # Too few on the left before the least-th code, too few on the right after.
                low = codes[begin + least - 1]
                high = codes[end - least]
                forbidden[codes[begin]] += 1
                forbidden[low] -= 1
                forbidden[max(low, high)] += 1
                forbidden[codes[end - 1]] -= 1
        begin = end


@kernel
def find_root(parent: NDArray[np.int64], node: int) -> int:
    """Representative of a node; paths are halved on the way."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def components(classes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Component of each row: rows in the same class for some recipient are in the same component.

    Parameters
    ----------
    classes
        Class of each row for each recipient, numbered from 0 for each.
    counts
        Number of classes of each recipient.

    Returns
    -------
    components
        A number per row, equal within a component; not consecutive.

    Notes
    -----
    Cost: nearly O(n r) for n rows and r recipients.
    """
    offset = np.zeros(len(counts), np.int64)
    for recipient in range(1, len(counts)):
        offset[recipient] = offset[recipient - 1] + counts[recipient - 1]
    parent = np.arange(offset[-1] + counts[-1])
    rows = classes.shape[1]
    for recipient in range(1, len(counts)):
        for row in range(rows):
            one = find_root(parent, classes[0, row])
            other = find_root(parent, offset[recipient] + classes[recipient, row])
            parent[other] = one
    found = np.empty(rows, np.int64)
    for row in range(rows):
        found[row] = find_root(parent, classes[0, row])
    return found
