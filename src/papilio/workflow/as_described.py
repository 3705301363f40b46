"""Releases that are what their manifest says, whatever is to be thought of their claims."""

from __future__ import annotations

from papilio.errors import ReleaseError
from papilio.verify.verdict import Status, Verdict


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
            raise ReleaseError(
                f"the release cannot be {what}: {finding.claim}: {finding.measured}",
                reason="not-as-described",
            )
