"""A quasi-identifier of others that one recipient must not learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from papilio.privacy.distinct_diversity import DistinctDiversity


@dataclass(frozen=True)
class SecretColumn(DistinctDiversity):
    r"""In every class of a recipient the cells of a column leave ``l`` different values possible.

    A class of the recipient is a set of rows with equal cells on all that they know; the column is
    another one, which only others know. With :math:`r[w]` the values that cell w of row r allows,

    .. math:: |\bigcup_{r \in C} r[w]| \ge l \quad \text{for every class } C.

    What methods are asked for is more: ``l`` different values in the column as it was, counted by
    the leaves of its hierarchy if it has one. Every cell covers its own value, so the cells of such
    a class allow at least as many, however the column is generalised.

    Contract
    --------
    Guarantees
        Whoever knows the recipient's columns of a person is left with at least ``l`` values of this
        one: all rows of the person's class may be theirs.
    Monotone
        A union of classes allows every value that one of them allows, and so does a class with
        further rows.
    Assumes about the attacker
        Knows the recipient's columns only, one release only, and not how frequent values are.
    Does not protect against
        Guessing from frequencies; recipients who put together what they know; values that mean
        much the same. Two ends of a range of numbers that are not whole count as any number of
        values.

    Source: Pei, Tao, Li, Xiao, "Butterfly", TR 2008-18, sections 1 and 3.2, where the school must
    not learn the job; the definition is ours.
    """

    name: ClassVar[str] = "secret-column"

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it; always about rows."""
        return {"column": self.column, "l": self.l}
