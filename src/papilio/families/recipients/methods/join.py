"""Wings first: build them freely, then move the few rows that all recipients together could tell.

The two-level scheme of :mod:`papilio.families.recipients.methods.collusion` fixes units before
wings are built. Where k' is much smaller than k, nearly all groups of rows that are in the same
class of every wing have k' rows anyway; moving the others costs far less. The result is the same
promise: rows that are equal on all attributes come in groups of at least k', and every class of
every wing meets the demand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes
from papilio.families.recipients.methods.setting import Setting
from papilio.families.recipients.methods.wings import Part
from papilio.kernels.join_small import join_small

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
