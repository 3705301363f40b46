"""What the verifier found, in words."""

from __future__ import annotations

from nicegui import ui

from papilio.verify.verdict import Status, Verdict
from papilio.web.parts.section import heading

_ICONS = {
    Status.HOLDS: ("check_circle", "good"),
    Status.VIOLATED: ("cancel", "bad"),
    Status.NOT_CHECKED: ("help", "warning"),
}
_SENTENCES = {
    Status.HOLDS: ("Verified", "An independent reader of the release confirms every claim."),
    Status.VIOLATED: ("Violated", "Do not hand this release out: a claim does not hold."),
    Status.NOT_CHECKED: ("Not fully checked", "Some of it could not be confirmed."),
}


def verdict_banner(verdict: Verdict) -> None:
    """Say how the release stands as a whole."""
    icon, kind = _ICONS[verdict.status]
    word, sentence = _SENTENCES[verdict.status]
    with ui.element("div").classes(f"banner {kind}").props("role=status"):
        ui.icon(icon).props("aria-hidden=true")
        with ui.element("div"):
            heading(word, 2)
            ui.label(sentence)
