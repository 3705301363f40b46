"""Distinct l-diversity (Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, ICDE 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from papilio.privacy.decimals import whole
from papilio.privacy.unit import stated


@dataclass(frozen=True)
class DistinctDiversity:
    """Every class has at least ``l`` different values of a sensitive column.

    NULL is one more value, equal to NULL only.

    Over people it holds for every class, and for every class without the rows of any one person
    who has several in the table, unless nothing is left; see :mod:`papilio.privacy.unit`.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table is left with at least
        ``l`` sensitive values, and with one of them at least after ruling out ``l - 1``.
    Monotone
        A union of classes that satisfy it satisfies it; so does a class that satisfies it with
        any further rows. Over people only the former.
    Assumes about the attacker
        Knows quasi-identifier columns only, one release only, and does not know how frequent the
        sensitive values are.
    Does not protect against
        Guessing from frequencies: nine of ten rows may share a value. Values that mean much the
        same count as different. A release of the same people with other classes.

    Attributes
    ----------
    column
        The sensitive column.
    l
        Least number of different values; at least 1, and 1 demands nothing.
    people
        As for k-anonymity.
    """

    name: ClassVar[str] = "distinct-l-diversity"
    column: str
    l: int  # noqa: E741 - its name in the literature
    people: bool = field(default=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        whole(self.l, "l")

    @property
    def monotone_with_suppression(self) -> bool:
        """As for k-anonymity."""
        return not self.people

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"column": self.column, "l": self.l, **stated(people=self.people)}

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether a class whose values occur ``counts`` times satisfies it."""
        return len(counts) >= self.l

    def nearest(self, counts: Sequence[int]) -> str:
        """What a class that does not satisfy it could be asked for."""
        return f"an l of at most {len(counts)} is accepted"
