"""Pair the lines of a cost matrix with its columns: at least cost, or greedily."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def assign(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Column of each line so that the sum of the costs is smallest; each column at most once.

    Shortest augmenting paths with potentials (Kuhn 1955, Munkres 1957; Jonker and Volgenant 1987).

    Parameters
    ----------
    cost
        At least as many columns as lines; numbers of any sign.

    Notes
    -----
    Cost: n**2 m for n lines and m columns.
    """
    lines, columns = cost.shape
    line_price = np.zeros(lines + 1)
    column_price = np.zeros(columns + 1)
    owner = np.zeros(columns + 1, np.int64)
    before = np.zeros(columns + 1, np.int64)
    slack = np.empty(columns + 1)
    used = np.empty(columns + 1, np.bool_)
    for line in range(1, lines + 1):
        owner[0] = line
        here = 0
        slack[:] = np.inf
        used[:] = False
        while owner[here] != 0:
            used[here] = True
            current = owner[here]
            least = np.inf
            nearest = 0
            for column in range(1, columns + 1):
                if used[column]:
                    continue
                reduced = cost[current - 1, column - 1] - line_price[current] - column_price[column]
                if reduced < slack[column]:
                    slack[column] = reduced
                    before[column] = here
                if slack[column] < least:
                    least = slack[column]
                    nearest = column
            for column in range(columns + 1):
                if used[column]:
                    line_price[owner[column]] += least
                    column_price[column] -= least
                else:
                    slack[column] -= least
            here = nearest
        while here != 0:
            owner[here] = owner[before[here]]
            here = before[here]
    chosen = np.empty(lines, np.int64)
    for column in range(1, columns + 1):
        if owner[column] != 0:
            chosen[owner[column] - 1] = column - 1
    return chosen


@kernel
def assign_greedily(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Column of each line, taking the cheapest pair that is left again and again.

    Of equally cheap pairs the first line's is taken, then the first column's.

    Notes
    -----
    Cost: all pairs are looked at once for each line; a sort would pay for long lists only.
    """
    lines, columns = cost.shape
    chosen = np.full(lines, -1, np.int64)
    taken = np.zeros(columns, np.bool_)
    for _ in range(lines):
        least = np.inf
        line, column = -1, -1
        for i in range(lines):
            if chosen[i] >= 0:
                continue
            for j in range(columns):
                if not taken[j] and cost[i, j] < least:
                    least = cost[i, j]
                    line, column = i, j
        chosen[line] = column
        taken[column] = True
    return chosen
