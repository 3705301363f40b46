"""Rising levels on integer codes: rows that share nodes of trees, from fine to coarse.

A *vector* says on which level each column stands. For one vector after the other the rows that
still wait are grouped by the nodes over their codes; each group that meets the demand becomes a
class, the others wait for the next vector (:func:`rise`). What waits after the last one joins the
classes that grow least by it (:func:`papilio.kernels.bottom_up.join_rest`).

Rows are counted from 0 in the order in which the caller sorted them: equal rows lie next to each
other and are one *item*. Items wait or become part of a class as a whole, so that equal rows part
only where a row is lent.

Lending. A group that has rows enough but breaks a rule about values may take rows from classes
inside its own box, if what is left of them goes on to meet the demand. It takes the value of which
it lacks most compared with the whole table, by count; whatever the rule is, this draws the group
towards the table, which meets every rule. Of several rows with the value it takes one of the
class that was made last, which loses most already. A row that its class could not spare is not
asked for again.

Nodes are told apart by the exclusive or of a word of 64 bits a column. Groups that agree in it by
accident would be one class: its cells cover both, so that nothing is promised that does not hold.

Cost: O(w d) for a vector while w items wait; lending looks at the rows that classes may still
spare, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.codes import Codes
from papilio.kernels.count_values import count_values
from papilio.kernels.demand import COLUMN, KIND, PEOPLE, SIZE, Demand, class_meets, rule_holds
from papilio.kernels.jit import kernel

#: Entries of ``Standing.numbers``: items that wait, their rows, classes, rows that may be lent.
WAITING, ROWS, CLASSES, LENDERS = range(4)


class Words(NamedTuple):
    """A word for each node of each column.

    Attributes
    ----------
    word
        Words, column after column, level after level, code after code.
    start, size
        Where a column starts in ``word``, and how many codes it has.
    """

    word: NDArray[np.uint64]
    start: NDArray[np.int64]
    size: NDArray[np.int64]


class Standing(NamedTuple):
    """Which rows wait and which are in a class; all arrays change but the first three.

    Attributes
    ----------
    codes
        The items.
    first
        First row of each item, then the number of rows.
    item
        Item of each row.
    waiting
        The items that wait, ascending.
    class_of
        Class of each row; -1 while it waits.
    numbers
        See the constants.
    """

    codes: Codes
    first: NDArray[np.int64]
    item: NDArray[np.int32]
    waiting: NDArray[np.int32]
    class_of: NDArray[np.int32]
    numbers: NDArray[np.int64]


class Lending(NamedTuple):
    """What has to be known to lend rows; empty arrays where nothing but a size is demanded.

    Attributes
    ----------
    head, size
        First row of each class, and how many it has.
    after, before
        The next and the previous row of its class, or -1.
    lenders
        Rows of classes that may be able to spare them.
    spent
        Whether a row could not be spared when it was asked for.
    frequency, offset
        How often each value of the sensitive columns occurs, and where a column starts in it.
    """

    head: NDArray[np.int32]
    size: NDArray[np.int64]
    after: NDArray[np.int32]
    before: NDArray[np.int32]
    lenders: NDArray[np.int32]
    spent: NDArray[np.bool_]
    frequency: NDArray[np.int64]
    offset: NDArray[np.int64]


class Slots(NamedTuple):
    """Where groups are looked up by their words, and what is known of them; used again and again.

    Attributes
    ----------
    word, group
        Hash table with open addresses; no group is -1.
    place
        Place of each group in it.
    rows
        Rows of each group.
    of
        Group of each item that waits, in their order.
    label
        Class that a group becomes, or -1.
    """

    word: NDArray[np.uint64]
    group: NDArray[np.int32]
    place: NDArray[np.int64]
    rows: NDArray[np.int64]
    of: NDArray[np.int32]
    label: NDArray[np.int32]


@kernel
def table_bits(items: int) -> int:
    """Bits of a place in a table at least twice as large as the items."""
    bits = 1
    while 1 << bits < 2 * items:
        bits += 1
    return bits


@kernel
def slots_for(items: int) -> Slots:
    """Room for the groups of so many items."""
    bits = table_bits(items)
    return Slots(
        np.empty(1 << bits, np.uint64),
        np.full(1 << bits, -1, np.int32),
        np.empty(items, np.int64),
        np.empty(items, np.int64),
        np.empty(items, np.int32),
        np.empty(items, np.int32),
    )


@kernel
def word_of(
    codes: Codes, item: int | np.int32, vector: NDArray[np.int8], words: Words
) -> np.uint64:
    """Exclusive or of the words of the nodes over an item."""
    total = np.uint64(0)
    for column in range(len(vector)):
        level = words.start[column] + vector[column] * words.size[column]
        total ^= words.word[level + codes[item, column]]
    return total


@kernel
def group_waiting(
    standing: Standing, vector: NDArray[np.int8], words: Words, slots: Slots, bits: int
) -> int:
    """Group the items that wait by their nodes; return how many groups there are."""
    mask = (1 << bits) - 1
    shift = np.uint64(64 - bits)
    groups = 0
    for place in range(standing.numbers[WAITING]):
        item = standing.waiting[place]
        word = word_of(standing.codes, item, vector, words)
        slot = np.int64(word >> shift)
        while slots.group[slot] >= 0 and slots.word[slot] != word:
            slot = (slot + 1) & mask
        group = slots.group[slot]
        if group < 0:
            group = groups
            groups += 1
            slots.group[slot] = group
            slots.word[slot] = word
            slots.place[group] = slot
            slots.rows[group] = 0
            slots.label[group] = -1
        slots.rows[group] += standing.first[item + 1] - standing.first[item]
        slots.of[place] = group
    return groups


@kernel
def large_groups(
    standing: Standing, slots: Slots, groups: int, least: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Groups of at least so many rows: which they are, where each begins, and their rows."""
    large = np.empty(groups, np.int32)
    number = 0
    begin = np.zeros(groups + 1, np.int64)
    spot = np.full(groups, -1, np.int64)
    for group in range(groups):
        if slots.rows[group] >= least:
            large[number] = group
            spot[group] = begin[number]
            begin[number + 1] = begin[number] + slots.rows[group]
            number += 1
    rows = np.empty(begin[number], np.int32)
    if number > 0:
        for place in range(standing.numbers[WAITING]):
            group = slots.of[place]
            if spot[group] >= 0:
                item = standing.waiting[place]
                for row in range(standing.first[item], standing.first[item + 1]):
                    rows[spot[group]] = row
                    spot[group] += 1
    return large[:number], begin[: number + 1], rows


