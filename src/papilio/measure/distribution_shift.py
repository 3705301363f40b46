"""How far a column's distribution, as a recipient would guess it, is from the original's.

The guess: every cell is spread evenly over the values of the column's domain that it may be. A row
that the release leaves out may be anything. Domains are those of
:mod:`papilio.measure.possible_values`: the values that occur, or all leaves of a hierarchy, or the
domain that the policy lists.

Sources: Kullback, Leibler, "On information and sufficiency", Annals of Mathematical Statistics 22,
1951; Kifer, Gehrke, "Injecting utility into anonymized datasets", SIGMOD 2006 (the
divergence of a release, cells spread evenly); Gini, 1912, and Breiman et al., "Classification and
regression trees", 1984 (the impurity index).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.measure.possible_values import PossibleValues, Runs


@dataclass(frozen=True)
class Shift:
    r"""One column before (shares :math:`p_v` of the original) and after (:math:`q_v` of the guess).

    Attributes
    ----------
    divergence
        Kullback-Leibler divergence :math:`\sum_v p_v \log_2 (p_v / q_v)` in bits: what is paid
        for believing the guess. 0 if both are equal; finite, because some cell covers every value
        that occurs.
    gini_before, gini_after
        Gini index :math:`1 - \sum_v p_v^2`, the chance that two rows drawn at random differ: from
        0 (one value) to 1 - 1 / m (m values, equally frequent).
    """

    divergence: float
    gini_before: float
    gini_after: float


def distribution_shift(cells: PossibleValues, original: EncodedTable) -> dict[str, Shift]:
    """Compare each quasi-identifier with the recipient's guess.

    Parameters
    ----------
    cells
        The cells of a release that covers the original.
    original
        The quasi-identifiers it was made from.

    Notes
    -----
    Cost: the rows, the cells and the domain of each column once. Ignores how columns hang
    together: a release may keep every column's distribution and lose all that links them.
    """
    left_out = original.height - cells.rows
    shifts = {}
    for place, column in enumerate(original.columns):
        runs = cells.columns[column.column.name]
        before = np.bincount(original.codes[:, place], minlength=runs.domain)
        after = expected_rows(runs, cells.sizes) + left_out / runs.domain
        shifts[column.column.name] = _shift(before / original.height, after / original.height)
    return shifts


def expected_rows(cells: Runs, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows expected for each code if every cell is spread evenly over what it may be."""
    weight = np.repeat(sizes / cells.counts, np.diff(cells.first))
    steps = np.bincount(cells.low, weight, minlength=cells.domain + 1)
    steps -= np.bincount(cells.high + 1, weight, minlength=cells.domain + 1)
    return np.cumsum(steps[:-1])


def _shift(before: NDArray[np.float64], after: NDArray[np.float64]) -> Shift:
    occurs = before > 0
    divergence = (before[occurs] * np.log2(before[occurs] / after[occurs])).sum()
    return Shift(
        # Rounding may leave a trace below 0 where both are equal.
        max(float(divergence), 0.0),
        float(1 - (before**2).sum()),
        float(1 - (after**2).sum()),
    )
