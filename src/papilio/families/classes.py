"""A division of the rows into classes, which every generalising method returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.draw_groups import shuffle_classes
from papilio.randomness import Randomness


@dataclass(frozen=True, eq=False)
class Classes:
    """Rows, class after class.

    Attributes
    ----------
    rows
        Source row numbers; each row once.
    starts
        First position of each class in ``rows``, then the number of rows.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows of each class."""
        return np.diff(self.starts)

    @property
    def class_of_position(self) -> NDArray[np.int32]:
        """Class of each entry of ``rows``."""
        return np.repeat(np.arange(self.count, dtype=np.int32), self.sizes)


def shuffle(classes: Classes, randomness: Randomness) -> Classes:
    """Put the classes, and the rows inside each, into random order.

    The published order is then a function of chance and of the published classes alone, so it
    says nothing about the order of the source.
    """
    order = randomness.permutation(classes.count)
    keys = randomness.keys(len(classes.rows))
    return Classes(*shuffle_classes(classes.rows, classes.starts, order, keys))
