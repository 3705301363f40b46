"""Lies that are never true by chance, though lines are published in random order.

A lie that copies one random line over another, or lets two change places, changes nothing where
the two are alike: these look for lines that are not.
"""

from __future__ import annotations

import polars as pl


def first_line_twice(frame, keep=()):
    """Let the first line stand for another as well, one that says something else.

    Columns of ``keep`` stay as they are, and are not what tells the lines apart.
    """
    lines = frame.drop(keep).rows()
    return frame[_first_for_another(lines)].with_columns(frame.select(keep))


def first_value_twice(values):
    """Let the first value stand for another as well, which is another one."""
    return values.gather(_first_for_another(values.to_list()))


def _first_for_another(entries):
    other = next(number for number, entry in enumerate(entries) if entry != entries[0])
    return [0 if number == other else number for number in range(len(entries))]


def exchanged_groups(frame, original, shown, sensitive):
    """Let two people of different groups and of different sensitive values change places.

    Parameters
    ----------
    frame
        Published lines of people, with their ``group``.
    original
        The rows they were made of; only people whose shown values nobody shares are taken.
    shown, sensitive
        The columns that are published as they are, and the one that is not in ``frame``.
    """
    alone = original.filter(~pl.struct(shown).is_duplicated()).drop_nulls(sensitive)
    known = (
        frame.with_row_index("line")
        .join(alone, on=shown, nulls_equal=True, maintain_order="left")
        .select("line", "group", sensitive)
        .rows()
    )
    one, group, value = known[0]
    other = next(line for line, its, pay in known if its != group and pay != value)
    order = list(range(frame.height))
    order[one], order[other] = other, one
    return frame.with_columns(frame["group"].gather(order))
