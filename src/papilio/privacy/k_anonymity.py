"""k-anonymity (Samarati and Sweeney, 1998; Sweeney, IJUFKS 10(5), 2002)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from papilio.privacy.unit import stated


@dataclass(frozen=True)
class KAnonymity:
    """Every combination of quasi-identifier cells that occurs, occurs in at least ``k`` rows.

    Over people, where one of them may have several rows: in every class, ``k`` times the rows of
    any one person are at most the rows of the class. With a row for everybody this is the same.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table cannot say which of at
        least ``k`` rows is theirs: linking succeeds with probability at most 1/k. Over people, a
        class has rows of at least ``k`` people, and a row drawn from it is a given person's with
        probability at most 1/k.
    Monotone
        A union of classes that satisfy it satisfies it; so does a class that satisfies it with
        any further rows. Over people only the former: with m(C) the most rows of one person in
        C, k m(C u D) <= k m(C) + k m(D) <= |C| + |D|, but further rows may all be one person's.
    Assumes about the attacker
        Knows quasi-identifier columns only, one release only, and nothing about the rows' order.
    Does not protect against
        Learning a sensitive value that all rows of a class share (homogeneity), knowledge that
        rules out some of the rows, and the joining of two releases of the same people. Over
        people: which rows of different classes are one person's is not protected by counting;
        it is not published.

    Attributes
    ----------
    k
        Least size of a class; at least 1, and 1 demands nothing.
    people
        Whether it is over people; a policy's ``person`` says so.

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
    k: int
    people: bool = field(default=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise ValueError("k must be a whole number of at least 1")

    @property
    def monotone_with_suppression(self) -> bool:
        """Whether a class that satisfies it still does with any further rows.

        Then generalising never adds to the rows that have to be suppressed.
        """
        return not self.people

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"k": self.k, **stated(people=self.people)}