@kernel
def add_row(standing: Standing, lending: Lending, row: int | np.int32, group: int) -> None:
    """Put a row into a class."""
    standing.class_of[row] = group
    head = lending.head[group] if lending.size[group] > 0 else -1
    lending.after[row] = head
    lending.before[row] = -1
    if head >= 0:
        lending.before[head] = row
    lending.head[group] = row
    lending.size[group] += 1


@kernel
def take_row(standing: Standing, lending: Lending, row: int | np.int32) -> None:
    """Take a row out of its class."""
    group = standing.class_of[row]
    after = lending.after[row]
    before = lending.before[row]
    if before >= 0:
        lending.after[before] = after
    else:
        lending.head[group] = after
    if after >= 0:
        lending.before[after] = before
    lending.size[group] -= 1
    standing.class_of[row] = -1


@kernel
def can_spare(standing: Standing, lending: Lending, row: int | np.int32, demand: Demand) -> bool:
    """Whether the class of a row meets the demand without it."""
    group = standing.class_of[row]
    left = np.empty(lending.size[group] - 1, np.int32)
    number = 0
    here = lending.head[group]
    while here >= 0:
        if here != row:
            left[number] = here
            number += 1
        here = lending.after[here]
    return class_meets(demand, left)


@kernel
def wanting(demand: Demand, rows: NDArray[np.int32]) -> int:
    """The rule about values that a group breaks; the first one if it is people who break it.

    Returns -1 if there is no rule about values.
    """
    total = max(demand.total, len(demand.sensitive))
    about = -1
    for rule in range(len(demand.rules)):
        if demand.rules[rule, KIND] == PEOPLE:
            continue
        if about < 0:
            about = rule
        values, counts = count_values(
            demand.sensitive, rows, demand.rules[rule, COLUMN], demand.rules[rule, SIZE]
        )
        if not rule_holds(demand, rule, values, counts, len(rows), total):
            return rule
    return about


