"""What the verifier found, in words."""

from __future__ import annotations

from nicegui import ui

from papilio.verify.verdict import Finding, Status, Verdict
from papilio.web.parts.section import heading

_ICONS = {
    Status.HOLDS: ("check_circle", "good", "holds"),
    Status.VIOLATED: ("cancel", "bad", "violated"),
    Status.NOT_CHECKED: ("help", "warning", "not checked"),
}
_SENTENCES = {
    Status.HOLDS: ("Verified", "An independent reader of the release confirms every claim."),
    Status.VIOLATED: ("Violated", "Do not hand this release out: a claim does not hold."),
    Status.NOT_CHECKED: ("Not fully checked", "Some of it could not be confirmed."),
}


def verdict_banner(verdict: Verdict) -> None:
    """Say how the release stands as a whole."""
    icon, kind, _ = _ICONS[verdict.status]
    word, sentence = _SENTENCES[verdict.status]
    with ui.element("div").classes(f"banner {kind}").props("role=status"):
        ui.icon(icon).props("aria-hidden=true")
        with ui.element("div"):
            heading(word, 2)
            ui.label(sentence)


def findings(verdict: Verdict) -> None:
    """List every check and its outcome."""
    with ui.element("ul").classes("findings"):
        for each in verdict.findings:
            with ui.element("li"):
                _finding(each)


def _finding(finding: Finding) -> None:
    icon, kind, word = _ICONS[finding.status]
    with ui.element("span").classes(f"status {kind}"):
        ui.icon(icon).props("aria-hidden=true")
        ui.label(word)
    with ui.element("div"):
        ui.label(about(finding)).classes("claim")
        ui.label(f"Demanded: {finding.demanded}. Found: {finding.measured}.").classes("muted")


def about(finding: Finding) -> str:
    """What a check was about."""
    named = finding.claim if finding.column is None else f"{finding.claim} of {finding.column}"
    return named if finding.recipient is None else f"{named}, for {finding.recipient}"
