"""A plan: which sensitive columns are published in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

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
