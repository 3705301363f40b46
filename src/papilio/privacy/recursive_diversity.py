"""Recursive (c, l)-diversity (Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, ICDE 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from papilio.privacy.decimals import Number, exact, plain, whole
from papilio.privacy.unit import stated


@dataclass(frozen=True)
class RecursiveDiversity:
    """In every class the most frequent sensitive value is not too frequent, nor the rest too rare.

    With r_1 >= r_2 >= ... >= r_m how often the values of the class occur:
    r_1 < c (r_l + r_(l+1) + ... + r_m) (section 4 of the paper). Fewer than l values do not
    satisfy it. NULL is one more value, equal to NULL only. Decided in whole numbers, exactly.

    Over people it holds for every class, and for every class without the rows of any one person
    who has several in the table, unless nothing is left; see :mod:`papilio.privacy.unit`.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table and rules out l - 2
        sensitive values still faces a most frequent value that occurs less than c times as often
        as the rest together.
    Monotone
        A union of classes that satisfy it satisfies it: r_1 of the union is at most the sum of
        theirs, and the rest is at least the sum of theirs. Further rows may break it, so it is
        not monotone where records are suppressed.
    Assumes about the attacker
        Knows quasi-identifier columns only and one release only.
    Does not protect against
        A large c, which lets one value dominate; values that mean much the same; a release of the
        same people with other classes.

    Attributes
    ----------
    column
        The sensitive column.
    c
        How many times the rest the most frequent value may have; above 0. Below 1 it demands
        more than l values.
    l
        Place of the first value that counts as the rest; at least 1.
    people
        As for k-anonymity.
    """

    name: ClassVar[str] = "recursive-l-diversity"
    #: As for k-anonymity.
    monotone_with_suppression: ClassVar[bool] = False
    column: str
    c: Fraction
    l: int  # noqa: E741 - its name in the literature
    people: bool = field(default=False, repr=False, kw_only=True)

    def __init__(self, column: str, c: Number, l: int, *, people: bool = False) -> None:  # noqa: E741
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "c", exact(c, "c"))
        object.__setattr__(self, "l", whole(l, "l"))
        object.__setattr__(self, "people", people)
        if self.c <= 0:
            raise ValueError("c must be greater than 0")

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        known = {"column": self.column, "c": plain(self.c), "l": self.l}
        return {**known, **stated(people=self.people)}

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether a class whose values occur ``counts`` times satisfies it."""
        return len(counts) >= self.l and max(counts) < self.c * self._rest(counts)

    def nearest(self, counts: Sequence[int]) -> str:
        """What a class that does not satisfy it could be asked for."""
        if len(counts) < self.l:
            return f"an l of at most {len(counts)} is accepted"
        # The next larger of the numbers with four digits: c must exceed the quotient.
        least = (max(counts) * 10_000 // self._rest(counts) + 1) / 10_000
        return f"with this l, a c of at least {least} is accepted"

    def _rest(self, counts: Sequence[int]) -> int:
        return sum(sorted(counts, reverse=True)[self.l - 1 :])
