"""Rows dealt out to groups while they come, as a plan says; which row goes where is chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.errors import DataError
from papilio.kernels.draw_groups import draw_groups, sums_tree
from papilio.randomness import Randomness


class Drawing:
    """Deals rows of several kinds out to groups, one after the other.

    Each row draws one of the places that are left for its kind, all with the same chance. So, once
    all rows are dealt out, every way to fill the groups was equally likely, whatever the order in
    which the rows came.

    Parameters
    ----------
    kinds, groups, copies
        The plan: how many rows of a kind go to a group. Kinds ascend.
    count
        Number of kinds.
    """

    def __init__(
        self,
        kinds: NDArray[np.int64],
        groups: NDArray[np.int64],
        copies: NDArray[np.int64],
        count: int,
    ) -> None:
        self._starts = np.searchsorted(kinds, np.arange(count + 1)).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(copies)]).astype(np.int64)
        self._left = np.diff(before[self._starts])
        self._groups = groups.astype(np.int64)
        self._tree = sums_tree(copies.astype(np.int64))

    def draw(self, kinds: NDArray[np.int64], randomness: Randomness) -> NDArray[np.int64]:
        """Draw a group for each of some rows, given the kinds of them.

        Raises
        ------
        DataError
            If there are more rows of a kind than the plan has, or a kind is -1.

        Notes
        -----
        Cost: O(log entries) for each row whose kind goes to more than one group.
        """
        keys = randomness.keys(len(kinds))
        known = np.maximum(kinds, 0)
        drawn = draw_groups(known, keys, self._starts, self._groups, self._left, self._tree)
        if len(kinds) and (int(kinds.min()) < 0 or int(drawn.min()) < 0):
            raise changed_while_reading()
        return drawn


def changed_while_reading() -> DataError:
    """Return the error for a source of which two passes saw different rows."""
    return DataError(
        "the source changed while it was read; read it again when nothing writes to it",
        reason="changed-while-reading",
    )
