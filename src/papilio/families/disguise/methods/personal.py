"""Personal levels: the pools people join so that the sum of ranges is least (chapter 5)."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from papilio.data.domain_tree import WeightedTree, from_parents
from papilio.families.disguise.methods.pools import (
    NO_RULE,
    ByDepth,
    People,
    PoolRule,
    ancestors,
    generalise_pools,
    pool_costs,
)
from papilio.randomness import Randomness

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


#: Leaves that the upper part of the tree may have.
MOST_LEAVES = 256


def solve_coarsely(people: People, seconds: float) -> Solved:
    """Solve the program of the tree cut off below some depth, and carry it over.

    Nodes at that depth become leaves of no range, and inner ranges shrink to what lies between the
    lower ends of their first and last leaf. Every solution of the whole is one of the cut tree and
    costs no less, so a bound for the cut tree is one for the whole. Who joins a pool above the cut
    is taken from the cut tree, strongest demands first; all others stay with what they demand.
    """
    cut = _depth(people)
    coarse = cut_off(people, cut)
    solved = PersonalProgram(coarse).relax(seconds)
    if solved.joined is None:
        return solved
    entry, depth, many = coarse.shares(solved.joined)
    wanted = people.target.tree.depth[people.demanded[entry]]
    depth = np.minimum(depth, wanted)
    # Below the cut the coarse tree says nothing: there everybody has their own demand.
    leaf_depth = coarse.target.tree.depth[coarse.target.tree.leaf_node[coarse.codes[entry]]]
    depth = np.where(depth < leaf_depth, depth, wanted)
    joined = np.zeros_like(people.need)
    np.add.at(joined, (people.codes[entry], depth), many)
    return Solved(joined, solved.bound, optimal=False)


def _depth(people: People) -> int:
    """Largest depth at which the tree has few enough nodes or leaves above."""
    tree = people.target.tree
    ends = tree.end == np.arange(1, tree.nodes + 1)
    for depth in range(tree.height, 0, -1):
        leaves = (tree.depth == depth) | ((tree.depth < depth) & ends)
        if int(leaves.sum()) <= MOST_LEAVES:
            return depth
    return 1


def cut_off(people: People, depth: int) -> People:
    """People over the tree down to a depth; demands below it become demands of a leaf."""
    tree, weight = people.target.tree, people.target.weight
    kept = np.flatnonzero(tree.depth <= depth)
    number = np.cumsum(tree.depth <= depth) - 1
    leaves = kept[(tree.depth[kept] == depth) | (tree.end[kept] == kept + 1)]
    first = np.searchsorted(leaves, kept)
    last = np.searchsorted(leaves, tree.end[kept]) - 1
    parent = np.where(tree.parent[kept] >= 0, number[np.maximum(tree.parent[kept], 0)], -1)
    ends = tree.lows.gather(tree.first[leaves])
    coarse = from_parents(parent.tolist(), first.tolist(), last.tolist(), ends, ends)
    codes = np.searchsorted(tree.first[leaves], people.codes, side="right") - 1
    high = tree.depth[people.demanded] <= depth
    demanded = np.where(high, number[people.demanded], number[leaves[codes]])
    target = WeightedTree(coarse, weight[kept])
    return People(target, codes.astype(np.int32), demanded.astype(np.int32), people.counts)


#: Leaves up to which the program is about the whole tree.
MOST_LEAVES = 1024
#: Whole-number variables up to which the optimum itself is looked for.
MOST_VARIABLES = 4000
#: Seconds for a whole table, unless the policy says otherwise.
USUAL_SECONDS = 40.0


@dataclass(frozen=True, eq=False)
class Pooled:
    """One group of people in pools.

    Attributes
    ----------
    pool
        Node whose pool each person joins; it covers what they demand.
    subdomains
        Pool -> its subdomains and how often each is used.
    cost
        Sum of the ranges.
    bound
        Proven: no division into groups that respects the levels costs less.
    """

    pool: NDArray[np.int32]
    subdomains: dict[int, dict[int, int]]
    cost: float
    bound: float

    @property
    def gap(self) -> float:
        """Share by which the cost may be above the least possible; 0 for a proven optimum."""
        return 0.0 if self.cost <= self.bound else (self.cost - self.bound) / self.cost


@dataclass(frozen=True, eq=False)
class PooledCounts:
    """One group of people in pools, counted.

    Attributes
    ----------
    joined
        Leaf, depth -> people in the pool at this depth above the leaf.
    subdomains, cost, bound
        As for :class:`Pooled`.
    """

    joined: ByDepth
    subdomains: dict[int, dict[int, int]]
    cost: float
    bound: float


def pool_people(
    people: People,
    seconds: float = USUAL_SECONDS,
    rule: PoolRule = NO_RULE,
    randomness: Randomness | None = None,
) -> Pooled:
    """Divide people into pools, one per node, each at or above what its members demand.

    Inside the pool of node M the published multiset follows the target given M, so within what a
    member demands it follows the target too (Definition 5.3.1 with the target instead of the
    uniform distribution, papers D5.1). Looks for the least sum of ranges over all divisions into
    groups (Problem 5.4.1 with grouping, papers D5.3).

    First the relaxation of the integer program is rounded; if the program is small enough, its
    optimum is looked for in the time that is left. Of a tree with very many leaves, the upper part
    is solved and carried over. The better of these and of everybody staying
    with their own demand is taken; ``bound`` is what the solver has proven by then.

    Parameters
    ----------
    people
        The group.
    seconds
        Time limit; what is found by then is taken.
    rule
        What pools must leave; people demand as much already.
    randomness
        Chooses among solutions of a few people that are as good; left out, the first is taken.

    Notes
    -----
    Does not protect what lies outside of a person's own node: that the value is inside it is
    public.
    """
    if not len(people.codes):
        return Pooled(np.zeros(0, dtype=np.int32), {}, 0.0, 0.0)
    found = pool_counts(people, seconds, rule, randomness)
    return Pooled(people.assign(found.joined), found.subdomains, found.cost, found.bound)


def pool_counts(
    people: People,
    seconds: float = USUAL_SECONDS,
    rule: PoolRule = NO_RULE,
    randomness: Randomness | None = None,
) -> PooledCounts:
    """Divide people into pools as :func:`pool_people`, without saying who joins which.

    The people may be many of each kind; there must be some.
    """
    if rule.blind:
        cost = pool_costs(people, people.need)
        return PooledCounts(people.need, generalise_pools(people.target, people.need), cost, cost)
    best = best_ways(people, rule)
    if best:
        joined = best[0 if randomness is None else int(randomness.permutation(len(best))[0])]
        cost = pool_costs(people, joined)
        return PooledCounts(joined, generalise_pools(people.target, joined), cost, cost)
    start = time.monotonic()
    if people.target.tree.leaves > MOST_LEAVES:
        solved = [solve_coarsely(people, seconds)]
    else:
        program = PersonalProgram(people)
        solved = [program.relax(seconds)]
        if solved[0].joined is None:
            solved.append(solve_coarsely(people, seconds / 4))
        left = seconds - (time.monotonic() - start)
        if program.variables <= MOST_VARIABLES and left > 0:
            solved.append(program.solve(left))
    joined = min(_candidates(people, solved), key=lambda each: pool_costs(people, each))
    cost = pool_costs(people, joined)
    bound = min(cost, max(each.bound for each in solved))
    if any(each.optimal for each in solved):
        bound = cost
    joined = rule.filled(people.target, joined)
    cost = pool_costs(people, joined)
    return PooledCounts(joined, generalise_pools(people.target, joined), cost, min(bound, cost))


#: People, and ways to put them into pools, up to which all ways are tried.
FEW_PEOPLE, FEW_WAYS = 40, 200


def best_ways(people: People, rule: PoolRule = NO_RULE) -> list[ByDepth]:
    """All ways to put a few people into pools at the least sum of ranges; none if they are many.

    Taking any of them with the same chance tells less of who joined than a solver's own habit.
    """
    need = people.need
    if need.sum() > FEW_PEOPLE:
        return []
    leaves = np.flatnonzero(need.sum(axis=1)).tolist()
    options: list[list[NDArray[np.int64]]] = []
    for leaf in leaves:
        options.append(_rows_at_least(need[leaf]))
        if math.prod(map(len, options)) > FEW_WAYS:
            return []
    least = math.inf
    best: list[ByDepth] = []
    for rows in itertools.product(*options):
        joined = np.zeros_like(need)
        joined[leaves] = rows
        if not rule.allows(people.target, joined):
            continue
        cost = pool_costs(people, joined)
        slack = 1e-9 * max(1.0, abs(cost))
        if cost < least - slack:
            best = []
        if cost <= least + slack:
            best.append(joined)
            least = min(least, cost)
    return best


def _rows_at_least(need: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Numbers of people at each depth of pool, everybody at their demand or above; not too many."""
    everybody = int(need.sum())
    rows: list[tuple[int, ...]] = [()]
    for depth in range(len(need)):
        least = int(need[: depth + 1].sum())
        lowest = least == everybody
        rows = [
            (*row, until - sum(row))
            for row in rows
            for until in ([everybody] if lowest else range(max(least, sum(row)), everybody + 1))
        ]
        if len(rows) > FEW_WAYS:
            break
    return [np.array(row + (0,) * (len(need) - len(row)), np.int64) for row in rows]


