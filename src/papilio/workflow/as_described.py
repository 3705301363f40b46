"""Releases that are what their manifest says, whatever is to be thought of their claims."""

from __future__ import annotations

from papilio.errors import ReleaseError
from papilio.verify.promise.check import SHAPE
from papilio.verify.verdict import Finding, Status, Verdict

#: How findings begin that compare the release with what its policy demands.
_DEMANDS = ("promised", "generalisation loss")


def check_as_described(verdict: Verdict, what: str) -> None:
    """Refuse a release that is not what its manifest says; a claim may be violated.

    Parameters
    ----------
    verdict
        What the verifier says of it.
    what
        What cannot be done with it, such as ``"reported on"``.

    Raises
    ------
    ReleaseError
        With the first finding that is not about a claim and does not hold.
    """
    for finding in verdict.findings:
        if finding.recipient is None and finding.status is not Status.HOLDS:
            raise _refusal(finding, what)


def check_beside(verdict: Verdict, what: str) -> None:
    """Refuse a release that is not what its manifest says, or not what its original has become.

    A claim may be violated or weaker than the policy demands, and rows may be missing; if tables,
    columns or single rows are others than those of the original, nothing can be said about it.

    Parameters and errors are those of :func:`check_as_described`.
    """
    broken = [
        finding
        for finding in verdict.findings
        if finding.recipient is None
        and finding.status is not Status.HOLDS
        and (finding.claim in SHAPE or not finding.claim.startswith(_DEMANDS))
    ]
    if broken:
        # Another policy is why rows are not those of the original.
        first = next((finding for finding in broken if finding.claim in SHAPE), broken[0])
        raise _refusal(first, what)


def _refusal(finding: Finding, what: str) -> ReleaseError:
    other = finding.claim in SHAPE
    advice = "; give the policy it was made with" if other else ""
    return ReleaseError(
        f"the release cannot be {what}: {finding.claim}: {finding.measured}{advice}",
        reason="another-policy" if other else "not-as-described",
    )
