"""Nested butterfly: share only what separates two groups of recipients, then go on inside.

The recipients are divided into two groups. A block has equal cells on the attributes that
both groups know; inside it each group is a smaller problem of the same kind, solved without
regard to the other. By induction every recipient gets what is demanded: its classes lie
within blocks, and inside a block they are those of its own group. The super-butterfly is the case
in which every attribute that two recipients know is in the first body.

It is not complete either: the cube {0, 1}³ for AB, BC and CA has no separator that leaves anything
apart (see :mod:`papilio.families.recipients.methods.refine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from papilio.families.recipients.methods.plan import Known, Plan, wing, without
from papilio.families.recipients.methods.super_butterfly import super_plan

#: With more recipients than this, only groups that leave one recipient apart are tried.
_MOST_ALL_SPLITS = 8


def nested_plan(recipients: Sequence[Known], price: Sequence[float]) -> Plan:
    """Divide recipients again and again by the cheapest separator.

    Parameters
    ----------
    recipients
        What each recipient knows; none contains another.
    price
        What it costs to have one cell on an attribute, as an estimate; the separator with the least
        sum is taken, of equal ones the one with fewer attributes, then the first.
    """
    if len(recipients) < 3:
        return super_plan(recipients) if len(recipients) == 2 else wing(recipients[0])
    one, other = min(_splits(recipients), key=lambda split: _rank(split, price))
    body = _separator(one, other)
    branches: list[Plan] = []
    for group in (one, other):
        inside = without(group, body)
        if inside:
            plan = nested_plan(inside, price)
            # A block without a body of its own is the block around it.
            branches += [plan] if plan.is_wing or plan.body else plan.branches
    return Plan(tuple(recipients), body, tuple(branches))


_Split = tuple[tuple[Known, ...], tuple[Known, ...]]


def _splits(recipients: Sequence[Known]) -> Iterator[_Split]:
    """All divisions into two groups; of very many recipients only one against the rest."""
    first, *others = recipients
    count = len(others)
    sizes = range(count) if count < _MOST_ALL_SPLITS else (0, count - 1)
    for size in sizes:
        for chosen in combinations(range(count), size):
            with_first = tuple(others[place] for place in chosen)
            rest = tuple(others[place] for place in range(count) if place not in chosen)
            yield (first, *with_first), rest


def _separator(one: Sequence[Known], other: Sequence[Known]) -> tuple[int, ...]:
    return tuple(sorted(frozenset().union(*one) & frozenset().union(*other)))


def _rank(split: _Split, price: Sequence[float]) -> tuple[float, int, tuple[int, ...]]:
    shared = _separator(*split)
    return sum(price[attribute] for attribute in shared), len(shared), shared
