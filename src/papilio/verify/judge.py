"""The verdict on a release: every claim, its integrity, its cells, and the original if at hand."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.release.described import KNOWN, well_formed
from papilio.release.manifest import Manifest, rule_fault
from papilio.verify.integrity import check_columns, check_files, check_tables, check_unchanged
from papilio.verify.kinds import check_order, check_source_order, kind_called, kinds
from papilio.verify.lines import sources_of
from papilio.verify.opened import Opened, UnreadableError
from papilio.verify.promise.check import SHAPE, check_promise
from papilio.verify.promise.promise import Promise
from papilio.verify.verdict import Finding, Status, Verdict, finding, not_checked

#: Cells of columns that are published in one column of the same name.
_AS_THEY_ARE = ("value", "hits")


def check_form(opened: Opened, known: frozenset[str]) -> list[Finding]:
    """Check the claims of known names and the hierarchies; nothing is said if all are well formed.

    Parameters
    ----------
    opened
        The release.
    known
        Names of claims; others are judged as claims that are not checked.
    """
    manifest = opened.manifest
    faults = [*_claim_faults(manifest, known), *_name_faults(manifest), *_rule_faults(opened)]
    if not faults:
        return []
    return [finding("manifest", "as the format says", "; ".join(faults), holds=False)]


def _claim_faults(manifest: Manifest, known: frozenset[str]) -> Iterator[str]:
    for claim in manifest.claims:
        if claim.claim in known and not well_formed(claim.claim, claim.parameters):
            yield f"{claim.claim} has other parameters"
        if len(set(claim.columns)) < len(claim.columns):
            yield f"{claim.claim} names a column twice"


def _name_faults(manifest: Manifest) -> Iterator[str]:
    """Columns published as they are have one name; groups of a graph have that of a key."""
    kept = _AS_THEY_ARE if manifest.kind == "graph" else (*_AS_THEY_ARE, "group")
    for table in manifest.tables:
        for column in table.columns:
            if column.cells in kept and column.published != (column.name,):
                yield f"'{column.name}' of '{table.name}' is published under another name"


def _rule_faults(opened: Opened) -> Iterator[str]:
    listed = frozenset(file.name for file in opened.manifest.files) | opened.hierarchies.keys()
    for table in opened.manifest.tables:
        for column in table.columns:
            fault = None if column.hierarchy is None else rule_fault(column.hierarchy, listed)
            if fault is not None:
                yield f"'{column.name}' {fault}"


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
        findings += [not_checked(c) for c in opened.manifest.claims if c.claim not in judged]
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
        yield from map(not_checked, opened.manifest.claims)
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
    kind = kind_called(opened.manifest.kind)
    if kind is None:
        known = ", ".join(each.name for each in kinds())
        yield finding("kind", f"one of {known}", "another", holds=False)
        yield from map(not_checked, opened.manifest.claims)
        return
    yield from check_form(opened, KNOWN)
    found = list(kind.content(opened, original))
    yield from found
    if all(each.status is not Status.VIOLATED for each in found):
        yield check_order(opened)
        if original is not None:
            yield check_source_order(
                opened, sources_of(opened, kind.rows(opened.manifest, original))
            )
    if not opened.manifest.claims:
        yield finding("claims", "at least one", "none", holds=False)
