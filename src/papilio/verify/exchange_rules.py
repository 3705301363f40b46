"""What people may own of a class, asked while rows are exchanged.

These rules say where to look, and nothing depends on them: what was found is counted once more by
the checks of the claims themselves. So they may be rounded, and a claim without a rule is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import Claim, PublishedColumn, PublishedTable
from papilio.verify.class_values import (
    ClaimError,
    decimal_number,
    sensitive_column,
    whole_number,
)
from papilio.verify.numbering import values_of
from papilio.verify.opened import Opened
from papilio.verify.whose_lines import Lists, Matching

Ints: TypeAlias = NDArray[np.int64]


#: Whether a class with so many rows of each value falls short.
Short: TypeAlias = Callable[[Ints], bool]


#: What is nearer than this to the limit is taken to be beyond it.
_MARGIN = 1e-10


class Rule(Protocol):
    """What is asked of every class and person.

    Attributes
    ----------
    class_of_kind
        Class of the lines of each kind; -1 for rows that are left out, of which nothing is asked.
    """

    class_of_kind: Ints

    def begin(self, kind_of_line: Ints, row_of_line: Ints, person: Ints) -> None:
        """Count what is owned. The row of each line changes in place later."""

    def broken(self) -> Iterator[tuple[int, int]]:
        """Yield classes and people of whom it does not hold."""

    def excess(self, owned: int, person: int) -> int:
        """How many rows of a person are too many in a class; 0 if what is asked holds."""

    def may_take(self, person: int, here: int, there: int) -> bool:
        """Whether a person may own one line more of a kind, for one less of another kind."""

    def move(self, person: int, here: int, there: int) -> None:
        """Count that a row of a person moved from a line of one kind to one of another."""


class Shares:
    """Nobody owns more than one row in k: k m(C) <= |C|. Cost: a count per class and person.

    Parameters
    ----------
    class_of_kind
        Class of the lines of each kind.
    size
        Lines of each class.
    k
        What is claimed.
    """

    def __init__(self, class_of_kind: Ints, size: Ints, k: int) -> None:
        self.class_of_kind = class_of_kind
        self._class: list[int] = class_of_kind.tolist()
        self._most: list[int] = (size // k).tolist()
        self._people = 1
        self._owned: dict[int, int] = {}

    def begin(self, kind_of_line: Ints, row_of_line: Ints, person: Ints) -> None:
        """Count what is owned."""
        self._people = int(person.max(initial=0)) + 1
        owned = self.class_of_kind[kind_of_line]
        keys = owned * self._people + person[row_of_line]
        found, counts = np.unique(keys[owned >= 0], return_counts=True)
        self._owned = dict(zip(found.tolist(), counts.tolist(), strict=True))

    def broken(self) -> Iterator[tuple[int, int]]:
        """Yield classes and people who own too much."""
        for key, count in list(self._owned.items()):
            owned, person = divmod(key, self._people)
            if count > self._most[owned]:
                yield owned, person

    def excess(self, owned: int, person: int) -> int:
        """Rows that are too many."""
        return max(0, self._owned.get(owned * self._people + person, 0) - self._most[owned])

    def may_take(self, person: int, here: int, there: int) -> bool:
        """Whether one more is not too many."""
        owned = self._class[there]
        if owned < 0 or owned == self._class[here]:
            return True
        return self._owned.get(owned * self._people + person, 0) < self._most[owned]

    def move(self, person: int, here: int, there: int) -> None:
        """Count one less here and one more there."""
        for kind, step in ((here, -1), (there, 1)):
            if (owned := self._class[kind]) >= 0:
                key = owned * self._people + person
                self._owned[key] = self._owned.get(key, 0) + step


class Mixed:
    """What is asked of the values of a class holds without the rows of any one person.

    Parameters
    ----------
    class_of_kind
        Class of the lines of each kind.
    value_of_kind
        Number of the sensitive value of each kind, from 0.
    several
        Whether each person has several rows in the table; of others nothing is asked.
    short
        Whether values fall short.

    Notes
    -----
    Cost: whenever it is asked, the size of the class.
    """

    def __init__(
        self, class_of_kind: Ints, value_of_kind: Ints, several: NDArray[np.bool_], short: Short
    ) -> None:
        self.class_of_kind = class_of_kind
        self._values = value_of_kind
        self._count = int(value_of_kind.max(initial=0)) + 1
        self._several = several
        self._short = short

    def begin(self, kind_of_line: Ints, row_of_line: Ints, person: Ints) -> None:
        """List the lines of each class."""
        owned = self.class_of_kind[kind_of_line]
        lines = np.flatnonzero(owned >= 0)
        count = int(self.class_of_kind.max(initial=-1)) + 1
        self._lines = Lists.of_pairs(owned[lines], lines, count)
        self._value_of_line = self._values[kind_of_line]
        self._row_of_line, self._person = row_of_line, person

    def broken(self) -> Iterator[tuple[int, int]]:
        """Yield classes and people without whom values fall short."""
        for owned in range(len(self._lines.start) - 1):
            people = np.unique(self._person[self._row_of_line[self._lines[owned]]])
            for person in people[self._several[people]].tolist():
                if self.excess(owned, person):
                    yield owned, person

    def excess(self, owned: int, person: int) -> int:
        """Rows of the person, if values fall short without them."""
        if not self._several[person]:
            return 0
        left, mine = self._without(owned, person)
        return mine if mine and left.any() and self._short(left) else 0

    def may_take(self, person: int, here: int, there: int) -> bool:
        """Whether values do not fall short when one more of them is the person's."""
        owned = int(self.class_of_kind[there])
        if owned < 0 or owned == self.class_of_kind[here] or not self._several[person]:
            return True
        left, _ = self._without(owned, person)
        left[self._values[there]] -= 1
        return not left.any() or not self._short(left)

    def move(self, person: int, here: int, there: int) -> None:
        """Nothing is counted in advance."""

    def _without(self, owned: int, person: int) -> tuple[Ints, int]:
        """How often values occur in a class without a person, and rows that the person has."""
        lines = self._lines[owned]
        others = self._person[self._row_of_line[lines]] != person
        left = np.bincount(self._value_of_line[lines][others], minlength=self._count)
        return left, len(lines) - int(others.sum())


