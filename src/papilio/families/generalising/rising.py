r"""Rising levels: what shares the nodes of trees, from fine to coarse, becomes classes.

A *vector* says on which level of its tree each column stands. Vectors are taken in rising order of
what they cost on the rows that wait, by NCP,

.. math:: \sum_{r \in W} \sum_c \mathrm{width}(\mathrm{node}_c(r, v_c))

For each, the rows that wait are grouped by their nodes; every group that meets the demand becomes a
class, and the others wait for the next vector. Groups that lack sensitive values may borrow rows;
rules in :mod:`papilio.kernels.rising`. Cells are the smallest nodes over each class, as after any
method, and may lie below those of the vector.

This is our own. ARX recodes locally by running its search for one vector of the whole table again
on the rows that it left out (Prasser, Eicher, Spengler, Bild, Kuhn, "Flexible data anonymization
using ARX", Software: Practice and Experience, 2020): a vector is good for it if most rows can stay.
Here no vector is chosen; each gives classes wherever it can, so that what is common stays fine and
what is rare pays for itself.

Vectors. They are listed column after column. Of more than ``_MOST`` in between those are kept that
join most: costs are cut into bands of equal width, and of each band those remain for which the sum
of the entropies of the columns is least, an upper bound on the entropy of all of them together and
so on the number of groups. The vector of all values and that of all roots always remain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, attributes_of
from papilio.errors import InfeasibleError
from papilio.families.classes import Classes
from papilio.kernels.attributes import RANGE
from papilio.kernels.bottom_up import join_rest
from papilio.kernels.boxes import shape_of
from papilio.kernels.demand import COLUMN, SIZE, Demand, class_meets
from papilio.kernels.rising import ROWS, WAITING, Lending, Standing, Words, rise
from papilio.randomness import Randomness

#: Most vectors, and the fewest that are kept however many rows there are; in between as many as
#: take so many looks at an item if none ever found its class.
_MOST, _FEWEST, _LOOKS = 10_000, 500, 400_000_000
#: Bands of costs.
_BANDS = 128
#: Vectors are put in order anew when so many of the rows wait that waited before.
_ANEW = 0.9
#: Numbers without a tree stand in one of so many equal parts of their range, level after level.
_PARTS = (32, 16, 8, 4, 2)
#: Packed codes of a row stay below this.
_PACKED = 2.0**62
#: Odd constants that spread node numbers over words (Steele, Lea, Flood, OOPSLA 2014, splitmix64).
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
#: Columns whose nodes are told apart.
_COLUMNS = 1 << 20


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of a column from its values to everything, but for those that join nothing more.

    Attributes
    ----------
    node
        A line for each level: the node over each code.
    width
        How wide it is.
    """

    node: NDArray[np.int64]
    width: NDArray[np.float64]


def rising(
    table: EncodedTable, demand: Demand, randomness: Randomness, *, suppress: float | Fraction = 0
) -> Classes:
    """Divide a table into classes that each meet the demand.

    Classes do not depend on the order of the rows; among equal rows with the same sensitive value
    chance decides which is lent.

    Parameters
    ----------
    table
        The quasi-identifiers. Numbers and dates without a tree stand in parts of their range,
        other columns without one are their values or anything.
    demand
        What each class must satisfy.
    randomness
        Decides between rows that are equal.
    suppress
        Share of the rows that may be left out: those that wait when no more than that do, which
        are the ones that would lose most. Without it the whole table must meet the demand.

    Raises
    ------
    InfeasibleError
        If rows remain that no classes can take.

    Notes
    -----
    Cost: a sort of the rows, then O(w d) for each of at most 10,000 vectors while w distinct rows
    wait; of d columns with h levels each there are h**d.
    """
    shape = shape_of(attributes_of(table))
    levels = levels_of(table)
    order, first = _sorted(table, randomness.keys(table.height) if len(demand.rules) else None)
    standing, lending = _standing(table, order, first), _lending(demand, order)
    about = _in_order(demand, order)
    spare = math.floor(Fraction(str(suppress)) * table.height)
    _rise(standing, levels, about, lending, spare)
    places, starts, settled = _grouped(standing, spare)
    if settled < len(starts) - 1:
        into = join_rest(standing.codes, standing.item, places, starts, settled, shape, about)
        places, starts = _joined(places, starts, into)
        _check(places, starts, about)
    return Classes(order[places], starts)


def levels_of(table: EncodedTable) -> tuple[Levels, ...]:
    """The levels of each column, by its tree if it has one."""
    attributes = attributes_of(table)
    begins, sizes = attributes.position_start, attributes.size
    return tuple(
        _levels(column, attributes.position[begins[place] : begins[place] + sizes[place]])
        for place, column in enumerate(table.columns)
    )


