"""Figures to :class:`~papilio.query.bounds.Bounds`."""

from __future__ import annotations

import math

import numpy as np

from papilio.query.bounds import Bounds
from papilio.query.graph.grouped import Floats


def bounds(
    low: float,
    high: float,
    mean: float | None,
    variance: float | None,
    *,
    integer: bool = False,
) -> Bounds:
    """Make bounds; equal ends are a known answer.

    Parameters
    ----------
    low, high
        The ends.
    mean, variance
        Of the answer over all originals that fit, or ``None``.
    integer
        Whether the answer is a whole number.
    """
    if integer:
        low, high = round(low), round(high)
    if low == high:
        return Bounds.known(low)
    if mean is not None:
        # Arithmetic must not carry an estimate out of its bounds.
        mean = min(max(mean, low), high)
    std = None if variance is None else math.sqrt(max(variance, 0.0))
    return Bounds(low, high, mean, std, exact=False)


def whole(values: Floats) -> bool:
    """Whether sums and extremes of these values are whole numbers."""
    return bool((values == np.round(values)).all() and np.abs(values).sum() < 2**53)
