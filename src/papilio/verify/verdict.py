"""What the verifier found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from papilio.release.manifest import Claim


class Status(StrEnum):
    """Outcome of one check. *Not checked* is not *holds*."""

    HOLDS = "holds"
    VIOLATED = "violated"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """One check and its outcome; contains no value of the data.

    Attributes
    ----------
    claim
        What was checked.
    demanded
        What had to be the case.
    measured
        What is the case.
    status
        The outcome.
    recipient, column
        For whom, or about which column, if it is about one.
    """

    claim: str
    demanded: str
    measured: str
    status: Status
    recipient: str | None = None
    column: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the parts that do not apply."""
        about = {"recipient": self.recipient, "column": self.column}
        return {
            "claim": self.claim,
            **{key: value for key, value in about.items() if value is not None},
            "demanded": self.demanded,
            "measured": self.measured,
            "status": self.status.value,
        }


@dataclass(frozen=True)
class Verdict:
    """All findings about a release. The whole is as good as its worst part.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> verdict = release.verify()
    >>> verdict.holds, verdict.to_dict()["holds"]
    (True, True)
    >>> {finding.status.value for finding in verdict.findings}
    {'holds'}
    """

    findings: tuple[Finding, ...]

    @property
    def status(self) -> Status:
        """Worst status of any finding; *not checked* if there is none."""
        statuses = {finding.status for finding in self.findings}
        if Status.VIOLATED in statuses:
            return Status.VIOLATED
        if Status.NOT_CHECKED in statuses or not statuses:
            return Status.NOT_CHECKED
        return Status.HOLDS

    @property
    def holds(self) -> bool:
        """Whether every finding holds."""
        return self.status is Status.HOLDS

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as ``papilio verify --json`` prints it."""
        findings = [finding.to_dict() for finding in self.findings]
        return {"holds": self.holds, "findings": findings}


def finding(claim: str, demanded: str, measured: str, holds: bool, **about: str | None) -> Finding:
    """Make a finding that holds or is violated."""
    status = Status.HOLDS if holds else Status.VIOLATED
    return Finding(claim, demanded, measured, status, **about)


def not_checked(claim: Claim) -> Finding:
    """A claim that nobody looked at."""
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )
