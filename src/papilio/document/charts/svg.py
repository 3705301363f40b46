"""A chart to SVG that stands inside an HTML page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import vl_convert
from markupsafe import Markup, escape

from papilio.document.text import legible, shown

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
_OPENING = re.compile(r"<svg\b[^>]*?(width=\"[^\"]*\") (height=\"[^\"]*\") (viewBox=\"[^\"]*\")>")
#: Tags of the renderer, which text of the data cannot look like, and what it says there of marks.
_TAG = re.compile(r"<[a-z]+ [^<>]*>")
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[a-z ]+")')
#: A chart that is as wide as it is told, axes and their titles included.
FIT = alt.AutoSizeParams(type="fit-x", contains="padding")


def to_svg(chart: alt.TopLevelMixin, *, title: str, description: str) -> Markup:
    """Draw a chart without a browser or a network.

    Parameters
    ----------
    chart
        What to draw; all its data must be inside.
    title, description
        What a reader who cannot see the picture is told.
    """
    spec = _legible({**chart.to_dict(), "config": CONFIG})
    svg = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    name, text = escape(legible(title)), escape(legible(description))
    head = _OPENING.match(svg)
    assert head is not None  # noqa: S101 - the renderer always begins like this
    # Inside HTML the SVG needs no namespaces; addresses of any kind are kept off the page.
    size = " ".join(head.groups())
    opening = f'<svg role="img" aria-label="{name}. {text}" {size}><title>{name}</title>'
    # One picture with one description: its parts have none, and are not to be stopped at.
    parts = _TAG.sub(lambda tag: _ROLES.sub("", tag[0]), svg[head.end() :])
    return Markup(f"{opening}<desc>{text}</desc>{parts}")  # noqa: S704 - escaped above


def _legible(spec: Any) -> Any:
    """Clean all text of a specification: control characters would end the process."""
    if isinstance(spec, dict):
        return {key: _legible(value) for key, value in spec.items()}
    if isinstance(spec, list):
        return [_legible(value) for value in spec]
    return legible(spec) if isinstance(spec, str) else spec


def whole_ticks(most: int) -> int:
    """How many ticks an axis of counts has; more would stand between whole numbers."""
    return max(1, min(5, most))


def distinct_labels(texts: Sequence[str], longest: int = 40) -> list[str]:
    """Make texts short and different from each other: a chart would draw equal ones as one bar."""
    seen: Counter[str] = Counter()
    labels = []
    for text in texts:
        label = shown(text, longest)
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return labels