def _candidates(people: People, solved: list[Solved]) -> list[ByDepth]:
    return [people.need, *(each.joined for each in solved if each.joined is not None)]


def one_group(people: People) -> Pooled:
    """Algorithm 6: everybody is raised to the largest subdomain that anybody demands around them.

    Optimal if all people are to be one group (Lemma 5.4.1, Theorem 9; papers D5.3, D5.5), which
    then falls apart into one group per largest subdomain. GetBigDomains, which the paper omits, is
    the set of inclusion-maximal demanded nodes (papers D5.10).
    """
    tree = people.target.tree
    demanded = np.zeros(tree.nodes, dtype=bool)
    demanded[people.demanded] = True
    largest = np.full(tree.nodes, -1, dtype=np.int32)
    for node in range(tree.nodes):
        above = int(tree.parent[node])
        inherited = -1 if above < 0 else int(largest[above])
        largest[node] = node if inherited < 0 and demanded[node] else inherited
    pool = largest[tree.leaf_node[people.codes]]
    joined = np.zeros_like(people.need)
    np.add.at(joined, (people.codes, tree.depth[pool]), 1)
    subdomains = generalise_pools(people.target, joined)
    cost = sum(
        float(tree.span[node]) * many for each in subdomains.values() for node, many in each.items()
    )
    return Pooled(pool, subdomains, cost, 0.0)


def groups_by_class(people: People, classes: Iterable[NDArray[np.int64]]) -> list[Pooled]:
    """Algorithm 7: Algorithm 6 for each class of people with equal quasi-identifiers.

    Parameters
    ----------
    people
        Everybody.
    classes
        Rows of each class.
    """
    return [
        one_group(People(people.target, people.codes[rows], people.demanded[rows]))
        for rows in classes
    ]
