"""Frequency sets of full-domain generalisation: count classes, and merge them level by level.

A *frequency set* says which combinations of nodes occur and in how many rows. Here it is two
arrays: ``members``, one distinct row for each class, and ``counts``. The nodes of a class are those
of its member, so a class costs twelve bytes whatever the number of columns, and a coarser set is
computed from a finer one without a look at the rows (LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005,
section 3.1: the rollup property).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.codes import Codes
from papilio.kernels.count_values import sort_numbers
from papilio.kernels.demand import COLUMN, SIZE, Demand, class_meets, rule_holds
from papilio.kernels.jit import kernel

#: A table with a place for every combination is used up to this many places per class.
_PLACES = 4
#: Below 2**31, so that a remainder times the number of groups of a column stays below 2**62.
_PRIME = 2_147_483_629
_LOW_WORD = 0xFFFFFFFF
_SPREAD_LOW = 0x2E3779B1
_SPREAD_HIGH = 0x45EBCA77


class Levels(NamedTuple):
    """What each code of each column becomes at each level.

    Attributes
    ----------
    group
        Numbers of groups. Code ``x`` of column ``c`` falls at level ``l`` into the group
        ``group[start[c, l] + x]``.
    spread
        In the same order: leaves under the node that stands for the code, less one.
    start
        Where the entries of a column at a level start in ``group`` and ``spread``.
    size
        How many groups a column has at a level; they are numbered from 0.
    """

    group: NDArray[np.int32]
    spread: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]


@kernel
def _keys(
    codes: Codes,
    members: NDArray[np.int32],
    columns: NDArray[np.int64],
    at: NDArray[np.int64],
    levels: Levels,
    exact: bool,
) -> NDArray[np.int64]:
    """Combinations of groups as numbers: all their digits if ``exact``, else a hash of them."""
    keys = np.zeros(len(members), np.int64)
    for place in range(len(columns)):
        column = columns[place]
        size = levels.size[column, at[place]]
        if size == 1:
            continue
        group = levels.group[levels.start[column, at[place]] :]
        for index in range(len(members)):
            key = keys[index] * size + group[codes[members[index], column]]
            keys[index] = key if exact else key % _PRIME
    return keys


@kernel
def _agree(
    codes: Codes,
    one: int,
    other: int,
    columns: NDArray[np.int64],
    at: NDArray[np.int64],
    levels: Levels,
) -> bool:
    """Whether two rows fall into the same groups."""
    for place in range(len(columns)):
        column = columns[place]
        start = levels.start[column, at[place]]
        if levels.group[start + codes[one, column]] != levels.group[start + codes[other, column]]:
            return False
    return True


@kernel
def merge_classes(
    codes: Codes,
    members: NDArray[np.int32],
    counts: NDArray[np.int64],
    columns: NDArray[np.int64],
    at: NDArray[np.int64],
    levels: Levels,
    combinations: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Roll a frequency set up to the given columns and levels.

    Parameters
    ----------
    codes
        Distinct rows.
    members, counts
        The finer frequency set.
    columns, at
        The columns that are looked at, and the level of each.
    levels
        What codes become.
    combinations
        How many combinations of groups there are on these columns and levels; 0 if the number does
        not fit into 62 bits. Combinations are then told apart by comparing rows.

    Returns
    -------
    which
        Class of each class of the finer set.
    members, counts
        The coarser frequency set, in order of first appearance.

    Notes
    -----
    Cost: one table lookup a column and one probe for each class of the finer set. Where there are
    few combinations, the table has a place for each and nothing is hashed.
    """
    exact = combinations > 0
    direct = exact and combinations <= _PLACES * len(members) + 64
    places = 64
    while not direct and places < 2 * len(members):
        places *= 2
    keys = _keys(codes, members, columns, at, levels, exact)
    table = np.full(combinations if direct else places, -1, np.int32)
    which = np.empty(len(members), np.int32)
    first = np.empty(len(members), np.int32)
    total = np.zeros(len(members), np.int64)
    found = 0
    for index in range(len(members)):
        key = keys[index]
        place = key
        if not direct:
            mixed = (key & _LOW_WORD) * _SPREAD_LOW + (key >> 32) * _SPREAD_HIGH
            place = (mixed ^ (mixed >> 23)) & (places - 1)
            while table[place] >= 0:
                # Keys are moved to the front as classes are found, each not behind its first row.
                number = table[place]
                if keys[number] == key and (
                    exact or _agree(codes, members[index], first[number], columns, at, levels)
                ):
                    break
                place = (place + 1) & (places - 1)
        number = table[place]
        if number < 0:
            number = found
            table[place] = number
            first[number] = members[index]
            keys[number] = key
            found += 1
        which[index] = number
        total[number] += counts[index]
    return which, first[:found].copy(), total[:found].copy()


@kernel
def rows_below(counts: NDArray[np.int64], least: int) -> int:
    """Rows in classes of fewer than ``least`` rows."""
    rows = np.int64(0)
    for count in counts:
        if count < least:
            rows += count
    return int(rows)


