"""Discernibility metric.

Source: Bayardo and Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.
"""

from __future__ import annotations

from papilio.measure.published_classes import PublishedClasses


def discernibility(classes: PublishedClasses) -> int:
    r"""Sum of squared class sizes, :math:`\sum_E |E|^2`.

    Every row costs the number of rows it cannot be told from. The least possible value for n rows
    under k-anonymity is about n k; the value for one single class is n².
    """
    # Python integers: ten million rows in one class would already exceed 2**46.
    return sum(int(size) ** 2 for size in classes.sizes)
