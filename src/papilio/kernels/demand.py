"""What a class must satisfy, in a form kernels can test.

Requirements are compiled into a :class:`Demand` once; every kernel that splits, merges or moves
rows asks :func:`class_meets` and nothing else. A new requirement is a rule here and a kernel that
tests it.

A rule about the values of a sensitive column is one line of whole numbers in ``Demand.rules``; the
constants below name its entries. What it knows of the whole table lies in ``Demand.base`` from
entry ``START`` on:

=============  ====================================================================================
``DISTINCT``   at least ``LEAST`` values; nothing in ``base``
``ENTROPY``    ``LEAST`` equally frequent values, or an entropy of ``limits[rule]``; nothing
``RECURSIVE``  r_1 < c (r_l + ... + r_m), l = ``LEAST``, c = ``NUMERATOR / DENOMINATOR``; nothing
``EQUAL``      closeness, of classes below ``LEAST`` rows if that is set; the frequency of each code
``LINE``       the same; per code, rows up to it, then sums of those over the smaller codes
``TREE``       the same; the node of each code, then five numbers for each node
=============  ====================================================================================
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.closeness import equal_close, line_close, tree_close
from papilio.kernels.count_values import count_values
from papilio.kernels.diversity import entropy_meets, recursive_meets
from papilio.kernels.jit import kernel

#: Kinds of rule.
DISTINCT, ENTROPY, RECURSIVE, EQUAL, LINE, TREE = range(6)
#: Entries of a rule.
KIND, COLUMN, SIZE, LEAST, NUMERATOR, DENOMINATOR, START, HEIGHT = range(8)
#: Number of entries of a rule.
ENTRIES = 8


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
    kind, size, least = entries[KIND], entries[SIZE], entries[LEAST]
    if kind >= EQUAL and 0 < least <= many:
        return True  # Large enough for (n,t)-closeness.
    over, under = entries[NUMERATOR], entries[DENOMINATOR]
    first = demand.base[entries[START] : entries[START] + size]
    second = demand.base[entries[START] + size :]
    if kind == DISTINCT:
        return bool(len(values) >= least)
    if kind == ENTROPY:
        return entropy_meets(counts, many, least, demand.limits[rule])
    if kind == RECURSIVE:
        return recursive_meets(counts, many, least, over, under)
    if kind == EQUAL:
        return equal_close(values, counts, many, total, first, over, under)
    if kind == LINE:
        return line_close(values, counts, many, total, first, second, over, under)
    return tree_close(values, counts, many, total, first, second, entries[HEIGHT], over, under)


@kernel
def class_meets(demand: Demand, rows: NDArray[np.int32]) -> bool:
    """Whether the class made of ``rows`` (source row numbers) satisfies the demand.

    Cost: O(1) for a size alone; with rules O(m log m) for m rows at worst, see their kernels.
    """
    if len(rows) < demand.least_size:
        return False
    if len(demand.rules) == 0 or len(rows) == 0:
        return True
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
