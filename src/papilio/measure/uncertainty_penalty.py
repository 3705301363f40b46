"""Uncertainty penalty.

Source: Pei, Tao, Li, Xiao, "Butterfly: privacy preserving publishing on multiple
quasi-identifiers", TR 2008-18, section 2.1, definition 1.
"""

from __future__ import annotations

from papilio.measure.published_classes import PublishedClasses


def uncertainty_penalty(classes: PublishedClasses) -> float:
    r"""Sum over rows and columns of :math:`(y - x) / |A|` for a published range :math:`[x, y]`.

    :math:`|A|` is the range of the column in the original. The definition assumes a global order on
    every domain: for sets of labels, x and y are the ranks of the first and the last label. A
    column that is constant in the original costs 0 (the printed formula would divide by zero).
    """
    return float(sum((span * classes.sizes).sum() for span in classes.span.values()))
