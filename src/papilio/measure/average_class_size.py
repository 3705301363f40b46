"""Average class size.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006
(C_AVG, the normalised average size of classes).
"""

from __future__ import annotations

from papilio.measure.published_classes import PublishedClasses


def average_class_size(classes: PublishedClasses, k: int) -> float:
    """Rows per class in units of k: (rows / classes) / k.

    1 at best, when every class has exactly k rows; (rows / k) for a single class. Below 1 only if
    the release is not k-anonymous. Looks at sizes only, not at what the cells say.
    """
    return float(classes.sizes.sum()) / len(classes.sizes) / k