@kernel
def rows_by_class(
    which: NDArray[np.int32], distinct: NDArray[np.int32], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Row numbers class after class, ascending in each.

    Parameters
    ----------
    which
        Class of each distinct row.
    distinct
        Distinct row each row equals.
    counts
        Rows of each class.

    Returns
    -------
    rows, starts
        The rows of class ``c`` are ``rows[starts[c] : starts[c + 1]]``.
    """
    starts = np.zeros(len(counts) + 1, np.int64)
    for number in range(len(counts)):
        starts[number + 1] = starts[number] + counts[number]
    place = starts[:-1].copy()
    rows = np.empty(len(distinct), np.int32)
    for row in range(len(distinct)):
        number = which[distinct[row]]
        rows[place[number]] = row
        place[number] += 1
    return rows, starts


@kernel
def classes_met(
    demand: Demand, rows: NDArray[np.int32], starts: NDArray[np.int64], spare: int
) -> tuple[NDArray[np.bool_], int]:
    """Which classes satisfy the demand, and how many rows are in the others.

    Stops as soon as these are more than ``spare``; classes not looked at then count as unmet.
    """
    met = np.zeros(len(starts) - 1, np.bool_)
    unmet = np.int64(0)
    for number in range(len(met)):
        members = rows[starts[number] : starts[number + 1]]
        if class_meets(demand, members):
            met[number] = True
        else:
            unmet += len(members)
            if unmet > spare:
                break
    return met, int(unmet)


@kernel
def _weighed_values(
    demand: Demand, lines: NDArray[np.int32], weights: NDArray[np.int64], rule: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes of a rule's column that occur in some lines, ascending, and how often each does."""
    column, size = demand.rules[rule, COLUMN], demand.rules[rule, SIZE]
    many = len(lines)
    distinct = 0
    if size <= 8 * many:
        values = np.empty(size, np.int64)
        counts = np.zeros(size, np.int64)
        for line in lines:
            counts[demand.sensitive[line, column]] += weights[line]
        for code in range(size):
            if counts[code] > 0:
                values[distinct] = code
                counts[distinct] = counts[code]
                distinct += 1
        return values[:distinct], counts[:distinct]
    values = np.empty(many, np.int64)
    counts = np.zeros(many, np.int64)
    keys = np.empty(many, np.int64)
    for place in range(many):
        # The place goes along, below 2**31.
        keys[place] = (np.int64(demand.sensitive[lines[place], column]) << 31) | place
    sort_numbers(keys)
    for key in keys:
        value = key >> 31
        if distinct == 0 or values[distinct - 1] != value:
            values[distinct] = value
            distinct += 1
        counts[distinct - 1] += weights[lines[key & 0x7FFFFFFF]]
    return values[:distinct], counts[:distinct]


@kernel
def lines_meet(
    demand: Demand, lines: NDArray[np.int32], weights: NDArray[np.int64], total: int
) -> bool:
    """As :func:`papilio.kernels.demand.class_meets`, of lines that stand for several rows each.

    Parameters
    ----------
    demand
        What is demanded; ``sensitive`` has the codes of each line.
    lines
        The lines of the class.
    weights
        How many rows each line of the table stands for.
    total
        Rows of the whole table.
    """
    many = np.int64(0)
    for line in lines:
        many += weights[line]
    if many < demand.least_size:
        return False
    if many == 0:
        return True
    for rule in range(len(demand.rules)):
        values, counts = _weighed_values(demand, lines, weights, rule)
        if not rule_holds(demand, rule, values, counts, int(many), total):
            return False
    return True


@kernel
def weighed_classes_met(
    demand: Demand,
    lines: NDArray[np.int32],
    starts: NDArray[np.int64],
    weights: NDArray[np.int64],
    total: int,
    spare: int,
) -> tuple[NDArray[np.bool_], int]:
    """As :func:`classes_met`, of lines that stand for several rows each."""
    met = np.zeros(len(starts) - 1, np.bool_)
    unmet = np.int64(0)
    for number in range(len(met)):
        members = lines[starts[number] : starts[number + 1]]
        if lines_meet(demand, members, weights, total):
            met[number] = True
        else:
            for line in members:
                unmet += weights[line]
            if unmet > spare:
                break
    return met, int(unmet)


@kernel
def spread_of_classes(
    codes: Codes,
    members: NDArray[np.int32],
    counts: NDArray[np.int64],
    met: NDArray[np.bool_],
    at: NDArray[np.int64],
    levels: Levels,
) -> NDArray[np.int64]:
    """Sum of ``spread`` over the rows of the classes that are met, for each column.

    ``at`` holds the level of every column. A sum stays below rows times leaves.
    """
    sums = np.zeros(len(at), np.int64)
    for number in range(len(members)):
        if met[number]:
            for column in range(len(at)):
                place = levels.start[column, at[column]] + codes[members[number], column]
                sums[column] += counts[number] * levels.spread[place]
    return sums
