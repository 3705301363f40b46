"""Uniqueness in the sample: people who are alone in the table with what is known of them."""

from __future__ import annotations

import polars as pl

from papilio.attack.class_counts import ClassCounts
from papilio.attack.holdings import Holdings

NAME = "sample_uniqueness"


def sample_uniqueness(counts: ClassCounts) -> int:
    """People whose class has one row.

    It needs no assumption about the population, and is an upper bound on how many people of the
    table can be alone in it. Under k-anonymity with k of at least 2 there are none in a release.
    Source: Bethlehem, Keller and Pannekoek, "Disclosure control of microdata", JASA 1990.
    """
    return counts.of_size(1)


def unique_over_people(held: Holdings) -> int:
    """People of whom some row is like no row of anybody else: a class that is theirs alone.

    It may have several rows. With one row a person it is :func:`sample_uniqueness`; under
    k-anonymity over people with k of at least 2 there are none in a release.
    """
    return int((held.chances >= 1).sum())


def unique_together(lines: pl.DataFrame) -> int:
    """People whose rows, all together, are like those of nobody else.

    Everybody who has equally many rows in each of the same classes is alike. It takes somebody who
    knows all rows of a person and can tell which rows are one person's: a release of spread rows
    does not say that, so in a release it is an upper bound on what anybody could reach.

    Parameters
    ----------
    lines
        ``person``, ``class`` and ``rows``; one line for each person and class.

    Notes
    -----
    Cost: a sort and two groupings of the lines.
    """
    one = pl.concat_str(
        pl.col("class").cast(pl.String), pl.col("rows").cast(pl.String), separator=":"
    )
    ordered = lines.sort("person", "class").with_columns(one.alias("one"))
    every = ordered.group_by("person").agg(pl.col("one").str.join(" "))
    return every.group_by("one").len("alike").filter(pl.col("alike") == 1).height
