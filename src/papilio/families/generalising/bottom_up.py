"""Bottom-up local recoding: merge groups that are too small with the nearest one.

Source: Xu et al., "Utility-based anonymization using local recoding", KDD 2006. Rules and
departures are written in :mod:`papilio.kernels.bottom_up`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.families.classes import Classes
from papilio.kernels.bottom_up import bottom_up as kernel
from papilio.kernels.boxes import Shape, shape_of
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.regroup import regroup


def bottom_up(table: EncodedTable, demand: Demand) -> Classes:
    """Divide a table into classes that each meet the demand.

    Parameters
    ----------
    table
        The quasi-identifiers. The whole table must meet the demand.
    demand
        What each class must satisfy.

    Notes
    -----
    Cost: O(m² d) time for m distinct rows: seconds for thirty thousand, hours for a million.
    """
    rows = np.arange(table.height, dtype=np.int32)
    parts = merge_rows(table.codes, rows, shape_of(attributes_of(table)), demand)
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Classes(np.concatenate(parts), starts)


def merge_rows(
    codes: Codes, rows: NDArray[np.int32], shape: Shape, demand: Demand
) -> list[NDArray[np.int32]]:
    """Group some rows of a table bottom up; all of them together must meet the demand.

    Rows are taken in the order of their codes, so that boxes do not depend on their order in the
    source; which of several equal rows goes where does.
    """
    lines = np.ascontiguousarray(codes[rows]).view(np.dtype((np.void, codes.strides[0])))
    _, group_of = np.unique(lines.ravel(), return_inverse=True)
    by_code = np.argsort(group_of, kind="stable")
    ordered, merged = rows[by_code], group_of[by_code].astype(np.int32)
    kernel(codes, ordered, merged, int(group_of.max()) + 1, shape, demand)
    order = np.argsort(merged, kind="stable")
    ends = np.flatnonzero(np.diff(merged[order])) + 1
    return [
        part
        for group in np.split(ordered[order], ends)
        for part in _divided(codes, group, shape, demand)
    ]


def _divided(
    codes: Codes, rows: NDArray[np.int32], shape: Shape, demand: Demand
) -> list[NDArray[np.int32]]:
    """Divide a group of at least 2k rows that are not all equal."""
    if len(rows) < 2 * demand.least_size or (codes[rows] == codes[rows[0]]).all():
        return [rows]
    group_of = np.empty(len(rows), np.int64)
    groups, _ = regroup(codes, rows, 0, shape, demand, group_of)
    return [rows[group_of == group] for group in range(groups)]
