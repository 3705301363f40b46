"""Colours and type of all pictures; ``style.css`` uses the same."""

from __future__ import annotations

from typing import Any

BEFORE = "#b6c2cf"
AFTER = "#0f6b75"
MARK = "#b3541e"
INK = "#1f2a37"
MUTED = "#5c6b7a"
RULE = "#e6ebf0"

FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

#: Configuration of Vega-Lite.
CONFIG: dict[str, Any] = {
    # The page describes each picture as a whole; a label on every bar would drown a screen reader.
    "aria": False,
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": RULE,
        "labelColor": MUTED,
        "titleColor": MUTED,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelPadding": 6,
        "titlePadding": 8,
        "labelLimit": 170,
    },
    "axisX": {"domain": True, "domainColor": "#c5ced8"},
    "bar": {"cornerRadiusEnd": 1.5},
}
