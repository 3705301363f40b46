"""The content of generalised tables and of projections: rows, cells, claims, truth.

The verdict on a table that is not a release: what it already meets as it is.

The table's own values are its cells, so its classes are the rows that agree on all
quasi-identifiers. It is judged by the checks for releases, through a manifest that says just that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.verify.cells import SAFE_CELLS, check_cells, check_safe_cells
from papilio.verify.follows import FOLLOWS, check_follows
from papilio.verify.full_domain import check_levels
from papilio.verify.integrity import check_claimed, check_rows
from papilio.verify.k_anonymity import check_k_anonymity
from papilio.verify.ke_anonymity import check_ke_anonymity
from papilio.verify.l_diversity import (
    check_distinct_diversity,
    check_entropy_diversity,
    check_recursive_diversity,
)
from papilio.verify.matched_people import check_matched_people
from papilio.verify.opened import Opened, open_frames
from papilio.verify.people import Whose, as_stated, check_people, is_over_people
from papilio.verify.projected import check_plan, check_projections, check_shared_classes
from papilio.verify.secret_column import check_secret_column
from papilio.verify.t_closeness import check_nt_closeness, check_t_closeness
from papilio.verify.truthfulness import check_truthfulness
from papilio.verify.verdict import Finding, Status, Verdict, finding, not_checked

#: The check of each claim the verifier knows.
CHECKS: Mapping[str, Callable[[Opened, Claim], Finding]] = {
    "k-anonymity": check_k_anonymity,
    "distinct-l-diversity": check_distinct_diversity,
    "entropy-l-diversity": check_entropy_diversity,
    "recursive-l-diversity": check_recursive_diversity,
    "t-closeness": check_t_closeness,
    "nt-closeness": check_nt_closeness,
    "ke-anonymity": check_ke_anonymity,
    "shared-classes": check_shared_classes,
    "secret-column": check_secret_column,
    FOLLOWS: check_follows,
    SAFE_CELLS: check_safe_cells,
}


def _table(opened: Opened, table: PublishedTable) -> Iterator[Finding]:
    yield check_rows(opened, table)
    yield check_claimed(opened, table)
    yield from check_cells(opened, table)
    yield from check_levels(opened, table)


def judge_generalised(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge a table for one recipient or several."""
    count = len(opened.manifest.tables)
    if count != 1:
        # What two tables about the same people say together, no claim about either bounds.
        yield finding("number of tables", "one", str(count), holds=False)
    for table in opened.manifest.tables:
        yield from _table(opened, table)
    for claim in opened.manifest.claims:
        yield _check(opened, claim)
    if original is not None:
        for table in opened.manifest.tables:
            found = check_truthfulness(opened, table, original)
            yield found
            if found.status is Status.HOLDS:
                yield from check_matched_people(opened, table, original, CHECKS)


def judge_projected(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge tables that have the same people and different sensitive columns."""
    for table in opened.manifest.tables:
        yield from _table(opened, table)
    yield from check_plan(opened)
    for claim in opened.manifest.claims:
        found = _check(opened, claim)
        yield replace(found, claim=f"{found.claim} of {claim.table}")
    if original is not None:
        yield from check_projections(opened, original)


def _check(opened: Opened, claim: Claim) -> Finding:
    if claim.table not in {table.name for table in opened.manifest.tables}:
        about = f"about '{claim.table}', which is not described"
        return finding(claim.claim, "a described table", about, False, recipient=claim.recipient)
    check = CHECKS.get(claim.claim)
    return not_checked(claim) if check is None else as_stated(claim, check(opened, claim))


def judge_table(
    rows: Any,
    columns: Sequence[PublishedColumn],
    claims: Sequence[Claim],
    identifiers: Sequence[str],
    hierarchies: Mapping[str, str],
    whose: Whose | None = None,
) -> Verdict:
    """Judge a table against what is demanded of it.

    Parameters
    ----------
    rows
        The table, as an Arrow table.
    columns
        Its columns; all their cells are values.
    claims
        What is demanded, as a release would claim it, all about one table.
    identifiers
        Names of columns of the table that identify people by themselves.
    hierarchies
        Text of the files of paths that claims need, by file name.
    whose
        Whose its rows are, if the table says it; else claims over people are checked for rows only.
    """
    (name,) = {claim.table for claim in claims}
    described = PublishedTable(name, tuple(columns), rows.num_rows)
    manifest = Manifest("table", "none", tuple(claims), (described,))
    with open_frames(manifest, {name: rows}, hierarchies) as opened:
        findings = [CHECKS[claim.claim](opened, claim) for claim in claims]
        findings += _over_people(opened, [each for each in claims if is_over_people(each)], whose)
    return Verdict((_identifiers(identifiers), *findings))


def _over_people(opened: Opened, claims: list[Claim], whose: Whose | None) -> Iterator[Finding]:
    """Check claims over people of a table as it is, which nobody stated before."""
    if whose is not None:
        yield from check_people(opened, claims, whose, CHECKS)
        return
    for claim in claims:
        measured = "the table does not say whose rows they are; only rows were counted"
        yield replace(
            not_checked(claim),
            claim=f"{claim.claim} over people",
            demanded="as the policy says",
            measured=measured,
        )


def _identifiers(names: Sequence[str]) -> Finding:
    listed = ", ".join(names)
    measured = f"{len(names)} in the table: {listed}" if names else "none"
    return finding("identifiers", "none in the table", measured, not names)
