"""Entropy l-diversity (Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, ICDE 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from papilio.privacy.decimals import Number, exact, floor_text, plain
from papilio.privacy.unit import stated

#: How far above log l a computed entropy must lie; far more than it can be wrong by.
MARGIN = 1e-9


@dataclass(frozen=True)
class EntropyDiversity:
    """The sensitive values of every class have an entropy of at least log ``l``.

    With p(s) the share of value s in the class: - sum over s of p(s) log p(s) >= log l (section 4
    of the paper). NULL is one more value, equal to NULL only.

    Entropies are computed in floating point and rounded against the publisher: equally frequent
    values are decided exactly, any other class needs an entropy of log l + 1e-9. A class that is
    not uniform and has an entropy of exactly log l is therefore refused.

    Over people it holds for every class, and for every class without the rows of any one person
    who has several in the table, unless nothing is left; see :mod:`papilio.privacy.unit`.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table is as uncertain about the
        sensitive value, by Shannon's measure, as among ``l`` equally likely ones. It implies
        distinct l-diversity.
    Monotone
        A union of classes that satisfy it satisfies it, because entropy is concave. Further rows
        may break it, so it is not monotone where records are suppressed.
    Assumes about the attacker
        Knows quasi-identifier columns only and one release only.
    Does not protect against
        A single frequent value as long as the others spread; values that mean much the same; a
        release of the same people with other classes.

    Attributes
    ----------
    column
        The sensitive column.
    l
        Effective number of values; at least 1, need not be whole.
    people
        As for k-anonymity.
    """

    name: ClassVar[str] = "entropy-l-diversity"
    #: As for k-anonymity.
    monotone_with_suppression: ClassVar[bool] = False
    column: str
    l: Fraction  # noqa: E741 - its name in the literature
    people: bool = field(default=False, repr=False, kw_only=True)

    def __init__(self, column: str, l: Number, *, people: bool = False) -> None:  # noqa: E741
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "l", exact(l, "l"))
        object.__setattr__(self, "people", people)
        if self.l < 1:
            raise ValueError("l must be at least 1")

    @property
    def limit(self) -> float:
        """Entropy that a class without equally frequent values must have, as computed."""
        return math.log(self.l) + MARGIN

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"column": self.column, "l": plain(self.l), **stated(people=self.people)}

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether a class whose values occur ``counts`` times satisfies it."""
        if len(set(counts)) == 1:
            return len(counts) >= self.l
        return bool(counts) and _entropy(counts) >= self.limit

    def nearest(self, counts: Sequence[int]) -> str:
        """What a class that does not satisfy it could be asked for."""
        if len(set(counts)) == 1:
            return f"an l of at most {len(counts)} is accepted"
        most = floor_text(math.exp(_entropy(counts) - 2 * MARGIN), 3)
        return f"an entropy l of at most {most} is accepted"


def _entropy(counts: Sequence[int]) -> float:
    rows = sum(counts)
    return math.log(rows) - math.fsum(count * math.log(count) for count in counts) / rows
