"""Groups that keep their promise though some rows are known, or some values are nearly known.

How often a value occurs in a group matters then, so runs may part the rows of a value anywhere.
Both demands hold of a union of groups of which they hold, so the least sum of widths is that of
runs (Lemma 2.6.1, whose proof needs nothing else; checked by brute force).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.errors import InfeasibleError
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_reach import enough_left
from papilio.kernels.ke_runs import (
    LEAST_SUM,
    LEAST_WIDEST,
    MOST_RUNS,
    cheapest_runs,
    evenly_spread_runs,
    widest_run,
)
from papilio.privacy.ke_anonymity import KeAnonymity, Near

#: Units up to which any run of them is thought of, where windows matter, and where they do not.
UNITS, MANY_UNITS = 40_000, 20_000_000
#: Pairs of a start and an end that are looked at.
_PAIRS = UNITS * UNITS
_EVERY = 10**4


@dataclass(frozen=True, eq=False)
class Units:
    """Rows of a column in the order of their values, some rows of one value at a time.

    Attributes
    ----------
    value
        Number of the value of each unit.
    rows
        Number of rows before each, then of all.
    """

    value: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows of each unit."""
        return np.diff(self.rows)


@dataclass(frozen=True, eq=False)
class Shares:
    """Copies of values that runs get: number of the value, of the run, and how many copies."""

    value: NDArray[np.int64]
    run: NDArray[np.int64]
    copies: NDArray[np.int64]
    count: int


def struck_runs(column: ValueCounts, requirement: KeAnonymity, minimise: str) -> Shares:
    """Divide values into runs that meet k, e, ``known`` and ``near``.

    ``"sum"`` is the least sum of widths over all partitions, ``"max"`` and ``"groups"`` the
    narrowest widest group and the most groups over runs; up to :data:`UNITS` rows, or
    :data:`MANY_UNITS` units without ``near``. Of more rows some places to cut are left out, evenly,
    and the best of the others is found. What is demanded holds in any case.

    Raises
    ------
    InfeasibleError
        If all rows as one group do not meet it; names what they meet.

    Notes
    -----
    Cost: without ``near``, O(p m²) for p different values and m known rows; with it, O(n²) for n
    rows up to :data:`UNITS`, some seconds at most, and never more.
    """
    check_struck(column, requirement)
    units = _units(column, requirement)
    first = _least_ends(column, units, requirement)
    widths = column.widths[units.value]
    if requirement.near is None:
        starts = _runs(widths, first, minimise)
    else:
        starts = _even_runs(column, units, widths, first, requirement, minimise)
    return _shares(units, starts)


def _runs(
    widths: NDArray[np.float64], first: NDArray[np.int64], minimise: str
) -> NDArray[np.int64]:
    """Runs of units, none of which is parted; see the kernels for runs of values."""
    whole = np.zeros(len(widths), bool)
    widest = widest_run(widths, first, whole) if minimise == "max" else math.inf
    return cheapest_runs(widths, first, whole, widest, minimise == "groups")[0]


def _even_runs(
    column: ValueCounts,
    units: Units,
    widths: NDArray[np.float64],
    first: NDArray[np.int64],
    requirement: KeAnonymity,
    minimise: str,
) -> NDArray[np.int64]:
    near = column.starts[_first_within(column, requirement)][units.value]
    share = _share(requirement.near)
    parts = share.numerator, share.denominator
    given = widths, units.rows, first, near, _cuts(len(widths)), *parts
    if minimise == "groups":
        return evenly_spread_runs(*given, math.inf, MOST_RUNS)[0]
    widest = math.inf
    if minimise == "max":
        widest = evenly_spread_runs(*given, math.inf, LEAST_WIDEST)[1]
    return evenly_spread_runs(*given, widest, LEAST_SUM)[0]


def _share(near: Near | None) -> Fraction:
    return Fraction(1) if near is None else near.share


