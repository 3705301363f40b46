"""t-closeness (Li, Li, Venkatasubramanian, ICDE 2007)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar

from papilio.data.table import Column
from papilio.privacy.decimals import Number, exact, plain
from papilio.privacy.unit import stated


class Distance(StrEnum):
    """How far two values of a sensitive column are apart (section 4 of the paper), 0 to 1.

    ``equal``
        1 for any two different values.
    ``ordered``
        |i - j| / (m - 1) for the i-th and the j-th of m values in order. Numbers and dates are
        ordered by size, the m values are those that occur; labels are ordered as the policy's
        ``domain`` lists them, the m values are all of it. NULL stands before all others.
    ``hierarchical``
        Height of the lowest common node over the height of the hierarchy. The height of a node is
        the number of steps down to its deepest leaf. NULL is a leaf below the root.
    """

    EQUAL = "equal"
    ORDERED = "ordered"
    HIERARCHICAL = "hierarchical"


@dataclass(frozen=True)
class TCloseness:
    """In every class a sensitive column is distributed nearly as in the whole table.

    The distance between the distribution of a class and that of the table is their Earth Mover's
    Distance: the least work that turns one into the other, where work is probability moved times
    the distance it is moved over. It must not exceed ``t`` (Definition 2 of the paper; closed forms
    in its section 4). NULL is one more value, equal to NULL only. Decided in whole numbers,
    exactly; ``t`` is the decimal number as it is written.

    Over people it holds for every class, and for every class without the rows of any one person
    who has several in the table, unless nothing is left; see :mod:`papilio.privacy.unit`.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table learns little about their
        sensitive value beyond what the whole table tells: the two distributions differ by at
        most ``t``. With the equal distance no event becomes more than ``t`` more likely.
    Monotone
        A union of classes that satisfy it satisfies it, because the distance is convex. Further
        rows may break it, so it is not monotone where records are suppressed.
    Assumes about the attacker
        Knows the distribution in the whole table, quasi-identifier columns, and one release only.
    Does not protect against
        What the whole table tells by itself. Finding a person's row: demand k as well. A release
        of the same people with other classes.

    Attributes
    ----------
    column
        The sensitive column.
    t
        Largest distance, from 0 (every class mirrors the table) to 1 (demands nothing).
    distance
        How far values are apart; left out, ``hierarchical`` if the column has a hierarchy,
        ``ordered`` if it holds numbers or dates, ``equal`` otherwise.
    order
        All values in order where they have no order by themselves; taken from the column.
    people
        As for k-anonymity.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.T("disease", 0.2) == pp.TCloseness("disease", 0.2)
    True
    """

    name: ClassVar[str] = "t-closeness"
    #: As for k-anonymity.
    monotone_with_suppression: ClassVar[bool] = False
    column: str
    t: Fraction
    distance: Distance | None
    order: tuple[str, ...] | None
    people: bool = field(default=False, repr=False, kw_only=True)

    def __init__(
        self,
        column: str,
        t: Number,
        distance: Distance | str | None = None,
        order: tuple[str, ...] | None = None,
        *,
        people: bool = False,
    ) -> None:
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "t", exact(t, "t"))
        object.__setattr__(self, "distance", None if distance is None else Distance(distance))
        object.__setattr__(self, "order", order)
        object.__setattr__(self, "people", people)
        if not 0 <= self.t <= 1:
            raise ValueError("t must be between 0 and 1")

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        known: dict[str, Any] = {"column": self.column, "t": plain(self.t)}
        if self.distance is not None:
            known["distance"] = self.distance.value
        if self.order is not None:
            known["order"] = list(self.order)
        return {**known, **stated(people=self.people)}

    def settle(self, column: Column) -> TCloseness:
        """Choose the distance for a column, if it is left open, and take the column's order.

        Raises
        ------
        ValueError
            If the column does not have what the distance needs.
        """
        distance = self.distance or _natural(column)
        if distance is Distance.HIERARCHICAL and column.hierarchy is None:
            raise ValueError("the hierarchical distance needs a hierarchy on the column")
        if distance is not Distance.ORDERED or column.type.ordered:
            return replace(self, distance=distance, order=None)
        if column.domain is None:
            raise ValueError(
                "the ordered distance needs numbers or dates, or a column with a domain"
            )
        return replace(self, distance=distance, order=column.domain)


def _natural(column: Column) -> Distance:
    if column.hierarchy is not None:
        return Distance.HIERARCHICAL
    return Distance.ORDERED if column.type.ordered else Distance.EQUAL
