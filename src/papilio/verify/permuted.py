"""The verdict on the content of a permuted release."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.verify import sql
from papilio.verify.integrity import check_rows
from papilio.verify.ke_anonymity import check_ke_anonymity
from papilio.verify.opened import Opened
from papilio.verify.permuted_help import check_help
from papilio.verify.permuted_layout import Layout, layout_faults, layout_of
from papilio.verify.permuted_truth import check_permuted_truth
from papilio.verify.verdict import Finding, Status, finding


def judge_permuted(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge rows, values and help table of a permuted release, and its claims.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original; then truthfulness is checked too.
    """
    faults = layout_faults(opened.manifest)
    measured = "; ".join(faults) or "rows, values and help table"
    yield finding("layout", "that of a permuted release", measured, not faults)
    if faults:
        yield from (
            Finding(c.claim, "as claimed", "not checked", Status.NOT_CHECKED, c.recipient)
            for c in opened.manifest.claims
        )
        return
    layout = layout_of(opened.manifest)
    for table in opened.manifest.tables:
        yield check_rows(opened, table)
    yield _check_groups(opened, layout)
    yield _check_values(opened, layout)
    yield check_help(opened, layout)
    yield from _claims(opened)
    if original is not None:
        yield check_permuted_truth(opened, layout, original)


def _claims(opened: Opened) -> Iterator[Finding]:
    for claim in opened.manifest.claims:
        if claim.claim == "ke-anonymity":
            yield check_ke_anonymity(opened, claim)
        else:
            yield Finding(
                claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, claim.recipient
            )


def _check_groups(opened: Opened, layout: Layout) -> Finding:
    """Check that groups are numbered from 1 and have as many people as values."""
    group = sql.name(layout.group)
    unequal, groups, highest, odd = opened.row(
        f"SELECT {sql.count_where('people <> cells')}, count(*), max(g), "
        f"{sql.count_where('g IS NULL OR g < 1 OR g <> floor(g)')} FROM ("
        "SELECT g, sum(person) AS people, sum(cell) AS cells FROM ("
        f"SELECT {group} AS g, 1 AS person, 0 AS cell FROM {sql.name(layout.people)} UNION ALL "
        f"SELECT {group}, 0, 1 FROM {sql.name(layout.values)}) AS both_tables GROUP BY g) AS sizes"
    )
    faults = [f"{unequal} groups do not have as many people as values"] if unequal else []
    if odd or highest != groups:
        faults.append("groups are not numbered from 1")
    measured = "; ".join(faults) or f"{groups} groups"
    return finding("groups", "as many people as values in each", measured, not faults)


def _check_values(opened: Opened, layout: Layout) -> Finding:
    """Check that values are finite numbers or NULL."""
    value = sql.name(layout.sensitive)
    odd = sql.count_where(f"NOT {sql.is_finite(value)}")
    (count,) = opened.row(f"SELECT {odd} FROM {sql.name(layout.values)}")
    measured = f"{count} are not" if count else "all rows"
    return finding(
        f"cells of {layout.values}",
        "finite numbers or NULL",
        measured,
        not count,
        column=layout.sensitive,
    )
