"""Normalised certainty penalty.

Source: Xu et al., "Utility-based anonymization using local recoding", KDD 2006, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papilio.measure.published_classes import PublishedClasses


@dataclass(frozen=True)
class Ncp:
    """Share of the domain that published cells cover, between 0 (nothing lost) and 1 (everything).

    Attributes
    ----------
    overall
        Mean over all cells of quasi-identifiers.
    per_column
        Mean over the cells of each column.
    """

    overall: float
    per_column: dict[str, float]


def ncp(classes: PublishedClasses) -> Ncp:
    r"""Measure a release: :math:`\frac{1}{n d} \sum_{rows} \sum_{columns} loss(cell)`.

    The loss of a cell is that of :class:`~papilio.measure.published_classes.PublishedClasses`.
    Xu et al. weight attributes; here all weigh the same.
    """
    rows = classes.sizes.sum()
    per_column = {
        name: float((loss * classes.sizes).sum() / rows) for name, loss in classes.loss.items()
    }
    return Ncp(float(np.mean(list(per_column.values()))), per_column)
