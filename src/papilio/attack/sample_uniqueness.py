"""Uniqueness in the sample: people who are alone in the table with what is known of them."""

from __future__ import annotations

from papilio.attack.class_counts import ClassCounts

NAME = "sample_uniqueness"


def sample_uniqueness(counts: ClassCounts) -> int:
    """People whose class has one row.

    It needs no assumption about the population, and is an upper bound on how many people of the
    table can be alone in it. Under k-anonymity with k of at least 2 there are none in a release.
    Source: Bethlehem, Keller and Pannekoek, "Disclosure control of microdata", JASA 1990.
    """
    return counts.of_size(1)