@kernel
def best_lender(
    standing: Standing,
    demand: Demand,
    lending: Lending,
    column: int,
    have: NDArray[np.int64],
    many: int,
    donors: NDArray[np.int32],
) -> int:
    """Place of the row whose value a group lacks most, in the class made last; -1 if none helps."""
    whole = len(standing.class_of)
    best = -1
    most = 0
    made = -1
    for place in range(len(donors)):
        row = donors[place]
        if row < 0:
            continue
        value = demand.sensitive[row, column]
        lacks = lending.frequency[lending.offset[column] + value] * many - have[value] * whole
        if lacks > most or (lacks == most and most > 0 and standing.class_of[row] > made):
            most = lacks
            best = place
            made = standing.class_of[row]
    return best


@kernel
def borrow(
    standing: Standing,
    lending: Lending,
    demand: Demand,
    own: NDArray[np.int32],
    donors: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Rows of classes with which a group meets the demand; none if there are not enough.

    Parameters
    ----------
    standing, lending, demand
        The rows, and what every class must meet. Rows that are returned have left their classes.
    own
        Rows of the group.
    donors
        Rows inside its box that classes may be able to spare; changed.
    """
    most = len(own)
    together = np.empty(len(own) + most, np.int32)
    together[: len(own)] = own
    origin = np.empty(most, np.int32)
    taken = 0
    met = False
    while taken < most and not met:
        many = len(own) + taken
        rule = wanting(demand, together[:many])
        if rule < 0:
            break
        column = demand.rules[rule, COLUMN]
        have = np.zeros(demand.rules[rule, SIZE], np.int64)
        for place in range(many):
            have[demand.sensitive[together[place], column]] += 1
        found = -1
        while found < 0:
            best = best_lender(standing, demand, lending, column, have, many, donors)
            if best < 0:
                break
            row = donors[best]
            donors[best] = -1
            if can_spare(standing, lending, row, demand):
                found = row
            else:
                lending.spent[row] = True
        if found < 0:
            break
        origin[taken] = standing.class_of[found]
        take_row(standing, lending, found)
        together[many] = found
        taken += 1
        met = class_meets(demand, together[: many + 1])
    if met:
        return together[len(own) : len(own) + taken]
    for place in range(taken):
        add_row(standing, lending, together[len(own) + place], origin[place])
    return together[:0]


@kernel
def donors_inside(
    standing: Standing,
    lending: Lending,
    least: int,
    vector: NDArray[np.int8],
    words: Words,
    slots: Slots,
    bits: int,
    asks: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Rows that may be lent to each group that asks: where each group's begin, and the rows.

    Forgets rows that cannot be lent any more.
    """
    mask = (1 << bits) - 1
    shift = np.uint64(64 - bits)
    lenders = lending.lenders
    goes = np.empty(standing.numbers[LENDERS], np.int64)
    begin = np.zeros(len(asks) + 1, np.int64)
    kept = 0
    known = -1
    ask = -1
    for place in range(standing.numbers[LENDERS]):
        row = lenders[place]
        if lending.spent[row] or lending.size[standing.class_of[row]] <= least:
            continue
        item = standing.item[row]
        if item != known:
            known = item
            word = word_of(standing.codes, item, vector, words)
            slot = np.int64(word >> shift)
            while slots.group[slot] >= 0 and slots.word[slot] != word:
                slot = (slot + 1) & mask
            group = slots.group[slot]
            ask = asks[group] if group >= 0 else -1
        lenders[kept] = row
        goes[kept] = ask
        kept += 1
        if ask >= 0:
            begin[ask + 1] += 1
    standing.numbers[LENDERS] = kept
    for ask in range(len(asks)):
        begin[ask + 1] += begin[ask]
    rows = np.empty(begin[-1], np.int32)
    spot = begin[:-1].copy()
    for place in range(kept):
        if goes[place] >= 0:
            rows[spot[goes[place]]] = lenders[place]
            spot[goes[place]] += 1
    return begin, rows


@kernel
def judge(
    standing: Standing,
    lending: Lending,
    demand: Demand,
    vector: NDArray[np.int8],
    words: Words,
    slots: Slots,
    groups: int,
    bits: int,
) -> int:
    """Label the groups that meet the demand, with borrowed rows if need be; return how many do."""
    large, begin, rows = large_groups(standing, slots, groups, demand.least_size)
    asks = np.full(groups, -1, np.int64)
    asking = 0
    good = 0
    for number in range(len(large)):
        if class_meets(demand, rows[begin[number] : begin[number + 1]]):
            slots.label[large[number]] = standing.numbers[CLASSES]
            lending.size[standing.numbers[CLASSES]] = 0
            standing.numbers[CLASSES] += 1
            good += 1
        else:
            asks[large[number]] = asking
            asking += 1
    if asking == 0 or standing.numbers[LENDERS] == 0:
        return good
    starts, donors = donors_inside(
        standing, lending, demand.least_size, vector, words, slots, bits, asks
    )
    for number in range(len(large)):
        ask = asks[large[number]]
        if ask < 0 or starts[ask] == starts[ask + 1]:
            continue
        own = rows[begin[number] : begin[number + 1]]
        inside = donors[starts[ask] : starts[ask + 1]]
        lent = borrow(standing, lending, demand, own, inside)
        if len(lent) > 0:
            made = standing.numbers[CLASSES]
            slots.label[large[number]] = made
            lending.size[made] = 0
            standing.numbers[CLASSES] += 1
            good += 1
            for row in lent:
                add_row(standing, lending, row, made)
    return good


@kernel
def settle(standing: Standing, lending: Lending, slots: Slots, listed: bool, least: int) -> None:
    """Put the items of labelled groups into their classes, and let the others wait on."""
    kept = 0
    waited = standing.numbers[WAITING]
    for place in range(waited):
        item = standing.waiting[place]
        label = slots.label[slots.of[place]]
        if label < 0:
            standing.waiting[kept] = item
            kept += 1
            continue
        rows = standing.first[item + 1] - standing.first[item]
        standing.numbers[ROWS] -= rows
        for row in range(standing.first[item], standing.first[item + 1]):
            if not listed:
                standing.class_of[row] = label
                continue
            add_row(standing, lending, row, label)
            if slots.rows[slots.of[place]] > least:
                lending.lenders[standing.numbers[LENDERS]] = row
                standing.numbers[LENDERS] += 1
    standing.numbers[WAITING] = kept


@kernel
def rise(
    standing: Standing,
    vectors: NDArray[np.int8],
    words: Words,
    demand: Demand,
    lending: Lending,
    enough: int,
) -> int:
    """Take one vector after the other until no more than ``enough`` rows wait.

    Parameters
    ----------
    standing
        Which rows wait; changed.
    vectors, words
        The vectors in their order, and words of the nodes.
    demand
        What each class must meet, about rows in the order of the items.
    lending
        Which rows may be lent; changed.
    enough
        Where to stop.

    Returns
    -------
    int
        How many vectors were taken.
    """
    items = standing.numbers[WAITING]
    slots = slots_for(items)
    listed = len(demand.rules) > 0
    for place in range(len(vectors)):
        bits = table_bits(standing.numbers[WAITING])
        groups = group_waiting(standing, vectors[place], words, slots, bits)
        good = 0
        if listed:
            good = judge(standing, lending, demand, vectors[place], words, slots, groups, bits)
        else:
            for group in range(groups):
                if slots.rows[group] >= demand.least_size:
                    slots.label[group] = standing.numbers[CLASSES]
                    standing.numbers[CLASSES] += 1
                    good += 1
        for group in range(groups):
            slots.group[slots.place[group]] = -1
        if good > 0:
            settle(standing, lending, slots, listed, demand.least_size)
        if standing.numbers[ROWS] <= enough:
            return place + 1
    return len(vectors)
