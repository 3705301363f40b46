"""Both ratios of a plan as sums over its tables, in whole numbers.

The ratios are additive over tables. As whole multiples of a tiny unit their sums do not depend on
the order of adding, so that equal plans are equal; rounding changes a ratio by less than 1e-13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.projections.methods.plan import TOLERANCE, Plan, PlanPoint, plan_of

#: One, in units. A ratio has at most 120 pairs of 16 columns, weighted by at most 16.
UNIT = 1 << 50


@dataclass(frozen=True, eq=False)
class Weights:
    """Shares of each pair of columns, in units; zeros on the diagonals.

    Attributes
    ----------
    kept
        Share of the mutual information of all pairs.
    exposed
        Share of the exposable information of all pairs.
    """

    kept: NDArray[np.int64]
    exposed: NDArray[np.int64]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.kept)

    @property
    def all_kept(self) -> int:
        """What one table keeps."""
        return int(np.triu(self.kept).sum())

    def table(self, mask: int) -> tuple[int, int]:
        """What a table keeps and exposes; exposure counts in units over the number of columns."""
        inside = [bit for bit in range(self.columns) if mask >> bit & 1]
        part = np.ix_(inside, inside)
        exposed = int(self.exposed[part].sum()) // 2 * len(inside)
        return int(self.kept[part].sum()) // 2, exposed

    def point(self, masks: list[int]) -> PlanPoint:
        """A plan with its ratios."""
        kept, exposed = (sum(part) for part in zip(*map(self.table, masks), strict=True))
        return self.priced(plan_of(masks), kept, exposed)

    def priced(self, plan: Plan, kept: int, exposed: int) -> PlanPoint:
        """A plan with what it keeps and exposes turned into ratios."""
        loss = (self.all_kept - kept) / UNIT
        return PlanPoint(plan, loss, exposed / (UNIT * self.columns))

    def most_exposed(self, limit: float) -> int:
        """Largest exposure, in units over the number of columns, within a limit."""
        return round((limit + TOLERANCE) * UNIT * self.columns)


def weigh(information: NDArray[np.float64], exposable: NDArray[np.float64]) -> Weights:
    """Weights of pairs from mutual and exposable information, as symmetric tables."""
    return Weights(_shares(information), _shares(exposable))


def _shares(pairs: NDArray[np.float64]) -> NDArray[np.int64]:
    total = np.triu(pairs, 1).sum()
    shares = np.triu(pairs, 1) / total if total else np.zeros_like(pairs)
    units = np.rint(shares * UNIT).astype(np.int64)
    return units + units.T
