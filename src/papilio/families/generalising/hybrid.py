"""Hybrid recoding: cut into boxes that do not overlap, then divide large ones locally.

Source: Tang, Wu, Liao, Wang, "Utility-based k-anonymization", section IV.B.
Global phase: :mod:`papilio.kernels.hybrid`. Local phase: the bottom-up method on every class of at
least 2k rows that has no legal cut, which the paper leaves open.

The default objective is the smaller sum of χ over the halves, not the paper's balance: balance is
not loss, and comes out far worse (see ``benchmarks/hybrid_recoding.py``).
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.families.classes import Classes
from papilio.families.generalising.bottom_up import merge_rows
from papilio.families.generalising.top_down import Workspace, cut_down
from papilio.kernels.boxes import shape_of
from papilio.kernels.demand import Demand
from papilio.kernels.hybrid import BALANCE, DM, NCP, SUM, cut_class, hybrid_global


class Metric(Enum):
    """The metric χ by which cuts are chosen."""

    NCP = NCP
    DM = DM


class Objective(Enum):
    """What is made of χ of the two halves."""

    SUM = SUM
    BALANCE = BALANCE


def hybrid(
    table: EncodedTable,
    demand: Demand,
    *,
    metric: Metric = Metric.NCP,
    objective: Objective = Objective.SUM,
    local: bool = True,
    threads: int | None = None,
) -> Classes:
    """Divide a table into classes that each meet the demand.

    Parameters
    ----------
    table, demand, threads
        As for :func:`~papilio.families.generalising.top_down.strict_mondrian`.
    metric, objective
        How the best cut is chosen.
    local
        Whether the local phase follows; without it boxes do not overlap.

    Notes
    -----
    Cost: O(n d² log(n / k)) time.
    """

    def cut(work: Workspace, low: int, high: int) -> int:
        return cut_class(
            *work.lines, low, high, work.attributes, work.demand,
            metric.value, objective.value, work.scratch,
        )  # fmt: skip

    def finish(work: Workspace, low: int, high: int, starts_class: NDArray[np.bool_]) -> None:
        hybrid_global(
            *work.lines, low, high, work.attributes, work.demand,
            metric.value, objective.value, starts_class,
        )  # fmt: skip

    classes = cut_down(table, demand, cut, finish, threads)
    return _divide_large(table, classes, demand) if local else classes


def _divide_large(table: EncodedTable, classes: Classes, demand: Demand) -> Classes:
    shape = shape_of(attributes_of(table))
    parts: list[NDArray[np.int32]] = []
    for begin, end in pairwise(classes.starts):
        rows = classes.rows[begin:end]
        large = len(rows) >= 2 * demand.least_size
        parts += merge_rows(table.codes, rows, shape, demand) if large else [rows]
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Classes(np.concatenate(parts), starts)
