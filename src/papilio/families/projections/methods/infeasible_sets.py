"""Sets of columns that cannot be published together, remembered."""

from __future__ import annotations

from dataclasses import dataclass, field

from papilio.families.projections.methods.plan import Feasible


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
