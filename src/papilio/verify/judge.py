"""The verdict on a release: every claim, its integrity, its cells, and the original if at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from papilio.release.manifest import Claim
from papilio.verify.cells import check_cells
from papilio.verify.integrity import check_claimed, check_columns, check_files, check_rows
from papilio.verify.k_anonymity import check_k_anonymity
from papilio.verify.opened import Opened
from papilio.verify.truthfulness import check_truthfulness
from papilio.verify.verdict import Finding, Status, Verdict

#: The check of each claim the verifier knows.
CHECKS: Mapping[str, Callable[[Opened, Claim], Finding]] = {"k-anonymity": check_k_anonymity}


def judge(opened: Opened, *, original: str | None = None) -> Verdict:
    """Judge a release from what is published.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original on the same connection; then truthfulness is checked too.
    """
    findings = check_files(opened)
    for table in opened.manifest.tables:
        shape = check_columns(opened, table)
        findings.append(shape)
        if shape.status is not Status.HOLDS:
            # Further checks would fail or mislead where columns are missing or not described.
            return Verdict((*findings, *map(_not_checked, opened.manifest.claims)))
        findings += [check_rows(opened, table), check_claimed(opened, table)]
        findings += check_cells(opened, table)
    findings += [_check(opened, claim) for claim in opened.manifest.claims]
    if original is not None:
        findings += [check_truthfulness(opened, t, original) for t in opened.manifest.tables]
    if not opened.manifest.claims:
        findings.append(Finding("claims", "at least one", "none", Status.VIOLATED))
    return Verdict(tuple(findings))


def _check(opened: Opened, claim: Claim) -> Finding:
    check = CHECKS.get(claim.claim)
    return _not_checked(claim) if check is None else check(opened, claim)


def _not_checked(claim: Claim) -> Finding:
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )
