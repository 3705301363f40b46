"""The verdict on a release: every claim, its integrity, its cells, and the original if at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from papilio.release.claim_parameters import KNOWN
from papilio.release.manifest import Claim, PublishedTable
from papilio.verify.cells import check_cells
from papilio.verify.disguised import judge_disguised
from papilio.verify.full_domain import check_levels
from papilio.verify.graph import judge_graph
from papilio.verify.integrity import (
    check_claimed,
    check_columns,
    check_files,
    check_rows,
    check_tables,
    check_unchanged,
)
from papilio.verify.k_anonymity import check_k_anonymity
from papilio.verify.ke_anonymity import check_ke_anonymity
from papilio.verify.l_diversity import (
    check_distinct_diversity,
    check_entropy_diversity,
    check_recursive_diversity,
)
from papilio.verify.line_order_alone import check_order
from papilio.verify.line_order_source import check_source_order
from papilio.verify.line_sources import sources_of
from papilio.verify.linked import judge_linked
from papilio.verify.manifest_form import check_form
from papilio.verify.nt_closeness import check_nt_closeness
from papilio.verify.opened import Opened, UnreadableError
from papilio.verify.permuted import judge_permuted
from papilio.verify.projected import check_plan, check_projections
from papilio.verify.promise.check import SHAPE, check_promise
from papilio.verify.promise.promise import Promise
from papilio.verify.t_closeness import check_t_closeness
from papilio.verify.truthfulness import check_truthfulness
from papilio.verify.verdict import Finding, Status, Verdict, finding

#: The check of each claim the verifier knows.
CHECKS: Mapping[str, Callable[[Opened, Claim], Finding]] = {
    "k-anonymity": check_k_anonymity,
    "distinct-l-diversity": check_distinct_diversity,
    "entropy-l-diversity": check_entropy_diversity,
    "recursive-l-diversity": check_recursive_diversity,
    "t-closeness": check_t_closeness,
    "nt-closeness": check_nt_closeness,
    "ke-anonymity": check_ke_anonymity,
}


def judge(
    opened: Opened, *, original: str | None = None, promise: Promise | None = None
) -> Verdict:
    """Judge a release from what is published, and beside what its owner ordered.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original on the same connection; then truthfulness is checked too.
    promise
        What policy and original demand; then a claim that is weaker or missing, another role, tree
        or number of rows is a violation.
    """
    findings: list[Finding] = []
    try:
        findings.extend(_findings(opened, original, promise))
    except UnreadableError:
        findings.append(finding("content", "readable to its end", "damaged", holds=False))
        judged = {each.claim for each in findings}
        findings += [_not_checked(c) for c in opened.manifest.claims if c.claim not in judged]
    return Verdict((*findings, *check_unchanged(opened)))


def _findings(opened: Opened, original: str | None, promise: Promise | None) -> Iterator[Finding]:
    yield from check_files(opened)
    shape = [check_tables(opened)]
    if shape[0].status is Status.HOLDS:
        shape += [check_columns(opened, table) for table in opened.manifest.tables]
    yield from shape
    if all(each.status is Status.HOLDS for each in shape):
        yield from _compared(opened, original, promise)
    else:
        # Further checks would fail or mislead where tables or columns are not as described.
        yield from map(_not_checked, opened.manifest.claims)
        if promise is not None:
            yield Finding("promise", "as the policy says", "not checked", Status.NOT_CHECKED)


def _compared(opened: Opened, original: str | None, promise: Promise | None) -> Iterator[Finding]:
    """Judge the content, and compare it with promise and original as far as they are alike."""
    promised = [] if promise is None else list(check_promise(opened, promise, original))
    alike = all(found.status is Status.HOLDS for found in promised if found.claim in SHAPE)
    yield from _content(opened, original if alike else None)
    if original is not None and not alike:
        # Rows of other tables, columns or trees are not those of the original.
        measured = "tables, columns or trees are not those promised"
        yield finding("truthfulness", "as in the original", measured, holds=False)
    yield from promised


def _content(opened: Opened, original: str | None) -> Iterator[Finding]:
    content = CONTENTS.get(opened.manifest.kind)
    if content is None:
        yield finding("kind", "one of " + ", ".join(CONTENTS), "another", holds=False)
        yield from map(_not_checked, opened.manifest.claims)
        return
    yield from check_form(opened, KNOWN)
    found = list(content(opened, original))
    yield from found
    if all(each.status is not Status.VIOLATED for each in found):
        yield check_order(opened)
        if original is not None:
            yield check_source_order(opened, sources_of(opened, original))
    if not opened.manifest.claims:
        yield finding("claims", "at least one", "none", holds=False)


def _table(opened: Opened, table: PublishedTable) -> Iterator[Finding]:
    yield check_rows(opened, table)
    yield check_claimed(opened, table)
    yield from check_cells(opened, table)
    yield from check_levels(opened, table)


def _generalised(opened: Opened, original: str | None) -> Iterator[Finding]:
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
            yield check_truthfulness(opened, table, original)


def _projected(opened: Opened, original: str | None) -> Iterator[Finding]:
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
    return _not_checked(claim) if check is None else check(opened, claim)


def _not_checked(claim: Claim) -> Finding:
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )


#: How the content of each kind of release is judged.
CONTENTS: Mapping[str, Callable[[Opened, str | None], Iterator[Finding]]] = {
    "generalised": _generalised,
    "projected": _projected,
    "graph": judge_graph,
    "permuted": judge_permuted,
    "disguised": judge_disguised,
    "linked": judge_linked,
}
