"""The wings of a butterfly: a block of rows divided for one recipient by a generalising method."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes
from papilio.families.generalising.bottom_up import merge_rows
from papilio.families.recipients.methods.setting import Points, Setting, View
from papilio.kernels.class_tree import run_widths
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import even_units, unit_boxes
from papilio.kernels.hybrid import NCP, SUM, hybrid_global
from papilio.kernels.mondrian import mondrian
from papilio.kernels.relaxed_mondrian import relaxed_mondrian


@dataclass(frozen=True, eq=False)
class Part:
    """Rows divided on some attributes.

    Attributes
    ----------
    places
        The attributes.
    classes
        Rows that get equal cells on each of them.
    """

    places: tuple[int, ...]
    classes: Classes


def one_class(places: tuple[int, ...], rows: NDArray[np.int32]) -> Part:
    """Make all rows one class on some attributes."""
    return Part(places, Classes(rows, np.array([0, len(rows)])))


def divide(setting: Setting, points: Points, places: tuple[int, ...]) -> Part:
    """Divide rows into classes that meet the demand on some attributes, keeping units whole.

    Parameters
    ----------
    setting
        The demand and the method. Units are put together by even cuts where only sizes are
        demanded; else by the methods that never divide equal rows, ``mondrian`` and the global
        phase of ``hybrid``.
    points
        The rows; together they meet the demand.
    places
        The attributes.
    """
    view, demand = setting.view(places), setting.demand_on(places)
    if setting.wings == "bottom-up" and points.unit is None:
        return Part(places, _joined(_merged(demand, view, points.rows)))
    if points.unit is not None and not len(demand.rules):
        return Part(places, _cut_units(setting, demand, view, points))
    classes = _cut(setting, demand, view, points)
    if setting.wings == "hybrid" and points.unit is None:
        classes = _divided_further(demand, view, classes)
    return Part(places, classes)


def loss_of(setting: Setting, part: Part) -> float:
    """Sum over rows and attributes of the width of the cell.

    Cost: O(n d).
    """
    view = setting.view(part.places)
    codes = view.table.codes[part.classes.rows]
    starts = part.classes.starts
    widths = run_widths(codes, starts[:-1], starts[1:], view.attributes)
    return float((widths.sum(axis=1) * part.classes.sizes).sum())


def _cut_units(setting: Setting, demand: Demand, view: View, points: Points) -> Classes:
    """Put units together, as few to a class as meet the demand on its size."""
    starts = points.starts
    lows, highs = unit_boxes(view.table.codes[points.rows], starts)
    codes = lows + (highs - lows) // 2
    words = codes.view(np.int64)
    units, sizes = np.arange(len(codes), dtype=np.int32), np.diff(starts)
    keys = setting.keys[points.rows[starts[:-1]]]
    firsts = even_units(
        codes, words, units, np.empty_like(words), np.empty_like(units),
        view.attributes, demand.least_size, sizes, lows, highs, keys,
    )  # fmt: skip
    rows = np.concatenate([points.rows[starts[unit] : starts[unit + 1]] for unit in units])
    ends = np.concatenate([[0], np.cumsum(sizes[units])])
    return Classes(rows, ends[firsts])


def _cut(setting: Setting, demand: Demand, view: View, points: Points) -> Classes:
    codes, rows = points.lines(view), points.rows.copy()
    words = codes.view(np.int64)
    lines = (codes, words, rows, np.empty_like(words), np.empty_like(rows), 0, len(rows))
    starts_class = np.zeros(len(rows), np.bool_)
    if setting.wings == "relaxed-mondrian" and points.unit is None:
        relaxed_mondrian(*lines, view.attributes, demand, setting.keys, starts_class)
    elif setting.wings == "hybrid":
        hybrid_global(*lines, view.attributes, demand, NCP, SUM, starts_class)
    else:
        mondrian(*lines, view.attributes, demand, starts_class)
    return Classes(rows, np.append(np.flatnonzero(starts_class), len(rows)))


def _divided_further(demand: Demand, view: View, classes: Classes) -> Classes:
    """Local phase of hybrid recoding: divide what no cut could."""
    least = demand.least_size
    parts: list[NDArray[np.int32]] = []
    for begin, end in pairwise(classes.starts):
        rows = classes.rows[begin:end]
        large = len(rows) >= 2 * least and not _all_equal(view.table.codes[rows])
        parts += _merged(demand, view, rows) if large else [rows]
    return _joined(parts)


def _all_equal(codes: Codes) -> bool:
    return bool((codes == codes[0]).all())


def _merged(demand: Demand, view: View, rows: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    return merge_rows(view.table.codes, rows, view.shape, demand)


def _joined(parts: list[NDArray[np.int32]]) -> Classes:
    return Classes(np.concatenate(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64))
