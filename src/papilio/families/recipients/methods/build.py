"""Build a butterfly on a block of rows: one cell on the body, and each branch by itself.

Source: Pei et al., "Butterfly", TR 2008-18, section 4.2.5.

Wings first: build them freely, then move the few rows that all recipients together could tell.

The two-level scheme of :mod:`papilio.families.recipients.methods.build` fixes units before
wings are built. Where k' is much smaller than k, nearly all groups of rows that are in the same
class of every wing have k' rows anyway; moving the others costs far less. The result is the same
promise: rows that are equal on all attributes come in groups of at least k', and every class of
every wing meets the demand.

Protection against recipients who put together what they know: a two-level scheme.

A block of rows is first divided into *units*: classes of at least k' rows with equal cells on all
attributes that any recipient knows. Units are then never divided. A recipient's classes are unions
of units of at least k rows in sum, so they meet what is demanded of them, and rows that are equal
for all recipients together come in units of at least k'.

Source: Pei et al., "Butterfly", TR 2008-18, section 5.2. Departures: the paper counts units, at
least ⌈k / k'⌉ a class, which is safe but coarser; here rows are counted, a unit weighs as many rows
as it has, and losses are those of the boxes around all rows. The paper divides the whole table
into units first; here each block is divided by itself, on the attributes outside its body alone,
so that units are not spread to keep attributes together that the body makes one cell anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes
from papilio.families.recipients.methods.setting import Plan, Points, Setting, View
from papilio.families.recipients.methods.wings import Part, divide, loss_of, one_class
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import even_units
from papilio.kernels.join_small import join_small
from papilio.kernels.mondrian import mondrian
from papilio.privacy.requirement import is_over_people


def units_of(setting: Setting, rows: NDArray[np.int32], places: Sequence[int]) -> Points:
    """Divide a block into units by the given attributes, or leave its rows single.

    Parameters
    ----------
    setting
        Says how many rows a unit has at least.
    rows
        The block, at least one unit's worth of rows.
    places
        Attributes on which rows of a unit will get equal cells.

    Notes
    -----
    Cost: O(n d log² n) time for a block of n rows.
    """
    if setting.together <= 1 or not places:
        return Points(rows)
    view = setting.view(places)
    codes, numbers = view.table.codes[rows], rows.copy()
    words = codes.view(np.int64)
    if is_over_people(setting.demand):
        return _units_of_people(setting, view, codes, numbers)
    starts = even_units(
        codes,
        words,
        numbers,
        np.empty_like(words),
        np.empty_like(numbers),
        view.attributes,
        setting.together,
        np.empty(0, np.int64),
        codes[:0],
        codes[:0],
        setting.keys,
    )
    return Points(numbers, np.repeat(np.arange(len(starts) - 1), np.diff(starts)))


def _units_of_people(
    setting: Setting, view: View, codes: Codes, numbers: NDArray[np.int32]
) -> Points:
    """Units in which nobody owns more than one row in k', by strict Mondrian's cuts.

    The block meets what is demanded of all recipients together, as a union of classes that do.
    """
    words = codes.view(np.int64)
    starts_unit = np.zeros(len(numbers), np.bool_)
    mondrian(
        codes, words, numbers, np.empty_like(words), np.empty_like(numbers), 0, len(numbers),
        view.attributes, setting.together_demand, starts_unit,
    )  # fmt: skip
    return Points(numbers, np.cumsum(starts_unit, dtype=np.int64))


#: k' must be at most this part of k for wings to come first.
SMALL = 10
#: Groups that are compared with each other at most.
_MOST_GROUPS = 4096


def join_wings(
    setting: Setting, rows: NDArray[np.int32], wings: Sequence[Part]
) -> list[Part] | None:
    """Change wings so that rows equal on all of them come in groups large enough.

    Parameters
    ----------
    setting
        Says how large, and what classes must go on to meet.
    rows
        The block.
    wings
        Its wings, all of the same rows.

    Returns
    -------
    wings
        Wings that keep the promise; ``None`` if none were found.
    """
    place = setting.scratch
    place[rows] = np.arange(len(rows))
    labels = np.empty((len(wings), len(rows)), np.int64)
    classes = 0
    for wing, part in enumerate(wings):
        labels[wing, place[part.classes.rows]] = classes + part.classes.class_of_position
        classes += part.classes.count
    group_of, groups = _groups(labels, classes)
    if np.bincount(group_of).min() >= setting.together:
        return list(wings)
    view = setting.view([each for part in wings for each in part.places])
    if groups > min(_MOST_GROUPS, len(rows) // setting.together) or len(view.shape.wide):
        return None
    owner = np.repeat(np.arange(len(wings)), [len(part.places) for part in wings])
    done = join_small(
        view.table.codes[rows], rows, labels, classes, group_of, groups,
        setting.together, owner, *view.shape[:4], setting.demand,
    )  # fmt: skip
    if not done:
        return None
    return [Part(part.places, _by_label(rows, labels[wing])) for wing, part in enumerate(wings)]


def _groups(labels: NDArray[np.int64], classes: int) -> tuple[NDArray[np.int64], int]:
    """Number the groups of rows that have equal labels throughout."""
    group_of = labels[0]
    groups = classes
    for more in labels[1:]:
        found, group_of = np.unique(group_of * classes + more, return_inverse=True)
        groups = len(found)
    return group_of.astype(np.int64), groups


def _by_label(rows: NDArray[np.int32], labels: NDArray[np.int64]) -> Classes:
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    starts = np.concatenate([[0], ends, [len(rows)]]).astype(np.int64)
    return Classes(rows[order], starts)


#: Blocks of more rows than this are not cut into units where wings come first.
_LARGE = 4096


@dataclass(frozen=True, eq=False)
class Divided:
    """Rows divided attribute by attribute.

    Attributes
    ----------
    parts
        Together they say for every row and every attribute which rows share its cell.
    loss
        Sum over rows and attributes of the width of the cell.
    """

    parts: tuple[Part, ...]
    loss: float


#: Solves a branch with several recipients inside a block.
Inside: TypeAlias = Callable[[Setting, Points, Plan], Divided]


def build_butterfly(
    setting: Setting,
    points: Points,
    plan: Plan,
    body_loss: float,
    enough: float,
    inside: Inside,
) -> Divided | None:
    """Build a butterfly, or give up where none that loses less is in sight.

    Parameters
    ----------
    setting
        The table and what is demanded.
    points
        The block. If its rows have no units yet and some are demanded, they are made.
    plan
        Body and branches.
    body_loss
        Loss on the body, which is known already.
    enough
        A butterfly that loses as much is of no use.
    inside
        How branches with several recipients are solved.
    """
    body = (one_class(plan.body, points.rows),) if plan.body else ()
    branches = (
        _wings_first(setting, points, plan, body_loss, enough, inside)
        if _may_come_first(setting, points, plan)
        else _units_first(setting, points, plan, inside)
    )
    return None if branches is None else joined([Divided(body, body_loss), *branches])


def _may_come_first(setting: Setting, points: Points, plan: Plan) -> bool:
    """Whether wings may be built before anyone looks at all recipients together."""
    free = points.unit is None and all(each.is_wing for each in plan.branches)
    if setting.own and setting.together > 1:
        # Rows are moved between classes of which the same is demanded.
        return False
    return free and wings_may_come_first(setting.demand, setting.together)


def wings_may_come_first(demand: Demand, together: int) -> bool:
    """Whether k' is so much smaller than k that few rows must be moved afterwards."""
    # Rows that are moved afterwards are counted, and people are not.
    free = not is_over_people(demand)
    return together == 1 or (free and together * SMALL <= demand.least_size)


