"""k-anonymity (Samarati and Sweeney, 1998; Sweeney, IJUFKS 10(5), 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class KAnonymity:
    """Every combination of quasi-identifier cells that occurs, occurs in at least ``k`` rows.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table cannot say which of at
        least ``k`` rows is theirs: linking succeeds with probability at most 1/k.
    Monotone
        A union of classes that satisfy it satisfies it; so does a class that satisfies it with
        any further rows.
    Assumes about the attacker
        Knows quasi-identifier columns only, one release only, and nothing about the rows' order.
    Does not protect against
        Learning a sensitive value that all rows of a class share (homogeneity), knowledge that
        rules out some of the rows, and the joining of two releases of the same people.

    Attributes
    ----------
    k
        Least size of a class; at least 1, and 1 demands nothing.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.K(5)
    KAnonymity(k=5)
    >>> policy = pp.Policy(columns={"age": "quasi"}, privacy=pp.K(5))
    >>> policy.requirements
    (KAnonymity(k=5),)
    """

    name: ClassVar[str] = "k-anonymity"
    #: Whether a union of classes that satisfy it satisfies it.
    monotone: ClassVar[bool] = True
    #: Whether a class that satisfies it still does with any further rows, so that generalising
    #: never adds to the rows that have to be suppressed.
    monotone_with_suppression: ClassVar[bool] = True
    k: int

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise ValueError("k must be a whole number of at least 1")

    def parameters(self) -> dict[str, int]:
        """What is demanded, as a release's manifest states it."""
        return {"k": self.k}
