"""What every report says, whatever kind of release it is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from papilio.release.release import Release
from papilio.verify.verdict import Verdict
from papilio.version import __version__


@dataclass(frozen=True)
class Promise:
    """A claim in a sentence, and the recipient it holds for."""

    recipient: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class ReportHead:
    """The part of a page that all kinds of reports share; ``layout.html.j2`` shows it.

    Attributes
    ----------
    table
        Name of what was published.
    method, why
        The method and the reason for it.
    promises
        The claims in sentences.
    assumptions
        What the claims assume about the attacker.
    limits
        What the claims do not protect against: a name and an explanation each.
    verdict
        What the verifier found.
    seeded
        Whether the release was made with a seed and must not go out.
    papilio
        Version of Papilio that wrote the report.
    made
        When the report was written.
    """

    table: str
    method: str
    why: str
    promises: tuple[Promise, ...]
    assumptions: tuple[str, ...]
    limits: tuple[tuple[str, str], ...]
    verdict: Verdict
    seeded: bool
    papilio: str
    made: date

    @property
    def title(self) -> str:
        """Heading of the page."""
        return f"Anonymisation report: {self.table}"


def head_of(
    release: Release,
    table: str,
    verdict: Verdict,
    why: str,
    made: date | None,
    *,
    promises: tuple[Promise, ...],
    assumptions: tuple[str, ...],
    limits: tuple[tuple[str, str], ...],
) -> ReportHead:
    """Gather the shared part; ``made`` is the date of the report, left out today."""
    return ReportHead(
        table=table,
        method=release.manifest.method,
        why=why,
        promises=promises,
        assumptions=assumptions,
        limits=limits,
        verdict=verdict,
        seeded=release.manifest.seeded,
        papilio=__version__,
        made=made or date.today(),
    )