def _wings_first(
    setting: Setting,
    points: Points,
    plan: Plan,
    body_loss: float,
    enough: float,
    inside: Inside,
) -> list[Divided] | None:
    """Build wings without regard to all recipients together, and change them where they must."""
    wings = [_branch(setting, points, branch, inside) for branch in plan.branches]
    if body_loss + sum(each.loss for each in wings) >= enough:
        return None
    if setting.together == 1:
        return wings
    changed = join_wings(setting, points.rows, [part for each in wings for part in each.parts])
    if changed is not None:
        return [Divided((part,), loss_of(setting, part)) for part in changed]
    if plan.body and len(points.rows) > _LARGE:
        # Units of a few rows cut out of very many lose too much to be worth the time.
        return None
    return _units_first(setting, points, plan, inside)


def _units_first(setting: Setting, points: Points, plan: Plan, inside: Inside) -> list[Divided]:
    """Fix units that all recipients together see as one, and build branches of them."""
    if points.unit is None:
        points = units_of(setting, points.rows, _outside(plan))
    return [_branch(setting, points, branch, inside) for branch in plan.branches]


def joined(several: Sequence[Divided]) -> Divided:
    """Put divisions of other attributes, or of other rows, side by side."""
    parts = tuple(part for each in several for part in each.parts)
    return Divided(parts, sum(each.loss for each in several))


def _outside(plan: Plan) -> tuple[int, ...]:
    return tuple(place for place in plan.attributes if place not in plan.body)


def _branch(setting: Setting, points: Points, branch: Plan, inside: Inside) -> Divided:
    if not branch.is_wing:
        return inside(setting, points, branch)
    part = divide(setting, points, branch.attributes)
    return Divided((part,), loss_of(setting, part))
