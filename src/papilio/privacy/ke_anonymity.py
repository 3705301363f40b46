"""(k,e)-anonymity (Zhang, Koudas, Srivastava, Yu, ICDE 2007; Definition 2.4.2 of the thesis)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papilio.errors import DataError, InfeasibleError
from papilio.privacy.decimals import Number, plain, whole

#: Sizes of numbers, 0 aside, whose squares, summed over any table, stay ordinary doubles.
LEAST, MOST = 1e-140, 1e140


def check_summable(column: str, values: ArrayLike) -> None:
    """Refuse numbers of which a help table could not hold sums and variances.

    Raises
    ------
    DataError
        Says how many there are and what is accepted; no value.

    Notes
    -----
    Cost: one pass.
    """
    sizes = np.abs(np.asarray(values, np.float64))
    wrong = int(((sizes > MOST) | ((sizes > 0) & (sizes < LEAST))).sum())
    if wrong:
        raise DataError(
            f"column '{column}': {wrong} different numbers are too far from or too near to 0 for "
            f"the sums of the help table; 0 and sizes from {LEAST:g} to {MOST:g} are accepted, so "
            "publish it in another unit",
            reason="not-summable",
        )


#: Stands for the one sensitive column of a policy.
THE_SENSITIVE = "*"


@dataclass(frozen=True)
class KeAnonymity:
    """Every group has at least ``k`` different values of a column, and they span at least ``e``.

    NULL is no value here: it counts neither towards ``k`` nor towards ``e``. Numbers are compared
    exactly, a double being the binary fraction it is and ``e`` the decimal number that is written:
    where rounding could make a range look wide enough, it does not.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of a person in the table learns that the person's
        value is one of at least ``k`` different numbers, of which the largest and the smallest
        are at least ``e`` apart, or NULL, and no more: every way to deal the group's values out
        to its rows fits the release. If partitions depend on how often values occur and on chance
        alone, as Papilio's do, knowing the method does not help (no minimality attack).
    Monotone
        A union of groups that satisfy it satisfies it; so does a group that satisfies it with
        any further rows.
    Assumes about the attacker
        Knows quasi-identifier columns only, one release only, and no one else's sensitive value.
    Does not protect against
        Guessing from frequencies: nine of ten rows of a group may share a value, or be NULL. Values
        that lie close to each other but for one far away: ``e`` looks at the two ends only.
        Knowing the values of others in the group, which can be struck out. That a person is
        in the table at all: quasi-identifiers are published as they are.

    Attributes
    ----------
    column
        The sensitive column; :data:`THE_SENSITIVE` stands for the only one there is.
    k
        Least number of different values; at least 1.
    e
        Least distance between the largest and the smallest; at least 0.

    Examples
    --------
    >>> import papilio as pp
    >>> salaries = pp.KeAnonymity("salary", k=4, e=1000)
    >>> salaries.holds(different=4, smallest=2000, largest=2900)
    False
    """

    name: ClassVar[str] = "ke-anonymity"
    #: As for k-anonymity.
    monotone: ClassVar[bool] = True
    #: As for k-anonymity.
    monotone_with_suppression: ClassVar[bool] = True
    column: str
    k: int
    e: Number = 0
    exact_e: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole(self.k, "k")
        object.__setattr__(self, "exact_e", _distance(self.e))

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"column": self.column, "k": self.k, "e": plain(self.exact_e)}

    def holds(self, different: int, smallest: float, largest: float) -> bool:
        """Whether a group with so many different values, between these two, satisfies it."""
        return different >= self.k and Fraction(largest) - Fraction(smallest) >= self.exact_e

    def nearest(self, different: int, smallest: float, largest: float) -> str:
        """What a group that does not satisfy it could be asked for."""
        if different == 0:
            return "the column is NULL in every row; another sensitive column may do"
        widest = _written_down(Fraction(largest) - Fraction(smallest))
        return f"a k of at most {different} and an e of at most {widest} are accepted"


def ke_anonymity(k: int, e: Number = 0) -> KeAnonymity:
    """(k,e)-anonymity of the only sensitive column, for ``Policy(privacy=KE(4, 1000))``.

    Examples
    --------
    >>> import papilio as pp
    >>> columns = {"age": "quasi", "salary": {"role": "sensitive", "type": "numeric"}}
    >>> policy = pp.Policy(columns=columns, privacy=pp.KE(4, 1000))
    >>> policy.requirements[0].parameters()
    {'column': 'salary', 'k': 4, 'e': 1000}
    """
    return KeAnonymity(THE_SENSITIVE, k, e)


def check_spread(requirement: KeAnonymity, values: Sequence[Any] | NDArray[Any]) -> None:
    """Check that all values as one group satisfy a requirement, so that a partition exists.

    Parameters
    ----------
    requirement
        What is demanded.
    values
        The different values that occur, ascending; NULL is none.

    Raises
    ------
    InfeasibleError
        Names the largest k and the largest e that can be met.
    DataError
        If numbers are too large or too small to be summed.
    """
    check_summable(requirement.column, values)
    different = len(values)
    # NumPy's numbers are no fractions; Python's are.
    ends = (values[0], values[-1]) if different else (0, 0)
    smallest, largest = (end.item() if isinstance(end, np.generic) else end for end in ends)
    check_ends(requirement, different, smallest, largest)


def check_ends(requirement: KeAnonymity, different: int, smallest: float, largest: float) -> None:
    """Check the same of so many different values, of which the ends are known.

    Raises
    ------
    InfeasibleError, DataError
        As :func:`check_spread`.
    """
    check_summable(requirement.column, (smallest, largest))
    if not requirement.holds(different, smallest, largest):
        said = requirement.parameters()
        raise InfeasibleError(
            f"column '{requirement.column}': {requirement.name} with k = {said['k']}, "
            f"e = {said['e']} cannot be met, not even by all rows as one group",
            reason="not-spread",
            nearest=requirement.nearest(different, smallest, largest),
        )


def _distance(e: Number) -> Fraction:
    try:
        found = Fraction(str(e))
    except (ValueError, ZeroDivisionError):
        raise ValueError("e must be a number") from None
    if found < 0:
        raise ValueError("e must be at least 0")
    if found > Fraction(math.nextafter(math.inf, 0)):
        raise ValueError("e is larger than any distance of two numbers")
    return found


def _written_down(width: Fraction) -> str:
    """The largest decimal number as programs write it that is no larger than ``width``."""
    if width.denominator == 1:
        return str(width.numerator)
    near = float(width)
    while Fraction(repr(near)) > width:
        near = math.nextafter(near, -math.inf)
    return repr(near)