def _levels(column: EncodedColumn, position: NDArray[np.float64]) -> Levels:
    if column.hierarchy is not None:
        node = column.hierarchy.levels.astype(np.int64)
        return _different(node, column.hierarchy.loss[node])
    every = np.arange(len(column.values), dtype=np.int64)
    nodes, widths = [every], [np.zeros(len(every))]
    for parts in _PARTS if column.kind == RANGE else ():
        inside = np.minimum((position * parts).astype(np.int64), parts - 1)
        nodes.append(np.where(position < 0, -1, inside))
        widths.append(np.where(position < 0, 0.0, 1 / parts))
    root, whole = np.zeros(len(every), np.int64), np.ones(len(every))
    return _different(np.stack([*nodes, root]), np.stack([*widths, whole]))


def _different(node: NDArray[np.int64], width: NDArray[np.float64]) -> Levels:
    kept, nodes = [0], len(np.unique(node[0]))
    for level in range(1, len(node)):
        fewer = len(np.unique(node[level]))
        if fewer < nodes:
            kept.append(level)
            nodes = fewer
    return Levels(node[kept], width[kept])


def _sorted(
    table: EncodedTable, keys: NDArray[np.uint64] | None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rows by their codes, equal ones by their keys, and where each distinct row begins."""
    columns = [table.codes[:, place] for place in range(len(table.columns))]
    sizes = [int(codes.max(initial=0)) + 1 for codes in columns]
    lines: list[NDArray[np.int64]] = []
    room = 0.0
    for codes, size in zip(columns, sizes, strict=True):
        if not lines or room * size >= _PACKED:
            lines.append(codes.astype(np.int64))
            room = float(size)
        else:
            lines[-1] = lines[-1] * size + codes
            room *= size
    if keys is None and len(lines) == 1:
        order = np.argsort(lines[0], kind="stable")
    else:
        order = np.lexsort(([] if keys is None else [keys]) + lines[::-1])
    begins = np.zeros(table.height, np.bool_)
    begins[:1] = True
    for line in lines:
        begins[1:] |= line[order[1:]] != line[order[:-1]]
    first = np.append(np.flatnonzero(begins), table.height).astype(np.int64)
    return order.astype(np.int32), first


def _standing(table: EncodedTable, order: NDArray[np.int32], first: NDArray[np.int64]) -> Standing:
    rows, items = len(order), len(first) - 1
    every = np.arange(items, dtype=np.int32)
    return Standing(
        codes=table.codes[order[first[:-1]]],
        first=first,
        item=np.repeat(every, np.diff(first)),
        waiting=every.copy(),
        class_of=np.full(rows, -1, np.int32),
        numbers=np.array([items, rows, 0, 0], np.int64),
    )


def _lending(demand: Demand, order: NDArray[np.int32]) -> Lending:
    """Chains of the rows of classes, and how often each sensitive value occurs."""
    rows = len(order) if len(demand.rules) else 0
    sizes = np.zeros(demand.sensitive.shape[1], np.int64)
    for rule in demand.rules:
        sizes[rule[COLUMN]] = rule[SIZE]
    counts = [
        np.bincount(demand.sensitive[order, column], minlength=size)
        for column, size in enumerate(sizes.tolist())
    ]
    ends = np.cumsum([len(each) for each in counts], dtype=np.int64)
    return Lending(
        head=np.full(rows, -1, np.int32),
        size=np.zeros(rows, np.int64),
        after=np.full(rows, -1, np.int32),
        before=np.full(rows, -1, np.int32),
        lenders=np.empty(rows, np.int32),
        spent=np.zeros(rows, np.bool_),
        frequency=np.concatenate([*counts, np.empty(0, np.int64)]).astype(np.int64),
        offset=np.concatenate([np.zeros(1, np.int64), ends]),
    )


def _in_order(demand: Demand, order: NDArray[np.int32]) -> Demand:
    """The same demand about rows in another order."""
    if not len(demand.rules):
        return demand
    whole = max(demand.total, len(demand.sensitive))
    return demand._replace(sensitive=np.ascontiguousarray(demand.sensitive[order]), total=whole)


def _rise(
    standing: Standing, levels: tuple[Levels, ...], demand: Demand, lending: Lending, spare: int
) -> None:
    """Take the vectors in rising order, which is found anew while fewer and fewer rows wait."""
    held = _held(standing, levels)
    most = int(np.clip(_LOOKS // len(standing.codes), _FEWEST, _MOST))
    vectors = vectors_of(_costs(levels, held), _entropies(levels, held), most)
    words = _words(levels)
    while len(vectors) and standing.numbers[ROWS] > spare:
        costs = _costs(levels, _held(standing, levels))
        cost = np.zeros(len(vectors))
        for column, each in enumerate(costs):
            cost += each[vectors[:, column]]
        vectors = vectors[np.argsort(cost, kind="stable")]
        enough = max(spare, int(standing.numbers[ROWS] * _ANEW))
        vectors = vectors[rise(standing, vectors, words, demand, lending, enough) :]


def _held(standing: Standing, levels: tuple[Levels, ...]) -> list[NDArray[np.float64]]:
    """How many of the rows that wait have each code, for each column."""
    items = standing.waiting[: standing.numbers[WAITING]]
    rows = (standing.first[items + 1] - standing.first[items]).astype(np.float64)
    return [
        np.bincount(standing.codes[items, column], rows, each.node.shape[1]).astype(np.float64)
        for column, each in enumerate(levels)
    ]


def _costs(
    levels: tuple[Levels, ...], held: Sequence[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    """Width of the nodes on each level of each column, summed over the rows that wait."""
    return [each.width @ counts for each, counts in zip(levels, held, strict=True)]


def _entropies(
    levels: tuple[Levels, ...], held: Sequence[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    """Entropy of the nodes on each level of each column."""
    return [
        np.array([_entropy(node - node.min(), counts) for node in each.node])
        for each, counts in zip(levels, held, strict=True)
    ]


def _entropy(node: NDArray[np.int64], counts: NDArray[np.float64]) -> float:
    rows = np.bincount(node, counts)
    shares = rows[rows > 0] / rows.sum()
    return float(-(shares * np.log(shares)).sum())


def vectors_of(
    costs: Sequence[NDArray[np.float64]], entropies: Sequence[NDArray[np.float64]], most: int
) -> NDArray[np.int8]:
    """List the vectors, or of too many those that join most at their cost.

    Parameters
    ----------
    costs, entropies
        Of each level of each column.
    most
        How many may be returned, about.

    Notes
    -----
    Cost: O(most h log) for each column of h levels.
    """
    cost, entropy = np.zeros(1), np.zeros(1)
    vectors = np.zeros((1, 0), np.int8)
    for more, spread in zip(costs, entropies, strict=True):
        level = np.tile(np.arange(len(more), dtype=np.int8), len(vectors))
        vectors = np.column_stack([np.repeat(vectors, len(more), axis=0), level])
        cost = np.add.outer(cost, more).ravel()
        entropy = np.add.outer(entropy, spread).ravel()
        if len(vectors) > most:
            kept = _joining_most(cost, entropy, most)
            vectors, cost, entropy = vectors[kept], cost[kept], entropy[kept]
    return vectors


def _joining_most(
    cost: NDArray[np.float64], entropy: NDArray[np.float64], most: int
) -> NDArray[np.int64]:
    """Of each band of costs those of least entropy, equally many; and the first and the last."""
    top = float(cost.max()) or 1.0
    band = np.minimum((cost / top * _BANDS).astype(np.int64), _BANDS - 1)
    order = np.lexsort((entropy, band))
    sizes = np.bincount(band, minlength=_BANDS)
    rank = np.arange(len(order)) - (np.cumsum(sizes) - sizes)[band[order]]
    low, high = 1, int(sizes.max())
    while low < high:
        middle = (low + high + 1) // 2
        fits = int(np.minimum(sizes, middle).sum()) <= most
        low, high = (middle, high) if fits else (low, middle - 1)
    kept = np.zeros(len(order), np.bool_)
    kept[order[rank < low]] = True
    kept[[0, -1]] = True
    return np.flatnonzero(kept)


def _words(levels: tuple[Levels, ...]) -> Words:
    """A word for each node of each column."""
    sizes = np.array([each.node.shape[1] for each in levels], np.int64)
    ends = np.cumsum([each.node.size for each in levels], dtype=np.int64)
    start = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    words = [
        _spread((each.node - each.node.min()).ravel() * _COLUMNS + column + 1)
        for column, each in enumerate(levels)
    ]
    return Words(np.concatenate(words), start, sizes)


def _spread(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    word = numbers.astype(np.uint64) * np.uint64(_STEP)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_FIRST)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_SECOND)
    return word ^ (word >> np.uint64(31))


def _grouped(standing: Standing, spare: int) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
    """Rows class after class, then those that wait item after item, unless they may be left out."""
    label = standing.class_of.astype(np.int64)
    settled = int(label.max(initial=-1)) + 1
    waits = label < 0
    if standing.numbers[ROWS] <= spare:
        label[waits] = -1
    else:
        label[waits] = settled + standing.item[waits]
    places = np.argsort(label, kind="stable")[np.count_nonzero(label < 0) :]
    starts = np.flatnonzero(np.diff(label[places], prepend=-1))
    return places.astype(np.int32), np.append(starts, len(places)).astype(np.int64), settled


def _joined(
    places: NDArray[np.int32], starts: NDArray[np.int64], into: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    group = np.repeat(into, np.diff(starts))
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    return places[order], np.append(begins, len(places)).astype(np.int64)


def _check(places: NDArray[np.int32], starts: NDArray[np.int64], demand: Demand) -> None:
    """Refuse a class that does not meet the demand, which is then one of all rows."""
    if not all(class_meets(demand, places[a:b]) for a, b in pairwise(starts)):
        raise InfeasibleError(
            "not even one class of all rows meets what is demanded of each",
            reason="no-classes",
            nearest=f"classes of at least {demand.least_size} rows alone can be met",
        )
