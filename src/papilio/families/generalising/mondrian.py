"""Strict Mondrian: cut the table into boxes that do not overlap, as long as all meet the demand.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006. The
rules of a cut and where they depart from the paper are written in
:mod:`papilio.kernels.mondrian`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.top_down import Workspace, cut_down
from papilio.kernels.demand import Demand
from papilio.kernels.mondrian import mondrian, split_class


def strict_mondrian(table: EncodedTable, demand: Demand, *, threads: int | None = None) -> Classes:
    """Divide a table into classes that each meet the demand.

    The result does not depend on the order of the rows nor on the number of threads.

    Parameters
    ----------
    table
        The quasi-identifiers. The whole table must meet the demand.
    demand
        What each class must satisfy.
    threads
        How many threads work; left out, as many as there are processors.

    Notes
    -----
    Cost: O(n d log(n / k)) time, and twice the memory of the codes.
    """
    return cut_down(table, demand, _cut, _finish, threads)


def _cut(work: Workspace, low: int, high: int) -> int:
    return split_class(*work.lines, low, high, work.attributes, work.demand, work.scratch)


def _finish(work: Workspace, low: int, high: int, starts_class: NDArray[np.bool_]) -> None:
    mondrian(*work.lines, low, high, work.attributes, work.demand, starts_class)
