r"""What a class must satisfy, in a form kernels can test.

Requirements are compiled into a :class:`Demand` once; every kernel that splits, merges or moves
rows asks :func:`class_meets` and nothing else. A new requirement is a rule here and a kernel that
tests it.

A rule about the values of a sensitive column is one line of whole numbers in ``Demand.rules``; the
constants below name its entries. What it knows of the whole table lies in ``Demand.base`` from
entry ``START`` on:

=============  ====================================================================================
``PEOPLE``     ``LEAST`` times the rows of any one person are at most those of the class; nothing
``DISTINCT``   at least ``LEAST`` values; nothing in ``base``
``ENTROPY``    ``LEAST`` equally frequent values, or an entropy of ``limits[rule]``; nothing
``RECURSIVE``  r_1 < c (r_l + ... + r_m), l = ``LEAST``, c = ``NUMERATOR / DENOMINATOR``; nothing
``EQUAL``      closeness, of classes below ``LEAST`` rows if that is set; the frequency of each code
``LINE``       the same; per code, rows up to it, then sums of those over the smaller codes
``TREE``       the same; the node of each code, then five numbers for each node
=============  ====================================================================================

Over people. Where people may have several rows, the first rule is ``PEOPLE``, about the column that
says whose row it is; ``NUMERATOR`` is the largest number of rows that one person has in the table,
and people with one row share the last code (see :mod:`papilio.kernels.people`). All other rules are
then asked of the class and, for every person with several rows in the table, of the class without
their rows, unless nothing is left. Both are closed under unions of classes C and D: the most rows
of one person in C u D are at most the sum of those in C and in D, so k times that is at most
\|C\| + \|D\|; and (C u D) without p is (C without p) u (D without p). A class that meets it need
not do so with further rows, which may all be one person's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.closeness import equal_close, line_close, tree_close
from papilio.kernels.count_values import count_values
from papilio.kernels.diversity import entropy_meets, recursive_meets
from papilio.kernels.jit import kernel
from papilio.kernels.people import (
    distinct_spares,
    entropy_spares,
    nobody_owns_much,
    place_of,
    recursive_spares,
    rows_by_person,
)

#: Kinds of rule.
PEOPLE, DISTINCT, ENTROPY, RECURSIVE, EQUAL, LINE, TREE = range(-1, 6)
#: Entries of a rule.
KIND, COLUMN, SIZE, LEAST, NUMERATOR, DENOMINATOR, START, HEIGHT = range(8)
#: Number of entries of a rule.
ENTRIES = 8
#: Thresholds of closeness are made smaller by whole multiples of one over this.
_PARTS = 1_000_000


class Demand(NamedTuple):
    """Everything demanded of one class of rows. Never written to: threads share it.

    Attributes
    ----------
    least_size
        Smallest number of rows (k of k-anonymity). ``Demand(k)`` demands nothing else.
    sensitive
        Codes of the sensitive columns, one line per source row.
    rules
        What is demanded of their values, one line per rule, rules of a column next to each other.
    limits
        Least entropy, per rule.
    base
        What rules of closeness know of the whole table.
    total
        Rows of the whole table, if ``sensitive`` holds only some of them; 0 if it holds all.
    """

    least_size: int
    sensitive: NDArray[np.int32] = np.empty((0, 0), np.int32)
    rules: NDArray[np.int64] = np.empty((0, ENTRIES), np.int64)
    limits: NDArray[np.float64] = np.empty(0)
    base: NDArray[np.int64] = np.empty(0, np.int64)
    total: int = 0


def only_rule(demand: Demand, rule: int) -> Demand:
    """One rule of a demand, and the size; still over people if the demand is."""
    kept = [0, rule] if rule and demand.rules[0, KIND] == PEOPLE else [rule]
    rules = demand.rules[kept]
    if len(kept) > 1:
        rules[0, LEAST] = 1
    return demand._replace(rules=rules, limits=demand.limits[kept])


@kernel
def rule_holds(
    demand: Demand,
    rule: int,
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    many: int,
    total: int,
) -> bool:
    """Whether a class of ``many`` rows satisfies one rule.

    Parameters
    ----------
    demand, rule
        What is demanded, and which of its rules is asked for.
    values, counts
        Codes of the rule's column that occur in the class, ascending, and how often each does.
    many, total
        Rows of the class and of the whole table.
    """
    entries = demand.rules[rule]
    kind, least = entries[KIND], entries[LEAST]
    if kind >= EQUAL and 0 < least <= many:
        return True  # Large enough for (n,t)-closeness.
    if kind == DISTINCT:
        return bool(len(values) >= least)
    if kind == ENTROPY:
        return entropy_meets(counts, many, least, demand.limits[rule])
    over, under = entries[NUMERATOR], entries[DENOMINATOR]
    if kind == RECURSIVE:
        return recursive_meets(counts, many, least, over, under)
    return is_close(demand, rule, values, counts, many, total, over, under)


@kernel
def is_close(
    demand: Demand,
    rule: int,
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    many: int,
    total: int,
    over: int,
    under: int,
) -> bool:
    """Whether a class is within ``over / under`` of the table, by the distance of a rule."""
    entries = demand.rules[rule]
    kind, size = entries[KIND], entries[SIZE]
    first = demand.base[entries[START] : entries[START] + size]
    second = demand.base[entries[START] + size :]
    if kind == EQUAL:
        return equal_close(values, counts, many, total, first, over, under)
    if kind == LINE:
        return line_close(values, counts, many, total, first, second, over, under)
    return tree_close(values, counts, many, total, first, second, entries[HEIGHT], over, under)


@kernel
def spared_rows(
    demand: Demand,
    rule: int,
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    many: int,
    total: int,
    most: int,
) -> int:
    """Rows that may be taken from a class, whichever they are, without breaking a rule.

    A bound that is quickly found; there may be more. Closeness: what is left of a class after a
    share s of it is taken is at most s away from the class, so that a class which is within t - s
    of the table is within t of it afterwards.

    Parameters
    ----------
    demand, rule, values, counts, many, total
        As for :func:`rule_holds`; the class satisfies the rule.
    most
        No more than this is asked for.
    """
    entries = demand.rules[rule]
    kind, least = entries[KIND], entries[LEAST]
    over, under = entries[NUMERATOR], entries[DENOMINATOR]
    if kind == DISTINCT:
        return distinct_spares(counts, least)
    if kind == ENTROPY:
        return entropy_spares(counts, many, most, demand.limits[rule])
    if kind == RECURSIVE:
        return recursive_spares(counts, many, least, over, under)
    taken = most
    while taken > 0:
        if 0 < least <= many - taken:
            return taken
        parts = over * _PARTS // under - (taken * _PARTS // many + 1)
        if parts >= 0 and is_close(demand, rule, values, counts, many, total, parts, _PARTS):
            return taken
        taken //= 2
    return 0


@kernel
def holds_without_each(
    demand: Demand,
    rule: int,
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    many: int,
    total: int,
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
) -> bool:
    """Whether a class satisfies a rule without the rows of any one of its people.

    Parameters
    ----------
    demand, rule, values, counts, many, total
        As for :func:`rule_holds`; the class satisfies the rule.
    rows, starts
        Rows of the people to leave out one at a time, see
        :func:`papilio.kernels.people.rows_by_person`.

    Notes
    -----
    Cost: O(m log v) for m rows with v values; besides O(v), and the test of the rule, for each
    person who has more rows in the class than :func:`spared_rows` says.
    """
    column = demand.rules[rule, COLUMN]
    most = 0
    for person in range(len(starts) - 1):
        most = max(most, starts[person + 1] - starts[person])
    spared = spared_rows(demand, rule, values, counts, many, total, most)
    if most <= spared:
        return True
    left = counts.copy()
    kept_values = np.empty_like(values)
    kept_counts = np.empty_like(counts)
    for person in range(len(starts) - 1):
        own = rows[starts[person] : starts[person + 1]]
        rest = many - len(own)
        if len(own) <= spared or rest == 0:
            continue
        gone = 0
        for row in own:
            place = place_of(values, demand.sensitive[row, column])
            left[place] -= 1
            gone += left[place] == 0
        if demand.rules[rule, KIND] == DISTINCT:
            holds = len(values) - gone >= demand.rules[rule, LEAST]
        else:
            kept = 0
            for place in range(len(values)):
                if left[place] > 0:
                    kept_values[kept] = values[place]
                    kept_counts[kept] = left[place]
                    kept += 1
            holds = rule_holds(demand, rule, kept_values[:kept], kept_counts[:kept], rest, total)
        if not holds:
            return False
        for row in own:
            place = place_of(values, demand.sensitive[row, column])
            left[place] = counts[place]
    return True


@kernel
def class_meets(demand: Demand, rows: NDArray[np.int32]) -> bool:
    """Whether the class made of ``rows`` (source row numbers) satisfies the demand.

    Cost: O(1) for a size alone; with rules O(m log m) for m rows at worst, see their kernels and,
    over people, :func:`holds_without_each`.
    """
    if len(rows) < demand.least_size:
        return False
    if len(demand.rules) == 0 or len(rows) == 0:
        return True
    if demand.rules[0, KIND] == PEOPLE:
        return class_meets_people(demand, rows)
    return rules_hold(demand, rows)


@kernel
def rules_hold(demand: Demand, rows: NDArray[np.int32]) -> bool:
    """Whether a class satisfies every rule about values, all of its rows being alike."""
    many = len(rows)
    total = max(demand.total, len(demand.sensitive))
    counted = np.int64(-1)
    values = demand.base[:0]
    counts = demand.base[:0]
    for rule in range(len(demand.rules)):
        entries = demand.rules[rule]
        if entries[KIND] >= EQUAL and 0 < entries[LEAST] <= many:
            continue  # Nothing need be counted for it.
        if entries[COLUMN] != counted:
            counted = entries[COLUMN]
            values, counts = count_values(demand.sensitive, rows, counted, entries[SIZE])
        if not rule_holds(demand, rule, values, counts, many, total):
            return False
    return True


@kernel
def class_meets_people(demand: Demand, rows: NDArray[np.int32]) -> bool:
    """As :func:`class_meets` where the first rule is about people; there is at least one row."""
    many = len(rows)
    total = max(demand.total, len(demand.sensitive))
    first = demand.rules[0]
    column, size, most = first[COLUMN], first[SIZE], first[NUMERATOR]
    if not nobody_owns_much(demand.sensitive, rows, column, size, first[LEAST], most):
        return False
    if len(demand.rules) == 1:
        return True
    own, starts = rows[:0], demand.rules[0, :0]
    counted = np.int64(-1)
    values = demand.base[:0]
    counts = demand.base[:0]
    for rule in range(1, len(demand.rules)):
        entries = demand.rules[rule]
        if entries[KIND] >= EQUAL and 0 < entries[LEAST] <= many - most:
            continue  # Large enough without anybody.
        if entries[COLUMN] != counted:
            counted = entries[COLUMN]
            values, counts = count_values(demand.sensitive, rows, counted, entries[SIZE])
        if not rule_holds(demand, rule, values, counts, many, total):
            return False
        if spared_rows(demand, rule, values, counts, many, total, min(most, many)) >= most:
            continue  # Nobody in the table has rows enough to break it.
        if len(starts) == 0:
            own, starts = rows_by_person(demand.sensitive, rows, column, size)
        if not holds_without_each(demand, rule, values, counts, many, total, own, starts):
            return False
    return True
