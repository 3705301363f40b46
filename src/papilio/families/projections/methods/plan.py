"""A plan: which sensitive columns are published in one table.

Both ratios of a plan as sums over its tables, in whole numbers.

The ratios are additive over tables. As whole multiples of a tiny unit their sums do not depend on
the order of adding, so that equal plans are equal; rounding changes a ratio by less than 1e-13.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: Numbers of the columns of each table, ascending; tables by their first column; each column once.
Plan: TypeAlias = tuple[tuple[int, ...], ...]
#: Whether the columns with these numbers can be published together.
Feasible: TypeAlias = Callable[[tuple[int, ...]], bool]
#: How far above a limit a ratio may be computed: far more than its rounding errors.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Limits:
    """What a plan may lose and expose; 1 allows everything.

    If only the loss is limited, the plan that exposes least within it is wanted; otherwise the
    plan that loses least within the exposure, as in the paper.
    """

    association_loss: float | None = None
    exposure: float | None = None

    @property
    def most_exposed(self) -> float:
        """Largest exposure that is allowed."""
        return 1.0 if self.exposure is None else self.exposure

    @property
    def most_lost(self) -> float:
        """Largest association loss that is allowed."""
        return 1.0 if self.association_loss is None else self.association_loss

    @property
    def expose_least(self) -> bool:
        """Whether exposure is what has to be small."""
        return self.exposure is None and self.association_loss is not None


@dataclass(frozen=True)
class PlanPoint:
    """A plan and its two ratios."""

    plan: Plan
    association_loss: float
    exposure: float


def plan_of(masks: list[int]) -> Plan:
    """Tables given as sets of bits, as a plan."""
    tables = [tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1) for mask in masks]
    return tuple(sorted(tables))


def always(_: tuple[int, ...]) -> bool:
    """Let any columns be published together."""
    return True


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


@dataclass(frozen=True, eq=False)
class InfeasibleSets:
    """What was found about sets of columns, each asked for once.

    More columns only make requirements harder to meet (Theorem 1 of Fang et al.; for whole-domain
    generalisation exactly, because the acceptable vectors of levels become fewer), so a set with an
    infeasible part is infeasible, and nobody is asked. Sets are numbers of bits.

    Attributes
    ----------
    ask
        Finds out about a set.
    smallest
        Infeasible sets found so far.
    known
        Feasible sets found so far.
    """

    ask: Feasible
    smallest: list[int] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def excluded(self, mask: int) -> bool:
        """Whether a set has an infeasible part."""
        return any(mask & bad == bad for bad in self.smallest)

    def feasible(self, mask: int) -> bool:
        """Whether a set can be published together."""
        if self.excluded(mask):
            return False
        if mask in self.known:
            return True
        if self.ask(tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)):
            self.known.add(mask)
            return True
        self.smallest.append(mask)
        return False

    def exclude(self, mask: int) -> None:
        """Remember a set as infeasible."""
        self.smallest.append(mask)

    def shrink(self, mask: int) -> None:
        """Leave columns out of an infeasible set as long as it stays infeasible.

        The smaller the set, the more sets are excluded with it. Asks once per column.
        """
        for bit in range(mask.bit_length()):
            smaller = mask & ~(1 << bit)
            if smaller and smaller != mask and not self.feasible(smaller):
                mask = smaller