def fewer_than(least: int) -> Short:
    """Fewer than l values occur."""
    return lambda counts: int(np.count_nonzero(counts)) < least


def less_entropy(least: Fraction) -> Short:
    """The entropy is less than log l."""

    def short(counts: Ints) -> bool:
        held = counts[counts > 0]
        if held.min() == held.max():
            return len(held) < math.ceil(least)
        share = held / held.sum()
        return float(-(share * np.log(share)).sum()) < math.log(least) + _MARGIN

    return short


def too_frequent(c: Fraction, place: int) -> Short:
    """The most frequent value occurs c times as often as all from some place on together."""

    def short(counts: Ints) -> bool:
        ordered = np.sort(counts)[::-1]
        return int(ordered[0]) * c.denominator >= int(ordered[place - 1 :].sum()) * c.numerator

    return short


def too_far(table: Ints, t: Fraction, enough: int | None, line: tuple[Ints, int] | None) -> Short:
    """Values are farther than t from those of the table, in a class of fewer than enough rows.

    Parameters
    ----------
    table
        How often each value occurs in the table.
    t
        The largest distance.
    enough
        A class of so many rows need not be close; ``None`` if every class must.
    line
        Where each value stands on a line, and how many places there are; ``None`` if all values are
        equally far from one another.
    """
    whole = table / table.sum()

    def short(counts: Ints) -> bool:
        size = int(counts.sum())
        if enough is not None and size >= enough:
            return False
        apart = counts / size - whole
        if line is None:
            return float(np.abs(apart).sum()) / 2 > t + _MARGIN
        place, places = line
        passing = np.cumsum(np.bincount(place, weights=apart, minlength=places))
        return float(np.abs(passing).sum()) > (t + _MARGIN) * max(places - 1, 1)

    return short


def class_of_kinds(matching: Matching, table: PublishedTable, claim: Claim) -> Ints:
    """Class of the lines of each kind for whoever knows the columns of a claim.

    There is one more kind, for rows that are left out; its class is -1.
    """
    names = [column.name for column in table.columns]
    known = sorted(names.index(name) for name in claim.columns if name in names)
    found = np.full(int(matching.kind_of_line.max(initial=-1)) + 2, -1)
    found[matching.kind_of_line] = matching.classes(known)
    return found


def rule_of(
    opened: Opened, table: PublishedTable, claim: Claim, matching: Matching, person: Ints
) -> Rule | None:
    """The rule for a claim; ``None`` if it says too little, or is about a hierarchy.

    Parameters
    ----------
    opened, table
        The release, and the table that is matched.
    claim
        A claim over people of that table.
    matching
        Lines and rows; only what lines are like is used.
    person
        Whose each row of the original is.
    """
    classes = class_of_kinds(matching, table, claim)
    try:
        if claim.claim == "k-anonymity":
            size = np.bincount(classes[matching.kind_of_line])
            return Shares(classes, size, whole_number(claim, "k"))
        column = sensitive_column(opened, claim)
        number = matching.cells_of_line[:, table.columns.index(column)]
        known, value = np.unique(number, return_inverse=True)
        short = _short(opened, claim, column, table.columns.index(column), known, value.ravel())
    except ClaimError:
        return None
    if short is None:
        return None
    values = np.zeros(len(classes), np.int64)
    values[matching.kind_of_line] = value.ravel()
    return Mixed(classes, values, np.bincount(person) > 1, short)


def _short(
    opened: Opened, claim: Claim, column: PublishedColumn, index: int, known: Ints, value: Ints
) -> Short | None:
    """When values fall short; they are numbered in the order of the original's numbers."""
    match claim.claim:
        case "distinct-l-diversity":
            return fewer_than(whole_number(claim, "l"))
        case "entropy-l-diversity":
            return less_entropy(max(Fraction(1), decimal_number(claim, "l")))
        case "recursive-l-diversity":
            return too_frequent(decimal_number(claim, "c"), whole_number(claim, "l"))
        case "t-closeness" | "nt-closeness":
            enough = whole_number(claim, "n") if claim.claim == "nt-closeness" else None
            table, t = np.bincount(value), decimal_number(claim, "t")
            distance = claim.parameters.get("distance")
            if distance == "equal":
                return too_far(table, t, enough, None)
            line = _line(opened, claim, column, index, known) if distance == "ordered" else None
            return None if line is None else too_far(table, t, enough, line)
    return None


def _line(
    opened: Opened, claim: Claim, column: PublishedColumn, index: int, known: Ints
) -> tuple[Ints, int] | None:
    """Where each value stands, and how many places there are; 0 is the number of NULL."""
    if column.type in ("numeric", "date"):
        return np.arange(len(known)), len(known)
    order = claim.parameters.get("order")
    if not isinstance(order, list):
        return None
    nulls = int(0 in known)
    place = {text: spot for spot, text in enumerate(order, nulls)}
    texts = [str(value) for value in values_of(opened, index).tolist()]
    found = [0 if number == 0 else place.get(texts[number - 1], -1) for number in known.tolist()]
    return None if -1 in found else (np.array(found, np.int64), len(order) + nulls)
