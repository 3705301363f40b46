"""How large the classes are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.measure.published_classes import PublishedClasses


@dataclass(frozen=True)
class ClassSizes:
    """Sizes of the classes.

    Attributes
    ----------
    classes, rows
        How many there are.
    smallest, median, largest
        Over classes.
    average
        Rows per class.
    histogram
        Number of classes of each size that occurs.
    """

    classes: int
    rows: int
    smallest: int
    median: float
    largest: int
    average: float
    histogram: dict[int, int]


def class_sizes(classes: PublishedClasses) -> ClassSizes:
    """Summarise the sizes of the classes of a release."""
    sizes: NDArray[np.int64] = classes.sizes
    values, counts = np.unique(sizes, return_counts=True)
    return ClassSizes(
        classes=len(sizes),
        rows=int(sizes.sum()),
        smallest=int(sizes.min()),
        median=float(np.median(sizes)),
        largest=int(sizes.max()),
        average=float(sizes.mean()),
        histogram={int(v): int(c) for v, c in zip(values, counts, strict=True)},
    )
