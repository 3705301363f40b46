"""Prosecutor: somebody who knows that a certain person is in the table and looks for their row."""

from __future__ import annotations

from papilio.attack.class_counts import (
    THRESHOLD,
    Chances,
    ClassCounts,
    chances_of,
    chances_over_people,
)
from papilio.attack.holdings import Holdings

NAME = "prosecutor"


def prosecutor(counts: ClassCounts, threshold: float = THRESHOLD) -> Chances:
    r"""Chance to name the right row of a person: :math:`1 / f_j` in a class of :math:`f_j` rows.

    The largest chance is one over the size of the smallest class, so at most 1/k under
    k-anonymity. The average over people is (number of classes) / (number of rows).

    What it assumes: the attacker knows every one of the columns of the person without error, knows
    the person is in the table, and can tell their class. Where classes overlap they cannot always,
    and the true chance is smaller; linkage counts with that. What it does not say: what is learnt
    about people whose row is not found, because all rows of their class share a value.

    Source: El Emam and Dankar, "Protecting privacy using k-anonymity", JAMIA 2008.
    """
    return chances_of(counts, 1 / counts.sizes, threshold)


def prosecutor_over_people(held: Holdings, threshold: float = THRESHOLD) -> Chances:
    r"""Chance that a row drawn from a class of a person is theirs, at their worst class.

    :math:`\max_j o_j / f_j` over the classes j of the person, with :math:`o_j` of its
    :math:`f_j` rows theirs; at most 1/k under k-anonymity over people. The average is over people,
    each counted once however many rows they have. With one row a person it is :func:`prosecutor`.

    What it assumes: as :func:`prosecutor`. Where original rows fit several classes of a release, it
    is an upper bound; see :attr:`papilio.attack.holdings.Holdings.shares`. What it does not say:
    what somebody finds who knows several rows of one person; that is
    :mod:`papilio.attack.several_rows`.

    Source: El Emam and Dankar, JAMIA 2008, for rows; the share of the class that one person owns is
    what k-anonymity over people bounds (:mod:`papilio.privacy.requirement`).
    """
    return chances_over_people(held.chances, threshold)
