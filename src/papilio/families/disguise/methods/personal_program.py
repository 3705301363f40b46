"""Personal levels as an integer program: who volunteers for a higher pool (HiGHS through SciPy)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from papilio.families.disguise.methods.pools import ByDepth, People, ancestors

#: Numbers of a solver that are this near to a whole one are meant to be it.
_NEARLY = 1e-7
#: How far from the relaxation's pushes the heuristic looks.
_AROUND = 2.0


@dataclass(frozen=True, eq=False)
class Solved:
    """What the solver found.

    Attributes
    ----------
    joined
        Leaf, depth -> people in the pool at this depth above the leaf; ``None`` if the time was
        over before anything was found.
    bound
        Proven: no solution costs less.
    optimal
        Whether the solution was proven to be the best.
    """

    joined: ByDepth | None
    bound: float
    optimal: bool


@dataclass(eq=False)
class _Rows:
    """Rows of the constraint matrix: entries of one row at a time, each with a lower bound."""

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    entry: list[float] = field(default_factory=list)
    least: list[float] = field(default_factory=list)

    def add(self, entries: list[tuple[int, float]], least: float) -> None:
        for column, entry in entries:
            self.row.append(len(self.least))
            self.column.append(column)
            self.entry.append(entry)
        self.least.append(least)


class PersonalProgram:
    """The compact program of one group of people.

    By the structure theorem (docs/papers.md) there is an optimal solution with one pool per node M,
    in which everybody joins a pool at or above what they demand, and each pool is generalised below
    M by the target. Variables: y(leaf, d), the people of a leaf in the pool at depth d above it,
    and j(M, N), how often the weights of N's children are pushed down in pool M, so that S_M(C) =
    w_C j(M, N). People who demand depth d or higher join pools that are at least as high:
    sum over d' <= d of y(leaf, d') >= sum over d' <= d of need(leaf, d'); on a chain this says who
    joins which pool as well as one variable per demand would. Every push keeps total_N j(M, N) <=
    S_M(N) and w_C j(M, N) <= the members of M below C. Minimised is the sum of ranges.

    For fixed j the y form a network flow, so only the j need to be whole numbers.

    Parameters
    ----------
    people
        The group.
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._above = ancestors(people.target)
        self._places = {
            (int(leaf), depth): number
            for number, (leaf, depth) in enumerate(self._possible(people.need))
        }
        self._cost: list[float] = [
            float(people.target.tree.span[self._above[place]]) for place in self._places
        ]
        self._largest: list[float] = [float(people.need[leaf].sum()) for leaf, _ in self._places]
        self._rows = _Rows()
        self._pushes = len(self._cost)
        self._demands()
        for pool in sorted({int(self._above[place]) for place in self._places}):
            self._pool(pool)

    @staticmethod
    def _possible(need: ByDepth) -> list[tuple[int, int]]:
        """Leaves with people, and depths down to the lowest that one of them demands."""
        return [
            (leaf, depth)
            for leaf in np.flatnonzero(need.sum(axis=1)).tolist()
            for depth in range(int(np.flatnonzero(need[leaf]).max()) + 1)
        ]

    @property
    def variables(self) -> int:
        """Number of whole-number variables."""
        return len(self._cost) - self._pushes

    def _demands(self) -> None:
        need = self._people.need
        for leaf in np.flatnonzero(need.sum(axis=1)).tolist():
            joined: list[tuple[int, float]] = []
            for depth in range(int(np.flatnonzero(need[leaf]).max()) + 1):
                joined = [*joined, (self._places[leaf, depth], 1.0)]
                self._rows.add(joined, float(need[leaf, : depth + 1].sum()))
            self._rows.add([(place, -1.0) for place, _ in joined], -float(need[leaf].sum()))

    def _members(self, pool: int, node: int) -> list[tuple[int, float]]:
        """People of a pool below one of its nodes."""
        tree = self._people.target.tree
        depth = int(tree.depth[pool])
        leaves = range(int(tree.first[node]), int(tree.last[node]) + 1)
        return [(self._places[at, depth], 1.0) for at in leaves if (at, depth) in self._places]

    def _pool(self, pool: int) -> None:
        """Pushes of one pool, from its node down, as far as there are people at all."""
        target, tree = self._people.target, self._people.target.tree
        waiting = [(pool, self._members(pool, pool))]
        while waiting:
            node, inside = waiting.pop()
            total = int(target.total[node])
            children = [c for c in tree.children(node) if target.weight[c] > 0]
            members = [self._members(pool, child) for child in children]
            weights = [int(target.weight[child]) for child in children]
            room = [
                int(sum(self._largest[place] for place, _ in below)) // weight
                for below, weight in zip(members, weights, strict=True)
            ]
            if total == 0 or min(room) == 0:
                continue
            push = self._push(node, children, weights, min(room))
            self._rows.add([*inside, (push, -float(total))], 0.0)
            for child, below, weight in zip(children, members, weights, strict=True):
                self._rows.add([*below, (push, -float(weight))], 0.0)
                waiting.append((child, [(push, float(weight))]))

    def _push(self, node: int, children: list[int], weights: list[int], most: int) -> int:
        span = self._people.target.tree.span
        saved = span[children] @ np.array(weights) - sum(weights) * span[node]
        self._cost.append(float(saved))
        self._largest.append(float(most))
        return len(self._cost) - 1

    def solve(self, seconds: float) -> Solved:
        """Look for the optimum for a time."""
        size = len(self._cost)
        found = self._run(np.zeros(size), np.array(self._largest), seconds, whole=True)
        return Solved(self._joined(found.x), _sound(found.mip_dual_bound), bool(found.status == 0))

    def relax(self, seconds: float) -> Solved:
        """Solve it in real numbers, which gives a bound, and round that to a solution.

        The relaxation has four fifths of the time. Then pushes stay near those of it, and the
        small program that remains is solved for a tenth of the time. If nothing is found, pushes
        are the whole numbers below those of the relaxation, which always leaves a solution.
        """
        size = len(self._cost)
        nothing, largest = np.zeros(size), np.array(self._largest)
        relaxed = self._run(nothing, largest, 0.8 * seconds, whole=False)
        if relaxed.x is None:
            return Solved(None, 0.0, False)
        low, high = nothing.copy(), largest.copy()
        low[self._pushes :] = np.floor(relaxed.x[self._pushes :] + _NEARLY)
        high[self._pushes :] = np.ceil(relaxed.x[self._pushes :] - _NEARLY)
        around = (np.maximum(low - _AROUND, nothing), np.minimum(high + _AROUND, largest))
        found = self._run(*around, 0.1 * seconds, whole=True)
        if found.x is None:
            high[self._pushes :] = low[self._pushes :]
            found = self._run(low, high, 0.1 * seconds, whole=False)
        return Solved(self._joined(found.x), _sound(relaxed.fun), False)

    def _run(
        self,
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        seconds: float,
        *,
        whole: bool,
    ) -> OptimizeResult:
        rows, size = self._rows, len(self._cost)
        matrix = sparse.csr_array(
            (rows.entry, (rows.row, rows.column)), shape=(len(rows.least), size)
        )
        kinds = np.zeros(size)
        kinds[self._pushes :] = float(whole)
        return milp(
            np.array(self._cost),
            integrality=kinds,
            bounds=Bounds(low, high),
            constraints=LinearConstraint(matrix, np.array(rows.least), np.inf),
            options={"time_limit": max(seconds, 0.1), "mip_rel_gap": 0.0},
        )

    def _joined(self, solution: NDArray[np.float64] | None) -> ByDepth | None:
        """People in pools, whole numbers: rounded sums from the root down, so nobody gets lost."""
        if solution is None:
            return None
        joined = np.zeros(self._people.need.shape)
        for (leaf, depth), number in self._places.items():
            joined[leaf, depth] = solution[number]
        least = np.cumsum(self._people.need, axis=1)
        until = np.maximum(np.rint(np.cumsum(joined, axis=1)).astype(np.int64), least)
        return np.diff(np.minimum(until, least[:, -1:]), axis=1, prepend=0)


def _sound(bound: float | None) -> float:
    """A bound that is sure to hold: solvers are right to about nine digits."""
    if bound is None or not np.isfinite(bound):
        return 0.0
    return max(0.0, float(bound) * (1 - 1e-9) - 1e-9)
