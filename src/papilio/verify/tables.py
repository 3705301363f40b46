"""The content of generalised tables and of projections: rows, cells, claims, truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from papilio.release.manifest import Claim, PublishedTable
from papilio.verify.cells import check_cells
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
from papilio.verify.opened import Opened
from papilio.verify.people import as_stated
from papilio.verify.projected import check_plan, check_projections, check_shared_classes
from papilio.verify.secret_column import check_secret_column
from papilio.verify.t_closeness import check_nt_closeness, check_t_closeness
from papilio.verify.truthfulness import check_truthfulness
from papilio.verify.verdict import Finding, Status, finding, not_checked

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
