"""(k,e)-anonymity (Zhang, Koudas, Srivastava, Yu, ICDE 2007; Definition 2.4.2 of the thesis)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papilio.errors import DataError, InfeasibleError, InternalError
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
#: What e is if nobody says: a share of the column's range.
USUAL_E = "5%"
#: Most learnt rows that may be demanded.
MOST_KNOWN = 100
#: Shares of rows have at most six digits after the point, so that products with rows are exact.
_DIGITS = 10**6


@dataclass(frozen=True)
class Near:
    """No window of a width holds more than a share of a group's values; NULL is none of them.

    A window is an interval with both its ends. Closed under unions of groups: the windows that
    hold most of a union hold at most the share of each part.

    Attributes
    ----------
    width
        Width of the window: a number of at least 0, or a share of the range, such as ``"5%"``.
    at_most
        The share; more than 0 and less than 1.

    Examples
    --------
    >>> import papilio as pp
    >>> pp.KeAnonymity("salary", 4, 1000, near=pp.Near(500, 0.5)).parameters()["near"]
    {'width': 500, 'at_most': 0.5}
    """

    width: Number
    at_most: Number
    share: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _spread(self.width, "width")
        share = _number(self.at_most, "at_most")
        if not 0 < share < 1:
            raise ValueError("at_most must be more than 0 and less than 1")
        if _DIGITS % share.denominator:
            raise ValueError("at_most has at most six digits after the point")
        object.__setattr__(self, "share", share)

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        width, of_range = _spread(self.width, "width")
        return {
            "width": self.width if of_range else plain(width),
            "at_most": plain(self.share),
        }


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
        that lie close to each other but for one far away: ``e`` looks at the two ends only;
        ``near`` says more. Knowing the values of others in the group, which can be struck out, but
        for ``known`` of them. That a person is in the table at all: quasi-identifiers are published
        as they are.

    Attributes
    ----------
    column
        The sensitive column; :data:`THE_SENSITIVE` stands for the only one there is.
    k
        Least number of different values; at least 1.
    e
        Least distance between the largest and the smallest; at least 0. A share such as ``"5%"`` is
        one of the range of the column; see :meth:`settle`.
    known
        k and e hold in every group without any so many of its rows. Monotone as they are.
    near
        What no window of values may hold.

    Examples
    --------
    >>> import papilio as pp
    >>> salaries = pp.KeAnonymity("salary", k=4, e=1000)
    >>> salaries.holds(different=4, smallest=2000, largest=2900)
    False
    """

    name: ClassVar[str] = "ke-anonymity"
    #: As for k-anonymity.
    monotone_with_suppression: ClassVar[bool] = True
    column: str
    k: int
    e: Number = 0
    known: int = 0
    near: Near | None = None

    def __post_init__(self) -> None:
        whole(self.k, "k")
        whole(self.known, "known", 0)
        _spread(self.e, "e")

    @property
    def exact_e(self) -> Fraction:
        """The distance; only of one that is settled."""
        return _settled(self.e, "e")

    @property
    def exact_width(self) -> Fraction:
        """Width of the window that ``near`` speaks of; only of one that is settled."""
        if self.near is None:
            raise InternalError("no window is demanded", reason="demand")
        return _settled(self.near.width, "width")

    @property
    def takes_any_row(self) -> bool:
        """Whether every row is a group already."""
        return self.k == 1 and not self.struck and not _spread(self.e, "e")[0]

    @property
    def struck(self) -> bool:
        """Whether more is demanded than k and e, so that it matters how often values occur."""
        return self.known > 0 or self.near is not None

    @property
    def of_range(self) -> bool:
        """Whether something is a share of the range of the column, which has to be seen."""
        width = 0 if self.near is None else self.near.width
        return _spread(self.e, "e")[1] or _spread(width, "width")[1]

    def settle(self, smallest: float, largest: float) -> KeAnonymity:
        """The same with shares of the range as numbers, given the ends of the column.

        A distance that no number with a decimal point is exactly is the next larger one.
        """
        span = Fraction(largest) - Fraction(smallest)
        near = self.near
        if near is not None:
            near = replace(near, width=_resolved(near.width, span, "width"))
        return replace(self, e=_resolved(self.e, span, "e"), near=near)

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        e, of_range = _spread(self.e, "e")
        said = {"column": self.column, "k": self.k, "e": self.e if of_range else plain(e)}
        if self.known:
            said["known"] = self.known
        if self.near is not None:
            said["near"] = self.near.parameters()
        return said

    def holds(self, different: int, smallest: float, largest: float) -> bool:
        """Whether a group with so many different values, between these two, has k and e."""
        return different >= self.k and Fraction(largest) - Fraction(smallest) >= self.exact_e

    def nearest(self, different: int, smallest: float, largest: float) -> str:
        """What a group that does not satisfy it could be asked for."""
        if different == 0:
            return "the column is NULL in every row; another sensitive column may do"
        widest = _written_down(Fraction(largest) - Fraction(smallest))
        return f"a k of at most {different} and an e of at most {widest} are accepted"


