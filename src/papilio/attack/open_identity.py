"""Open identity: whose row is found where quasi-identifiers are published as they were.

Permuted and disguised releases do not hide who is who. What they hide is the sensitive value, which
is one of those of the person's group.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from papilio.attack.class_counts import counts_after
from papilio.attack.result import AttackResult, people, recipients_of, someone_knowing
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "open_identity"
_VALUES, _ROWS = "papilio values", "papilio rows"


def open_identity(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Count people who are alone with their quasi-identifiers, and what stays hidden of them.

    Figures: ``rows``; ``found``, people whose row is found for certain; ``least_values``, fewest
    different values, or ranges, of the sensitive column in a group; ``least_rows``, rows of the
    smallest group. Whoever finds a row learns its group and its plain columns, and nothing of the
    sensitive value but that it is one of the group's.

    Nobody is exposed by that: these families leave open who is who and promise what is secret, so
    it is no failure of what they promise that a row is found.

    Cost: two groupings.
    """
    table = release.manifest.table(original.name)
    values = release.manifest.table(f"{original.name}_values")
    (group,) = (column.published[0] for column in values.columns if column.cells == "group")
    (hidden,) = (column for column in values.columns if column.role == "sensitive")
    groups = release.frames[values.name].group_by(group).agg(
        pl.struct(hidden.published).n_unique().alias(_VALUES), pl.len().alias(_ROWS)
    )  # fmt: skip
    for name, columns in recipients_of(policy).items():
        counts = counts_after(release.frames[table.name], table, columns)
        figures: dict[str, int | float] = {
            "rows": counts.people,
            "found": counts.of_size(1),
            "least_values": min(groups[_VALUES].to_list(), default=0),
            "least_rows": min(groups[_ROWS].to_list(), default=0),
        }
        what = "range" if hidden.cells == "range" else "value"
        sentence = _sentence(figures, what, hidden.name)
        yield AttackResult(NAME, someone_knowing(name, columns), sentence, figures)


def _sentence(figures: dict[str, int | float], what: str, column: str) -> str:
    found, rows, least = (int(figures[key]) for key in ("found", "rows", "least_values"))
    said = (
        f"and of their {column} it tells a choice of at least {least:,} {what}s, not which of "
        "them it is"
        if least > 1
        else f"and of some of them it tells one {what} of {column}, which all of their group have"
    )
    return (
        f"Quasi-identifiers are published as they were: the row of {people(found, rows)} is found "
        f"for certain, {said}."
    )
