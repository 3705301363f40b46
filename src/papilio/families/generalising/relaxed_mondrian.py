"""Relaxed Mondrian: always cut in the middle, so that boxes may overlap.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006, section
3.2. The rules of a cut are written in :mod:`papilio.kernels.relaxed_mondrian`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.top_down import Workspace, cut_down
from papilio.kernels.demand import Demand
from papilio.kernels.relaxed_mondrian import halve_class
from papilio.kernels.relaxed_mondrian import relaxed_mondrian as kernel
from papilio.randomness import Randomness


def relaxed_mondrian(
    table: EncodedTable, demand: Demand, randomness: Randomness, *, threads: int | None = None
) -> Classes:
    """Divide a table into classes, of less than 2k rows unless these are equal.

    Which of several equal rows goes where is drawn at random; a rule would have to look at their
    sensitive values.

    Parameters
    ----------
    table, demand, threads
        As for :func:`~papilio.families.generalising.mondrian.strict_mondrian`.
    randomness
        Breaks ties.

    Notes
    -----
    Cost: O(n d log(n / k)) time, plus a sort of each class's codes.
    """
    keys = randomness.keys(table.height)

    def cut(work: Workspace, low: int, high: int) -> int:
        return halve_class(*work.lines, low, high, work.attributes, work.demand, keys, work.scratch)

    def finish(work: Workspace, low: int, high: int, starts_class: NDArray[np.bool_]) -> None:
        kernel(*work.lines, low, high, work.attributes, work.demand, keys, starts_class)

    return cut_down(table, demand, cut, finish, threads)