def ke_anonymity(
    k: int, e: Number = USUAL_E, *, known: int = 0, near: Near | None = None
) -> KeAnonymity:
    """(k,e)-anonymity of the only sensitive column, for ``Policy(privacy=KE(4, 1000))``.

    Examples
    --------
    >>> import papilio as pp
    >>> columns = {"age": "quasi", "salary": {"role": "sensitive", "type": "numeric"}}
    >>> policy = pp.Policy(columns=columns, privacy=pp.KE(4, 1000))
    >>> policy.requirements[0].parameters()
    {'column': 'salary', 'k': 4, 'e': 1000}
    """
    return KeAnonymity(THE_SENSITIVE, k, e, known, near)


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
    requirement = requirement.settle(smallest, largest)
    if not requirement.holds(different, smallest, largest):
        said = requirement.parameters()
        raise InfeasibleError(
            f"column '{requirement.column}': {requirement.name} with k = {said['k']}, "
            f"e = {said['e']} cannot be met, not even by all rows as one group",
            reason="not-spread",
            nearest=requirement.nearest(different, smallest, largest),
        )


def _number(said: Number, name: str) -> Fraction:
    try:
        return Fraction(str(said))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number") from None


def _spread(said: Number, name: str) -> tuple[Fraction, bool]:
    """A distance, and whether it is one in shares of a range."""
    percent = isinstance(said, str) and said.strip().endswith("%")
    found = _number(str(said).strip().removesuffix("%").strip() if percent else said, name)
    if found < 0:
        raise ValueError(f"{name} must be at least 0")
    if percent and found > 100:
        raise ValueError(f"{name} must be at most 100% of the range")
    if found > Fraction(math.nextafter(math.inf, 0)):
        raise ValueError(f"{name} is larger than any distance of two numbers")
    return (found / 100 if percent else found), percent


def is_share(said: object) -> bool:
    """Whether a distance is written as a share of the range, such as ``5%``."""
    return isinstance(said, str) and said.strip().endswith("%")


def check_distance(said: Number, name: str) -> None:
    """Refuse what is neither a distance nor a share of the range.

    Raises
    ------
    ValueError
        Says what is accepted.
    """
    _spread(said, name)


def _settled(said: Number, name: str) -> Fraction:
    found, of_range = _spread(said, name)
    if of_range:
        raise InternalError("a share of the range was not settled", reason="demand")
    return found


def _resolved(said: Number, span: Fraction, name: str) -> Number:
    found, of_range = _spread(said, name)
    if not of_range:
        return said
    product = found * span
    if product.denominator == 1:
        return int(product)
    near = float(product)
    while Fraction(repr(near)) < product:
        near = math.nextafter(near, math.inf)
    return near


def _written_down(width: Fraction) -> str:
    """The largest decimal number as programs write it that is no larger than ``width``."""
    if width.denominator == 1:
        return str(width.numerator)
    near = float(width)
    while Fraction(repr(near)) > width:
        near = math.nextafter(near, -math.inf)
    return repr(near)
