"""(n,t)-closeness (Li, Li, Venkatasubramanian, TKDE 22(7), 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from papilio.privacy.decimals import Number, whole
from papilio.privacy.t_closeness import Distance, TCloseness


@dataclass(frozen=True, init=False)
class NTCloseness(TCloseness):
    """Every class is large, or a sensitive column is distributed in it nearly as in the table.

    The paper demands of a class a natural superset of at least ``n`` rows (one with wider bounds
    that contains it) from whose distribution that of the class is at most ``t`` away. Two natural
    supersets every class has: itself and the whole table. Only these are accepted here, so a class
    needs ``n`` rows or a distance of at most ``t`` to the table. That is enough for the paper's
    definition, and unlike it closed under unions: with other supersets the union of two classes
    that satisfy it may not, because the supersets grow in another proportion than the classes.
    Distances, NULL and exactness are those of t-closeness.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table learns about their
        sensitive value what holds for at least ``n`` people, or little beyond what the table tells.
    Monotone
        A union of classes that satisfy it satisfies it: it is large if one of them is, and close
        if all of them are, because the distance is convex. Further rows may break it.
    Assumes about the attacker
        Knows the distribution in the whole table, quasi-identifier columns, and one release only.
    Does not protect against
        What is true of ``n`` people alike: if all rows of a large class share a value, everyone in
        it has that value.

    Attributes
    ----------
    n
        Rows that are enough for a class to be told of as a group; at least 1, and 1 demands
        nothing.
    """

    name: ClassVar[str] = "nt-closeness"
    n: int

    def __init__(
        self,
        column: str,
        t: Number,
        distance: Distance | str | None = None,
        order: tuple[str, ...] | None = None,
        *,
        n: int,
        people: bool = False,
    ) -> None:
        super().__init__(column, t, distance, order, people=people)
        object.__setattr__(self, "n", whole(n, "n"))

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {**super().parameters(), "n": self.n}


def t_closeness(
    column: str, t: Number, distance: Distance | str | None = None, *, n: int | None = None
) -> TCloseness:
    """Demand t-closeness of a sensitive column, or (n,t)-closeness.

    In every class the column is distributed nearly as in the whole table: the Earth Mover's
    Distance between the two is at most ``t``.

    Parameters
    ----------
    column
        The sensitive column; ``"*"`` stands for every one of the policy.
    t
        Largest distance, from 0 (every class mirrors the table) to 1 (demands nothing).
    distance
        How far values are apart: ``equal``, ``ordered`` or ``hierarchical``; left out, what fits
        the column.
    n
        Classes of at least ``n`` rows need not be close to the table.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.T("disease", 0.2).parameters()
    {'column': 'disease', 't': 0.2}
    >>> pp.T("salary", 0.3, "ordered", n=500).name
    'nt-closeness'
    """
    if n is None:
        return TCloseness(column, t, distance)
    return NTCloseness(column, t, distance, n=n)
