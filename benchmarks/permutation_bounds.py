"""Bounds of an average from a permuted, a generalised and a rank-swapped table.

These are the definitions, for measuring; :mod:`papilio.query` answers questions about releases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows with their values in order.

    Attributes
    ----------
    group
        Number of the group of each row.
    starts
        Where each group starts among the values sorted by group and size, then their number.
    sums
        Sums of the values before each place.
    """

    group: NDArray[np.int64]
    starts: NDArray[np.int64]
    sums: Numbers


def groups_of(classes: Classes, values: Numbers) -> Groups:
    """Prepare groups for questions."""
    group = np.empty(len(values), np.int64)
    group[classes.rows] = classes.class_of_position
    ordered = values[np.lexsort([values, group])]
    return Groups(group, classes.starts, np.concatenate([[0.0], np.cumsum(ordered)]))


def permuted_average(groups: Groups, chosen: Mask) -> tuple[float, float]:
    """Bounds from a permuted table: the number of hits of every group is known."""
    hits = np.bincount(groups.group[chosen], minlength=len(groups.starts) - 1)
    begin, end = groups.starts[:-1], groups.starts[1:]
    low = (groups.sums[begin + hits] - groups.sums[begin]).sum()
    high = (groups.sums[end] - groups.sums[end - hits]).sum()
    return low / hits.sum(), high / hits.sum()


def generalised_average(sure: Numbers, possible: Numbers) -> tuple[float, float]:
    """Bounds from a generalised table: values that surely count, and values that may."""
    return -_largest_average(-possible, -sure), _largest_average(possible, sure)


def _largest_average(possible: Numbers, sure: Numbers) -> float:
    """Largest average of the sure values and some of the possible ones."""
    more = np.sort(possible)[::-1]
    sums = sure.sum() + np.concatenate([[0.0], np.cumsum(more)])
    counts = len(sure) + np.arange(len(more) + 1)
    return float((sums[counts >= 1] / counts[counts >= 1]).max())


def swapped_average(
    values: Numbers, windows: NDArray[np.int64], ranks: NDArray[np.int64]
) -> tuple[float, float]:
    """Bounds from a rank-swapped table: each value may be any within a window, each rank once.

    Parameters
    ----------
    values
        All values, ascending.
    windows
        How far each rank may be swapped.
    ranks
        Published ranks of the rows in question.
    """
    count = len(values)
    place = np.arange(count)
    # A row at rank s may show the value of rank r if one of both reaches the other.
    first, last = place.copy(), place.copy()
    np.minimum.at(first, np.minimum(place + windows, count - 1), place)
    np.maximum.at(last, np.maximum(place - windows, 0), place)
    first = np.minimum(np.minimum.accumulate(first[::-1])[::-1], np.maximum(place - windows, 0))
    last = np.maximum(np.maximum.accumulate(last), np.minimum(place + windows, count - 1))
    ordered = np.sort(ranks)
    low = _packed(first[ordered])
    high = -_packed(-last[ordered])
    return float(values[low].mean()), float(values[high].mean())


def _packed(wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Smallest different numbers, each at least the wanted one, in ascending order of wishes."""
    ordered = np.sort(wanted)
    shifted = ordered - np.arange(len(ordered))
    return np.asarray(np.maximum.accumulate(shifted) + np.arange(len(ordered)), np.int64)