def _cuts(count: int) -> NDArray[np.bool_]:
    """Where runs may begin: at every unit, or at some that are as far apart."""
    number = min(count, max(_PAIRS // count, 2))
    cuts = np.zeros(count, bool)
    cuts[np.arange(number) * count // number] = True
    return cuts


def _units(column: ValueCounts, requirement: KeAnonymity) -> Units:
    """Rows as finely divided as it matters for what is demanded, and as there is room for."""
    copies = column.copies
    if requirement.near is None:
        # More than twice ``known`` and two of a value are enough on both sides of any cut.
        most = min(2 * requirement.known + 2, max(MANY_UNITS // len(copies), 2))
        finest = most == 2 * requirement.known + 2
    else:
        most, finest = _most_each(copies), False
    parts = np.minimum(copies, most)
    value = np.repeat(np.arange(len(copies)), parts)
    place = np.arange(len(value)) - np.repeat(np.cumsum(parts) - parts, parts)
    every, whole = parts[value], copies[value]
    cut = place * whole // every
    if finest:
        # One by one from both ends, and halves in the middle.
        half = every // 2
        cut = np.select(
            [every == whole, place < half, place == half], [place, place, whole // 2],
            whole - every + place,
        )  # fmt: skip
    rows = column.starts[value] + cut
    return Units(value, np.append(rows, column.starts[-1]))


def _most_each(copies: NDArray[np.int64]) -> int:
    """Most units of a value such that there are not too many in all; at least 1."""
    low, high = 1, int(copies.max())
    while low < high:
        middle = (low + high + 1) // 2
        fits = int(np.minimum(copies, middle).sum()) <= UNITS
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def _least_ends(column: ValueCounts, units: Units, requirement: KeAnonymity) -> NDArray[np.int64]:
    """Last unit of the shortest run from each that has k and e without any ``known`` rows."""
    known, rows = requirement.known, units.rows
    first = enough_left(units.value, units.sizes, requirement.k, known)
    # Without any ``known`` rows e is left if it is without the first and last ones of the run.
    reach = np.append(column.starts, column.starts[-1] + known + 1)[
        np.append(column.reach(requirement.exact_e), len(column.values) + 1)
    ]
    needed = np.zeros(len(units.value), np.int64)
    for gone in range(known + 1):
        at = np.searchsorted(column.starts, rows[:-1] + gone, side="right") - 1
        needed = np.maximum(needed, reach[at] + known - gone + 1)
    return np.asarray(np.maximum(first, np.searchsorted(rows[1:], needed)), np.int64)


def _first_within(column: ValueCounts, requirement: KeAnonymity) -> NDArray[np.int64]:
    """For each value, the first that one window can hold together with it."""
    beyond = column.reach(requirement.exact_width, beyond=True)
    found = np.searchsorted(beyond, np.arange(len(beyond)), side="right")
    return np.asarray(found, np.int64)


def _shares(units: Units, starts: NDArray[np.int64]) -> Shares:
    run = np.zeros(len(units.value), np.int64)
    run[starts[1:]] = 1
    run = np.cumsum(run)
    begins = np.ones(len(run), bool)
    begins[1:] = (run[1:] != run[:-1]) | (units.value[1:] != units.value[:-1])
    at = np.flatnonzero(begins)
    return Shares(units.value[at], run[at], np.add.reduceat(units.sizes, at), len(starts))


def check_struck(column: ValueCounts, requirement: KeAnonymity) -> None:
    """Check that all rows as one group meet ``known`` and ``near``; k and e they do.

    Raises
    ------
    InfeasibleError
        Names the largest number of known rows, or the smallest share, that can be met.
    """
    if requirement.known:
        _check_known(column, requirement)
    if requirement.near is not None:
        _check_near(column, requirement)


def _check_known(column: ValueCounts, requirement: KeAnonymity) -> None:
    rows = int(column.starts[-1])
    rarest = np.sort(column.copies)[: len(column.copies) - requirement.k + 1]
    ends = np.append(column.starts, rows)[column.reach(requirement.exact_e)]
    outside = rows - (ends - column.starts[:-1])
    opens = min(int(rarest.sum()), int(outside.min()))
    if opens > requirement.known:
        return
    most = min(opens - 1, requirement.known)
    raise InfeasibleError(
        f"column '{requirement.column}': known = {requirement.known} cannot be met with this k and "
        "e, not even by all rows as one group",
        reason="not-spread",
        nearest=(
            f"a known of at most {most} is accepted"
            if most
            else "no known is accepted; with a smaller k or e one may be"
        ),
    )


def _check_near(column: ValueCounts, requirement: KeAnonymity) -> None:
    rows = int(column.starts[-1])
    within = column.starts[1:] - column.starts[_first_within(column, requirement)]
    held = Fraction(int(within.max()), rows)
    if held <= _share(requirement.near):
        return
    least = math.ceil(held * _EVERY) / _EVERY
    said = requirement.parameters()["near"]
    raise InfeasibleError(
        f"column '{requirement.column}': near with width = {said['width']}, at_most = "
        f"{said['at_most']} cannot be met, not even by all rows as one group",
        reason="not-spread",
        nearest=(
            f"an at_most of at least {least} is accepted"
            if least < 1
            else "a smaller width is accepted"
        ),
    )


def settled_on(requirement: KeAnonymity, column: ValueCounts) -> KeAnonymity:
    """The requirement with shares of the range of a column as numbers."""
    if not len(column.values):
        return requirement.settle(0, 0)
    return requirement.settle(column.values[0].item(), column.values[-1].item())
