"""Text of the data made safe to show, on a page, in a picture or on a terminal."""

from __future__ import annotations

import re

#: Longest text shown as a cell or a label.
LONGEST = 80

# Control characters drive terminals and are not allowed in SVG; the second row turns the direction
# of the text around it, the third is no text at all.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"
    "\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def legible(text: str) -> str:
    """Replace characters that cannot be seen but do something by ``�``."""
    return _UNSEEN.sub("\ufffd", text)


def shown(text: str, longest: int = LONGEST) -> str:
    """Make a value legible, short, and visible even if it is empty."""
    if not text.strip():
        return "(empty)" if not text else "(blank)"
    start = legible(text[: longest + 1])
    return start if len(start) <= longest else start[: longest - 1] + "…"
