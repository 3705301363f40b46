"""Bins with round edges over numbers, dates and moments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.document.text import plain_number

Weights: TypeAlias = NDArray[np.float64]

#: Most bins of a distribution.
MOST = 40

# Unit of NumPy's datetime64, how many of it, and by how much unit 0 (1970) is off a round start:
# weeks start on Mondays, and 1970 counts as 1970 where years are put together.
_CALENDAR = (
    *(("s", step, 0) for step in (1, 5, 15)),
    *(("m", step, 0) for step in (1, 5, 15)),
    *(("h", step, 0) for step in (1, 6)),
    ("D", 1, 0),
    ("D", 7, 3),
    ("M", 1, 0),
    ("M", 3, 0),
    *(("Y", step, 1970) for step in (1, 2, 5, 10, 20, 50, 100, 250, 500, 2500, 20_000)),
)


@dataclass(frozen=True, eq=False)
class Bins:
    """Half-open bins side by side.

    Attributes
    ----------
    origin
        What values are counted from: the smallest whole number or date, 0 for other numbers.
        Counting from it keeps large whole numbers exact.
    edges
        Where bins begin, ascending, and where the last one ends; counted from ``origin``.
    axis
        The same edges on the axis of a picture: dates as milliseconds since 1970, numbers as they
        are, whole ones one half lower, so that a number lies in the middle of its bin.
    labels
        Each bin in words.
    """

    origin: int
    edges: NDArray[np.float64]
    axis: NDArray[np.float64]
    labels: tuple[str, ...]

    def positions(self, values: pl.Series) -> NDArray[np.float64]:
        """Numbers or dates without NULL, counted from the origin.

        Exact for whole numbers less than 2**53 apart, which for moments is 285 years.
        """
        physical = values.to_physical().cast(pl.Int64 if _whole(values.dtype) else pl.Float64)
        numbers = physical.to_numpy()
        if not _whole(values.dtype):
            return numbers
        # Modulo 2**64 the difference is right for any two 64-bit numbers.
        offset: NDArray[np.uint64] = numbers.view(np.uint64) - np.uint64(self.origin % 2**64)
        return offset.astype(np.float64)


def bins_over(values: pl.Series) -> Bins:
    """Bins that cover all values: at most 40, as narrow as round edges allow.

    Parameters
    ----------
    values
        Numbers, dates or moments without NULL, at least one; only the extremes matter.
    """
    physical = values.to_physical()
    low, high = physical.min(), physical.max()
    if values.dtype.is_temporal():
        return _calendar_bins(int(low), int(high), values.dtype)  # type: ignore[arg-type]
    if values.dtype.is_integer():
        return _whole_bins(int(low), int(high))  # type: ignore[arg-type]
    return _float_bins(float(low), float(high))  # type: ignore[arg-type]


def _whole(dtype: pl.DataType) -> bool:
    return dtype.is_temporal() or dtype.is_integer()


def _whole_bins(low: int, high: int) -> Bins:
    step = next(s for s in _whole_steps() if high // s - low // s < MOST)
    starts = range(low // step * step, high + 1, step)
    edges = [*starts, starts[-1] + step]
    labels = [str(e) if step == 1 else f"{e} to {e + step - 1}" for e in starts]
    relative = np.array([edge - low for edge in edges], np.float64)
    # Beyond 2**53 the largest number may round up to the end of its bin; it must not fall out.
    relative[-1] = np.nextafter(relative[-1], np.inf)
    return Bins(low, relative, np.array(edges, np.float64) - 0.5, tuple(labels))


def _whole_steps() -> Iterator[int]:
    return (digit * 10**power for power in range(20) for digit in (1, 2, 5))


def _float_bins(low: float, high: float) -> Bins:
    for digit, power in _float_steps(high - low):
        edges = _float_edges(low, high, digit, power)
        if len(edges) <= MOST + 1:
            break
    text = [plain_number(edge) for edge in edges.tolist()]
    labels = [f"{a} to {b}" for a, b in pairwise(text)]
    return Bins(0, edges, edges, tuple(labels) if low < high else (plain_number(low),))


def _float_steps(span: float) -> Iterator[tuple[int, int]]:
    """Round steps (digit, power of ten), from about a fortieth of the span upwards."""
    smallest = max(-323, math.floor(math.log10(span or 1)) - 2) if math.isfinite(span) else 306
    return ((digit, power) for power in range(smallest, 310) for digit in (1, 2, 5))


def _float_edges(low: float, high: float, digit: int, power: int) -> NDArray[np.float64]:
    if low == high:
        return np.array([low, math.nextafter(low, math.inf)])
    step = float(f"{digit}e{power}")
    first, last = math.floor(low / step) - 1, math.floor(high / step) + 2
    if last - first > 2 * MOST:
        return np.empty(2 * MOST)
    # Going through text gives the float nearest to a round number.
    grid = [float(f"{at * digit}e{power}") for at in range(first, last + 1)]
    inner = [edge for edge in grid if low < edge <= high]
    start = max((edge for edge in grid if edge <= low), default=low)
    end = min((edge for edge in grid if edge > high), default=math.nextafter(high, math.inf))
    return np.unique([start, *inner, end])


def _calendar_bins(low: int, high: int, dtype: pl.DataType) -> Bins:
    unit = "D" if dtype == pl.Date else "us"
    ends = np.array([low, high]).astype(f"datetime64[{unit}]")
    for name, step, offset in _CALENDAR:
        if unit == "D" and name in "smh":
            continue
        first, last = (ends.astype(f"datetime64[{name}]").astype(np.int64) + offset) // step
        if last - first < MOST:
            break
    marks = (np.arange(first, last + 2) * step - offset).astype(f"datetime64[{name}]")
    relative = marks.astype(f"datetime64[{unit}]").astype(np.int64) - low
    axis = marks.astype("datetime64[ms]").astype(np.int64)
    labels = [str(mark).replace("T", " ") for mark in marks[:-1]]
    words = labels if step == 1 else [f"from {label}" for label in labels]
    return Bins(low, relative.astype(np.float64), axis.astype(np.float64), tuple(words))


def count_points(positions: Weights, weight: Weights, edges: Weights) -> Weights:
    """Weight of the single values in each bin."""
    at = np.searchsorted(edges, positions, side="right") - 1
    # A quarter of one of the smallest floats may lie on the last edge.
    counts = np.bincount(np.clip(at, 0, len(edges) - 2), weight, minlength=len(edges) - 1)
    return counts.astype(np.float64)
