"""Where numbers lie in a span, from 0 to 1, whatever doubles they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Widths whose reciprocal is an ordinary double too.
_SMALLEST, _LARGEST = 1e-300, 1e300


def share_of_span(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Say which share of the way from ``low`` to ``high`` each value lies at.

    The difference of two doubles may be infinite and the reciprocal of a width too, which would
    make every loss infinite or NaN, and a method that compares losses would then merge nothing.
    So ends that are far apart are halved first, and very small widths are divided by as they are.

    Parameters
    ----------
    values
        Numbers from ``low`` to ``high``; NaN stays NaN.
    low, high
        The span. If it has no width, every value lies at 0.

    Notes
    -----
    Cost: one pass.
    """
    width = high - low
    if _SMALLEST < width < _LARGEST:
        return (values - low) * (1.0 / width)
    half = 1.0 if np.isfinite(width) else 0.5
    width = high * half - low * half or 1.0
    shares: NDArray[np.float64] = (values * half - low * half) / width
    return shares


def share_of_width(
    low: NDArray[np.float64], high: NDArray[np.float64], span: tuple[float, float]
) -> NDArray[np.float64]:
    """Say which share of the width of ``span`` each range from ``low`` to ``high`` has."""
    half = 1.0 if np.isfinite(span[1] - span[0]) else 0.5
    width = span[1] * half - span[0] * half or 1.0
    shares: NDArray[np.float64] = (high * half - low * half) / width
    return shares
