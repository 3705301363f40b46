"""Numbers as people read them, and text of the data made safe to show."""

from __future__ import annotations

import re

#: Shares below this are not told from nothing, but not called nothing either.
_LEAST_SHARE = 0.000_01


def count(number: int) -> str:
    """Write a whole number with thousands separators: ``30,162``."""
    return f"{number:,}"


def significant(number: float) -> str:
    """Write a number with three significant digits, but never fewer than its whole part has.

    ``0.01234`` is ``0.0123``, ``12.34`` is ``12.3`` and ``30162.4`` is ``30,162``.
    """
    if number == 0:
        return "0"
    if abs(number) >= 100:
        return f"{number:,.0f}"
    if abs(number) < 1e-4:
        return f"{number:.2e}"
    text = f"{number:.3g}"
    return f"{float(text):,}".removesuffix(".0")


def percentage(share: float) -> str:
    """Write a share with three significant digits: ``12.3%``; tiny ones as ``<0.001%``."""
    if 0 < share < _LEAST_SHARE:
        return "<0.001%"
    if share < 1 and share * 100 >= 99.95:
        return ">99.9%"
    if share == 0:
        return "0%"
    return f"{f'{share * 100:#.3g}'.removesuffix('.')}%"


def prose(text: str) -> str:
    """Give the numbers in a sentence thousands separators, and comparisons their signs."""
    grouped = re.sub(r"(?<![\w.,])\d{4,}(?![\w.])", lambda number: count(int(number[0])), text)
    return grouped.replace(">=", "≥").replace("<=", "≤")


def plural(number: int, one: str, several: str) -> str:
    """Write a count with its noun: ``1 class``, ``1,200 classes``."""
    return f"{count(number)} {one if number == 1 else several}"


def listing(names: list[str]) -> str:
    """Join names as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def plain_number(number: float) -> str:
    """Write a number in full, whole ones without a decimal point: ``2``, ``0.25``."""
    return repr(number).removesuffix(".0")


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
