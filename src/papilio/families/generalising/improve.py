"""Lower the loss of any grouping while every requirement holds.

The steps are those of :mod:`papilio.kernels.improve`. Classes are handled in blocks of
neighbours, so that the cost of looking for a better place does not grow with the table; the
borders of the blocks move by half a block after every round, so that rows can cross them.

The result is never worse than the grouping it starts from, and it is determined by that grouping
and the number of steps: a time limit only decides how many steps are taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.families.classes import Classes
from papilio.kernels.boxes import Shape, shape_of
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.improve import Groups, exchange_rows, merge_and_divide, refresh

#: Classes of one block.
_BLOCK = 4096


#: Classes visited between two looks at the clock.
_SLICE = 32


#: Classes up to this size are handled even if k is small; larger ones are left as they are.
_LEAST_CAPACITY = 64


@dataclass(frozen=True)
class Budget:
    """How long to go on.

    Attributes
    ----------
    seconds
        Time limit; ``None`` for none.
    steps
        Most visits to a class; ``None`` for no limit. Without any limit the search ends when
        nothing can be improved.
    """

    seconds: float | None = None
    steps: int | None = None


@dataclass(frozen=True, eq=False)
class Improvement:
    """A better grouping, and what it took.

    Attributes
    ----------
    classes
        The grouping.
    steps
        Visits to a class. The same number as a budget gives the same grouping.
    gain
        By how much the loss, summed over all cells, fell.
    """

    classes: Classes
    steps: int
    gain: float


class _Meter:
    """Counts steps and tells when the budget is spent."""

    def __init__(self, budget: Budget) -> None:
        self._most = budget.steps
        self._until = None if budget.seconds is None else time.monotonic() + budget.seconds
        self.steps = 0

    @property
    def spent(self) -> bool:
        """Whether no further step may be taken."""
        late = self._until is not None and time.monotonic() >= self._until
        return late or (self._most is not None and self.steps >= self._most)

    def take(self, wanted: int) -> int:
        """Return how many of the wanted steps may be taken now, and count them."""
        if self.spent:
            return 0
        allowed = wanted if self._most is None else min(wanted, self._most - self.steps)
        self.steps += allowed
        return allowed


def improve(
    table: EncodedTable, classes: Classes, demand: Demand, budget: Budget | None = None
) -> Improvement:
    """Improve a grouping.

    Parameters
    ----------
    table
        The quasi-identifiers.
    classes
        Where to start; every class meets the demand.
    demand
        What every class must go on to meet.
    budget
        How long to go on; left out, until nothing can be improved.

    Notes
    -----
    Cost: one step compares every row of a class with all classes of its block.
    """
    shape = shape_of(attributes_of(table))
    _warm_up(table.codes, classes.rows[:1], shape, demand)
    meter = _Meter(budget or Budget())
    parts = [classes.rows[a:b] for a, b in pairwise(classes.starts)]
    gain, quiet, shift = 0.0, 0, 0
    # A second quiet round is needed because the borders of the blocks have moved.
    while quiet < 2 and not meter.spent:
        improved: list[NDArray[np.int32]] = []
        before = gain
        for block in _blocks(parts, shift):
            better, more = _improve_block(table.codes, block, shape, demand, meter)
            improved += better
            gain += more
        parts = improved
        quiet = 0 if gain > before else quiet + 1
        shift = _BLOCK // 2 - shift
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Improvement(Classes(np.concatenate(parts), starts), meter.steps, gain)


def _warm_up(codes: Codes, rows: NDArray[np.int32], shape: Shape, demand: Demand) -> None:
    """Compile the kernels before the clock starts, so that a first run gets all of its time."""
    groups = _groups(codes, [rows], 1, shape, demand)
    for step in (merge_and_divide, exchange_rows):
        step(codes, groups, np.empty(0, np.int64), shape, demand)


def _blocks(parts: list[NDArray[np.int32]], shift: int) -> Iterator[list[NDArray[np.int32]]]:
    """Cut a list of classes into blocks; one that fits a block is never cut."""
    if len(parts) <= _BLOCK:
        yield parts
        return
    if shift:
        yield parts[:shift]
    for begin in range(shift, len(parts), _BLOCK):
        yield parts[begin : begin + _BLOCK]


def _improve_block(
    codes: Codes,
    parts: list[NDArray[np.int32]],
    shape: Shape,
    demand: Demand,
    meter: _Meter,
) -> tuple[list[NDArray[np.int32]], float]:
    """Improve the classes of one block, but for those too large to be handled."""
    capacity = max(_LEAST_CAPACITY, 4 * demand.least_size)
    large = [part for part in parts if len(part) > capacity]
    small = [part for part in parts if len(part) <= capacity]
    if meter.spent or not small:
        return parts, 0.0
    groups = _groups(codes, small, capacity, shape, demand)
    gain = 0.0
    for step in (merge_and_divide, exchange_rows):
        gain += _pass(step, codes, groups, shape, demand, meter)
    used = np.flatnonzero(groups.size)
    return large + [groups.members[line, : groups.size[line]].copy() for line in used], gain


def _groups(
    codes: Codes,
    parts: list[NDArray[np.int32]],
    capacity: int,
    shape: Shape,
    demand: Demand,
) -> Groups:
    rows = sum(map(len, parts))
    lines = max(rows // max(demand.least_size, 1), len(parts))
    width = len(shape.kind)
    groups = Groups(
        members=np.zeros((lines, capacity), np.int32),
        size=np.zeros(lines, np.int64),
        low=np.zeros((lines, width), np.int32),
        high=np.zeros((lines, width), np.int32),
        mask=np.zeros((lines, width), np.uint64),
        width=np.zeros(lines),
    )
    for line, part in enumerate(parts):
        groups.members[line, : len(part)] = part
        groups.size[line] = len(part)
        refresh(codes, groups, line, shape)
    return groups


def _pass(
    step: Callable[[Codes, Groups, NDArray[np.int64], Shape, Demand], float],
    codes: Codes,
    groups: Groups,
    shape: Shape,
    demand: Demand,
    meter: _Meter,
) -> float:
    """Visit the classes once, from the most to the least costly."""
    cost = groups.size * groups.width
    order = np.argsort(-cost, kind="stable")[: np.count_nonzero(cost)]
    gain = 0.0
    for begin in range(0, len(order), _SLICE):
        visit = order[begin : begin + _SLICE]
        allowed = meter.take(len(visit))
        if allowed == 0:
            break
        gain += step(codes, groups, visit[:allowed], shape, demand)
    return gain
