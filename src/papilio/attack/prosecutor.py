"""Prosecutor: somebody who knows that a certain person is in the table and looks for their row."""

from __future__ import annotations

from papilio.attack.chances import THRESHOLD, Chances, chances_of
from papilio.attack.class_counts import ClassCounts

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
