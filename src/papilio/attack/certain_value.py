"""Certain values: people of whom a permuted or disguised release leaves one value only."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from papilio.attack.group_reading import GROUP, HIGH, KNOWN, LOW, MANY, GroupReading, read_groups
from papilio.attack.result import AttackResult, Exposed, people, recipients_of, someone_knowing
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "certain_value"
_ALIKE, _VALUE = "alike", "value"


def certain_value(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Count people whose sensitive value is certain.

    The attacker finds the rows that may be a person's, which are those with the same known
    values, and reads their groups. A person may have any value that a cell of one of these groups
    allows: every way to deal cells out to the people of a group, and to choose a value inside a
    range, fits the release, also where some ranges belong to nobody. So the value is certain if
    and only if all these cells are the same single value. NULL is a value: that it is missing can
    be learnt as well.

    A target that follows the data of small groups exactly makes values certain although it is
    followed: Zhang's Table 3.1 (sections 3.2 and 3.8) with ``same`` by zipcode, for 8 of 11 people.

    Figures: ``rows``, people of the release; ``certain``, those whose value is; ``groups``, groups
    all cells of which are one value.

    Notes
    -----
    Not tried: reasoning about the method, which :mod:`papilio.attack.minimality` does, knowing that
    the target of a release is the distribution of the data, and values of others
    (:mod:`papilio.attack.known_values`). Cost: three groupings.
    """
    for name, columns in recipients_of(policy).items():
        reading = read_groups(release, original.name, columns)
        figures = certain_figures(reading)
        certain = int(figures["certain"])
        yield AttackResult(
            NAME,
            someone_knowing(name, columns),
            _sentence(certain, reading),
            figures,
            (Exposed(certain, reading.total, reading.column),),
        )


def certain_figures(reading: GroupReading) -> dict[str, int | float]:
    """Figures of :func:`certain_value`."""
    low, high = pl.col(LOW), pl.col(HIGH)
    one = (pl.len() == 1) & low.first().eq_missing(high.first())
    groups = reading.cells.group_by(GROUP).agg(one.alias(_ALIKE), low.first().alias(_VALUE))
    left = reading.people.join(groups, on=GROUP).group_by(KNOWN).agg(
        pl.col(MANY).sum(), (pl.col(_ALIKE).all() & (pl.col(_VALUE).n_unique() == 1)).alias(_ALIKE)
    )  # fmt: skip
    return {
        "rows": reading.total,
        "certain": int(left.filter(pl.col(_ALIKE)).get_column(MANY).sum()),
        "groups": int(groups.get_column(_ALIKE).sum()),
    }


def _sentence(certain: int, reading: GroupReading) -> str:
    if not certain:
        return f"Nobody's {reading.column} is certain: everybody's group leaves two values or more."
    return (
        f"The {reading.column} of {people(certain, reading.total)} is certain: all that their "
        "group has is one value."
    )
