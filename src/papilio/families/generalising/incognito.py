"""Incognito: all minimal full-domain generalisations, and the one of them that loses least.

Source: LeFevre, DeWitt, Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005.

A generalisation is a vector of levels, one a column. Three properties (section 3 of the paper) save
the search from counting classes for most vectors:

generalisation
    If a vector is acceptable, so is every vector above it: its classes are unions of classes.
subset
    If a vector is acceptable, it is so on every subset of the columns, for the same reason. What
    fails on a subset fails on all columns.
rollup
    The classes of a vector are counted from those of any vector below it.

Columns at their root do not tell rows apart. So a subset of the columns at some levels is the
vector that has these levels and the root elsewhere, and the paper's lattices of all subsets are one
lattice: that of the vectors of all columns. A vector belongs to the subset of the columns that it
does not generalise to the root. Subsets are searched before their supersets, in each subset from
low to high, and a vector is looked at only if raising any of its columns to the root gives an
acceptable one.

The frequency set from which the search in a subset starts is counted from that of a superset with
one column more (the paper's Cube Incognito), but only where it is needed and only as long as it is:
of the subsets, numbered as binary numbers, M comes from M | (M + 1), and at no time more of these
sets are kept than there are columns.

Rows left out. A vector is acceptable if no more than the given share of the rows is in classes that
do not meet the demand; these are left out. For k-anonymity and distinct l-diversity all three
properties still hold: a class that meets them does so with any more rows. For other demands, and
for any over people, it may not (``monotone_with_suppression``); only the size of classes is then
searched as above, and of the vectors that pass all are tested from low to high, except those above
one that is acceptable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.hierarchy.tree import Hierarchy
from papilio.errors import DataError, InfeasibleError
from papilio.families.generalising.full_domain import FullDomain, Vector, trees_of
from papilio.families.generalising.full_domain_check import (
    Accepted,
    FrequencySet,
    Metric,
    Question,
    accept,
    accept_rows,
    big_enough,
    choose_levels,
    classes_at,
    question,
    roll_up,
)
from papilio.kernels.demand import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    KIND,
    LINE,
    PEOPLE,
    RECURSIVE,
    TREE,
    Demand,
    class_meets,
    only_rule,
)
from papilio.kernels.incognito import lines_meet

#: The lattice is held in memory, one byte a vector and a few more while it is searched.
LARGEST_LATTICE = 2**25


_NAMES = {
    PEOPLE: "k-anonymity over people",
    DISTINCT: "distinct l-diversity",
    ENTROPY: "entropy l-diversity",
    RECURSIVE: "recursive (c,l)-diversity",
    EQUAL: "t-closeness",
    LINE: "t-closeness",
    TREE: "t-closeness",
}


@dataclass(frozen=True, eq=False)
class _Search:
    """What is known so far; arrays, lists and dictionaries change as the search goes on.

    Attributes
    ----------
    asked
        The table and the demand.
    size_only
        Whether nothing but the sizes of classes is looked at.
    order
        Columns in the order in which subsets number them: those with many values last, so that
        half of the subsets do without the largest column.
    good
        Vector -> whether it is acceptable; final for subsets that have been searched.
    low
        Level of each column below which nothing is acceptable.
    start
        Subset -> its frequency set at the levels ``low``.
    accepted
        Vectors that were found acceptable, not by deduction; all minimal ones are among them.
    counted
        Vectors whose classes were counted.
    """

    asked: Question
    size_only: bool
    order: tuple[int, ...]
    good: NDArray[np.bool_]
    low: list[int]
    start: dict[int, FrequencySet] = field(default_factory=dict)
    accepted: dict[Vector, Accepted] = field(default_factory=dict)
    counted: set[Vector] = field(default_factory=set)


def incognito(
    table: EncodedTable,
    demand: Demand,
    *,
    suppress: float | Fraction = 0,
    metric: Metric = "ncp",
    monotone_with_suppression: bool = False,
    weights: NDArray[np.int64] | None = None,
) -> FullDomain:
    """Generalise whole columns as little as possible so that every class meets the demand.

    The result does not depend on the order of the rows, except for the order of the classes.

    Parameters
    ----------
    table
        The quasi-identifiers. Columns without a hierarchy are published as they are or as ``*``;
        see :func:`papilio.data.hierarchy.build.flat`.
    demand
        What each class must satisfy. If two disjoint classes do, so must their union.
    suppress
        Share of the rows that may be left out, at least 0 and below 1; of n rows, floor(share n).
        A decimal number counts as it is written.
    metric
        How one of the minimal vectors is chosen; see
        :mod:`papilio.families.generalising.full_domain_check`. Where rows are left out, a
        vector that is not minimal may lose less, because it may leave out fewer.
    monotone_with_suppression
        Whether a class that satisfies the demand does so with any more rows. Saying no is always
        right, and slower where rows may be left out and more than a size is demanded.
    weights
        How many rows each row of the table stands for, if not for one: what is found is then that
        of a table which has each row so often.

    Raises
    ------
    InfeasibleError
        If no vector is acceptable.
    DataError
        If there are more than 2**25 vectors, or a value cannot be told from a root.
    ValueError
        If ``suppress`` is no share.

    Notes
    -----
    Cost: one pass over the rows, then for every vector counted one pass over the classes of a
    finer vector. If more than a size is demanded, also one over the rows for each vector whose
    classes are big enough. Memory: the distinct rows, and a few bytes for each vector.
    """
    height = table.height if weights is None else int(weights.sum())
    spare = _spare(suppress, height)
    trees = trees_of(table)
    lattice = _lattice(trees)
    beyond = len(demand.rules) > 0
    asked = question(table, trees, demand, beyond_size=beyond, spare=spare, weights=weights)
    in_two_steps = asked.beyond_size and spare > 0 and not monotone_with_suppression
    search = _search(asked, size_only=in_two_steps)
    accepted = _test_upwards(search) if in_two_steps else _minimal(search)
    if not accepted:
        raise _infeasible(asked)
    levels = choose_levels(asked, accepted, metric)
    classes = classes_at(asked, levels)
    return FullDomain(
        levels=levels,
        minimal=tuple(sorted(accepted, key=lambda vector: (sum(vector), vector))),
        classes=classes,
        suppressed=height - (len(classes.rows) if weights is None else weights[classes.rows].sum()),
        checked=len(search.counted),
        lattice=lattice,
    )


def _spare(suppress: float | Fraction, rows: int) -> int:
    share = Fraction(str(suppress))
    if not 0 <= share < 1:
        raise ValueError("suppress must be a share of at least 0 and below 1")
    return math.floor(share * rows)


def _lattice(trees: Sequence[Hierarchy]) -> int:
    size = math.prod(tree.height + 1 for tree in trees)
    if size > LARGEST_LATTICE:
        raise DataError(
            f"the hierarchies of the quasi-identifiers have {size} combinations of levels; up to "
            f"{LARGEST_LATTICE} are accepted: fewer quasi-identifiers, or fewer levels",
            reason="lattice-too-large",
        )
    return size


def _search(asked: Question, *, size_only: bool) -> _Search:
    """Find out which vectors are acceptable, subset after subset."""
    top, values = asked.top, asked.levels.size[:, 0]
    order = tuple(sorted(range(len(top)), key=lambda column: (values[column], column)))
    good = np.zeros(tuple(level + 1 for level in top), np.bool_)
    search = _Search(asked, size_only, order, good, [0] * len(top))
    root = roll_up(asked, asked.every, (), ())
    if not _test(search, root, (), ()):
        return search
    good[top] = True
    alive = [_search_subset(search, 1 << place) for place in range(len(top))]
    for column in range(len(top)):
        alone = tuple(slice(None) if each == column else top[each] for each in range(len(top)))
        search.low[column] = int(good[alone].argmax())
    # A subset without an acceptable vector has no superset with one, so only others are extended.
    subsets: list[int] = []
    for place in range(len(top)):
        if alive[place]:
            larger = (subset | 1 << place for subset in subsets)
            subsets += [1 << place, *filter(partial(_search_subset, search), larger)]
    return search


def _search_subset(search: _Search, subset: int) -> bool:
    """Search the vectors that raise exactly the columns outside a subset to the root.

    Returns whether any is acceptable.
    """
    columns = _columns(search, subset)
    candidates = _candidates(search, columns)
    if not candidates.any():
        return False
    found = np.zeros_like(candidates)
    lowest = _meet(candidates)
    start = roll_up(search.asked, _start(search, subset), columns, lowest)
    failed: dict[Vector, FrequencySet] = {}
    for at in _ascending(candidates, found):
        nearest = _nearest(failed, at, start)
        classes = start if at == lowest else roll_up(search.asked, nearest, columns, at)
        if _test(search, classes, columns, at):
            found[_upwards(at)] = True
        else:
            failed[at] = classes
    search.good[_region(search, columns)] = found
    for done in [known for known in search.start if known <= subset]:
        del search.start[done]
    return bool(found.any())


def _columns(search: _Search, subset: int) -> tuple[int, ...]:
    """Columns of a subset, ascending."""
    return tuple(sorted(c for place, c in enumerate(search.order) if subset >> place & 1))


def _region(search: _Search, columns: Sequence[int]) -> tuple[int | slice, ...]:
    """Place in ``good`` of the vectors that raise exactly the other columns to the root."""
    top = search.asked.top
    return tuple(
        slice(0, level) if column in columns else level for column, level in enumerate(top)
    )


def _candidates(search: _Search, columns: Sequence[int]) -> NDArray[np.bool_]:
    """Whether all that a vector becomes when one more column is raised to the root is good."""
    region = _region(search, columns)
    candidates = np.ones(search.good[region].shape, np.bool_)
    for axis, column in enumerate(columns):
        raised = (*region[:column], search.asked.top[column], *region[column + 1 :])
        candidates &= np.expand_dims(search.good[raised], axis)
    return candidates


def _meet(candidates: NDArray[np.bool_]) -> Vector:
    """Lowest level of any candidate, for each column."""
    axes = range(candidates.ndim)
    return tuple(
        int(candidates.any(axis=tuple(other for other in axes if other != axis)).argmax())
        for axis in axes
    )


def _start(search: _Search, subset: int) -> FrequencySet:
    """Frequency set of a subset at the lowest levels that matter."""
    asked, columns = search.asked, _columns(search, subset)
    if len(columns) == 1:
        return asked.every
    if subset not in search.start:
        whole = len(columns) == len(asked.top)
        finer = asked.every if whole else _start(search, subset | (subset + 1))
        lowest = [search.low[column] for column in columns]
        search.start[subset] = roll_up(asked, finer, columns, lowest)
    return search.start[subset]


def _ascending(vectors: NDArray[np.bool_], found: NDArray[np.bool_]) -> Iterator[Vector]:
    """Vectors by height, then by their levels, without those that have been found by then."""
    flat = np.flatnonzero(vectors)
    levels = np.indices(vectors.shape, dtype=np.int32, sparse=True)
    heights = reduce(np.add, levels).ravel()[flat]
    by_height = np.argsort(heights, kind="stable")
    flat, steps = flat[by_height], np.flatnonzero(np.diff(heights[by_height])) + 1
    for part in np.split(flat, steps):
        # Of two vectors of the same height none is above the other, so none finds the other.
        left = np.unravel_index(part[~found.ravel()[part]], vectors.shape)
        yield from zip(*(axis.tolist() for axis in left), strict=True)


def _nearest(
    failed: Mapping[Vector, FrequencySet], at: Vector, start: FrequencySet
) -> FrequencySet:
    """Smallest known frequency set among those one level below, or that of the start."""
    below = (failed.get((*at[:axis], level - 1, *at[axis + 1 :])) for axis, level in enumerate(at))
    known = [start, *(classes for classes in below if classes is not None)]
    return min(known, key=lambda classes: len(classes.members))


def _test(search: _Search, classes: FrequencySet, columns: Sequence[int], at: Vector) -> bool:
    """Whether the columns at these levels, and the others at their root, are acceptable."""
    levels = list(search.asked.top)
    for column, level in zip(columns, at, strict=True):
        levels[column] = level
    search.counted.add(tuple(levels))
    if search.size_only:
        return big_enough(search.asked, classes)
    accepted = accept(search.asked, classes, columns, at)
    if accepted is not None:
        search.accepted[tuple(levels)] = accepted
    return accepted is not None


def _upwards(at: Vector) -> tuple[slice, ...]:
    return tuple(slice(level, None) for level in at)


def _minimal(search: _Search) -> dict[Vector, Accepted]:
    """Acceptable vectors that stand above no other, given that all above one are acceptable."""
    good = search.good
    return {
        levels: accepted
        for levels, accepted in search.accepted.items()
        if not any(
            level and good[(*levels[:column], level - 1, *levels[column + 1 :])]
            for column, level in enumerate(levels)
        )
    }


def _test_upwards(search: _Search) -> dict[Vector, Accepted]:
    """Acceptable vectors that stand above no other, among those whose classes are big enough."""
    minimal: dict[Vector, Accepted] = {}
    found = np.zeros_like(search.good)
    for levels in _ascending(search.good, found):
        search.counted.add(levels)
        accepted = accept_rows(search.asked, range(len(levels)), levels)
        if accepted is not None:
            minimal[levels] = accepted
            found[_upwards(levels)] = True
    return minimal


def _infeasible(asked: Question) -> InfeasibleError:
    """Say what fails where even one class of all rows does, which is the case here."""
    rows, least = asked.rows, asked.demand.least_size
    if rows < least:
        return InfeasibleError(
            f"every class must have at least {least} rows, and the table has {rows}",
            reason="too-few-rows",
            nearest=f"classes of up to {rows} rows can be met",
        )
    unmet = " and ".join(_unmet(asked))
    return InfeasibleError(
        f"no levels of the quasi-identifiers meet {unmet}; not even one class of all rows does",
        reason="no-levels",
        nearest=f"classes of at least {least} rows alone can be met",
    )


def _unmet(asked: Question) -> list[str]:
    """Names of the demands that all rows as one class do not meet, each once."""
    demand, every = asked.demand, np.arange(len(asked.distinct), dtype=np.int32)
    kinds = (
        int(demand.rules[rule, KIND])
        for rule in range(len(demand.rules))
        for each in [only_rule(demand, rule)]
        if not (
            class_meets(each, every)
            if asked.weights is None
            else lines_meet(each, every, asked.weights, asked.rows)
        )
    )
    return list(dict.fromkeys(_NAMES[kind] for kind in kinds))
