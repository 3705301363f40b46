"""Personal levels: the pools people join so that the sum of ranges is least (chapter 5)."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.disguise.methods.coarse_pools import solve_coarsely
from papilio.families.disguise.methods.personal_program import PersonalProgram, Solved
from papilio.families.disguise.methods.pools import ByDepth, People, generalise_pools, pool_costs

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


def pool_people(people: People, seconds: float = USUAL_SECONDS) -> Pooled:
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

    Notes
    -----
    Does not protect what lies outside of a person's own node: that the value is inside it is
    public.
    """
    if not len(people.codes):
        return Pooled(np.zeros(0, dtype=np.int32), {}, 0.0, 0.0)
    found = pool_counts(people, seconds)
    return Pooled(people.assign(found.joined), found.subdomains, found.cost, found.bound)


def pool_counts(people: People, seconds: float = USUAL_SECONDS) -> PooledCounts:
    """Divide people into pools as :func:`pool_people`, without saying who joins which.

    The people may be many of each kind; there must be some.
    """
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
    return PooledCounts(joined, generalise_pools(people.target, joined), cost, bound)


def _candidates(people: People, solved: list[Solved]) -> list[ByDepth]:
    return [people.need, *(each.joined for each in solved if each.joined is not None)]
