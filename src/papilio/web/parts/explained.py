"""What a requirement means, told on the page."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.parts.folded import folded
from papilio.web.words.words import Words

_PARTS = (
    ("stops", "Stops"),
    ("does_not_stop", "Does not stop"),
    ("example", "For example"),
    ("usual", "What to take"),
)


def explained(words: Words) -> None:
    """What it demands, and behind a line that opens: whom it stops, whom not, and what to take."""
    TextElement(tag="p", text=words.demands).classes("demands")
    with folded("Which attacker it stops, and which not"), ui.element("dl"):
        for key, title in _PARTS:
            TextElement(tag="dt", text=title)
            TextElement(tag="dd", text=getattr(words, key))
