"""Attribute-wise refinement: cut the cells of one attribute wherever every recipient allows it.

The exact model of the problem is one division of the rows per attribute; a recipient's classes are
what the divisions of its attributes have in common. Refinement starts with one cell per attribute
and cuts a cell in two by the attribute's own values, as long as every class it touches keeps
what is demanded. Cells may be divided freely between rows that no class connects. It needs no body:
on the cube {0, 1}³, known as AB, BC and CA, it loses nothing where every butterfly loses all.

All recipients together count as one more recipient, with a demand of its own.

It goes on from a coarse start; what butterflies leave it can hardly refine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes
from papilio.families.recipients.methods.build import Divided
from papilio.families.recipients.methods.setting import Known, Setting
from papilio.families.recipients.methods.wings import Part, loss_of
from papilio.kernels.class_tree import run_widths
from papilio.kernels.components import components, forbid_cuts
from papilio.kernels.demand import Demand, class_meets


@dataclass(eq=False)
class _Seen:
    """How one recipient sees the rows: the class of each, refined as cells are cut."""

    known: Known
    demand: Demand
    class_of: NDArray[np.int64]
    count: int = 1


@dataclass(eq=False)
class _State:
    setting: Setting
    seen: list[_Seen]
    cell_of: list[NDArray[np.int64]]


def refine(setting: Setting, recipients: Sequence[Known]) -> Divided:
    """Divide a table attribute by attribute, from one cell per attribute downwards.

    Parameters
    ----------
    setting
        The table, what is demanded of each recipient's classes, and their least size for all
        recipients together.
    recipients
        What each knows.

    Notes
    -----
    Cost: O(n log n) time per level of cuts, attribute and recipient that knows it.
    """
    rows, width = setting.table.height, len(setting.table.columns)
    every = frozenset(range(width))
    demands = [(known, setting.demand_within(known)) for known in recipients]
    if setting.together > 1:
        demands.append((every, setting.together_demand))
    seen = [_Seen(known, demand, np.zeros(rows, np.int64)) for known, demand in demands]
    state = _State(setting, seen, [np.zeros(rows, np.int64) for _ in every])
    going = True
    while going:
        # All attributes in turn, one cut each, so that none uses up what the others need.
        cut = [_refine_attribute(state, attribute) for attribute in range(width)]
        going = any(cut)
    parts = tuple(
        Part((attribute,), _by_cell(state.cell_of[attribute])) for attribute in range(width)
    )
    return Divided(parts, sum(loss_of(setting, part) for part in parts))


def _refine_attribute(state: _State, attribute: int) -> bool:
    """Cut each cell of an attribute once, where that is allowed; say whether any was."""
    holders = [each for each in state.seen if attribute in each.known]
    cell_of, cells = state.cell_of[attribute], 0
    cut_any = False
    for rows in _connected(holders):
        left = _best_cut(state, attribute, holders, rows)
        cell_of[rows] = cells
        cells += 1
        if left is None:
            continue
        right = rows[~left]
        cell_of[right] = cells
        cells += 1
        for each in holders:
            _split(each, right)
        cut_any = True
    return cut_any


def _connected(holders: list[_Seen]) -> list[NDArray[np.int64]]:
    """Rows that hang together by classes; cells may be divided between them at no cost."""
    classes = np.stack([np.unique(each.class_of, return_inverse=True)[1] for each in holders])
    counts = classes.max(axis=1) + 1
    return _groups(components(classes.astype(np.int64), counts.astype(np.int64)))


def _best_cut(
    state: _State, attribute: int, holders: list[_Seen], rows: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """Which rows lie left of the legal cut that gains most; ``None`` if there is none."""
    codes = state.setting.table.codes[rows, attribute].astype(np.int64)
    low, high = int(codes.min()), int(codes.max())
    if low == high:
        return None
    forbidden = np.zeros(high - low + 1, np.int64)
    for each in holders:
        order = np.lexsort((codes, each.class_of[rows]))
        forbid_cuts(
            codes[order] - low, each.class_of[rows][order], each.demand.least_size, forbidden
        )
    occurs = np.bincount(codes - low) > 0
    allowed = np.flatnonzero((np.cumsum(forbidden) == 0)[:-1] & occurs[:-1]) + low
    if len(allowed) == 0:
        return None
    left = codes <= _most_gain(state, attribute, codes, allowed)
    # Where values matter beside sizes, only this cut is tried.
    return left if all(_meets(each, rows, left) for each in holders) else None


def _most_gain(
    state: _State, attribute: int, codes: NDArray[np.int64], cuts: NDArray[np.int64]
) -> int:
    """The cut after which least is lost, the lowest of equal ones."""
    ordered = np.sort(codes)
    below = np.searchsorted(ordered, cuts, side="right")
    view = state.setting.view((attribute,))
    lines = np.zeros((len(ordered), view.table.codes.shape[1]), view.table.codes.dtype)
    lines[:, 0] = ordered
    total = np.full(len(cuts), len(ordered))
    left = run_widths(lines, np.zeros_like(total), below, view.attributes)[:, 0] * below
    right = run_widths(lines, below, total, view.attributes)[:, 0] * (total - below)
    return int(cuts[np.argmin(left + right)])


def _meets(seen: _Seen, rows: NDArray[np.int64], left: NDArray[np.bool_]) -> bool:
    """Whether all classes keep what is demanded of values; sizes are known to be enough."""
    if len(seen.demand.rules) == 0:
        return True
    sides = np.unique(np.stack([seen.class_of[rows], left]), axis=1, return_inverse=True)[1]
    numbers = rows.astype(np.int32)
    return all(class_meets(seen.demand, numbers[group]) for group in _groups(sides.ravel()))


def _split(seen: _Seen, right: NDArray[np.int64]) -> None:
    """Give rows on the right of a cut classes of their own."""
    different, number = np.unique(seen.class_of[right], return_inverse=True)
    seen.class_of[right] = seen.count + number
    seen.count += len(different)


def _groups(numbers: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)


def _by_cell(cell_of: NDArray[np.int64]) -> Classes:
    groups = _groups(cell_of)
    starts = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    return Classes(np.concatenate(groups).astype(np.int32), starts)
