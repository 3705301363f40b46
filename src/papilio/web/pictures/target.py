"""A target distribution as a line over the bars of the data."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 220, 44, 26


def target_picture(
    labels: Sequence[str], data: Sequence[float], target: Sequence[float], distance: float
) -> str:
    """Draw shares of the data as bars and those of the target as a stepped line."""
    most = max((*data, *target), default=0) or 1
    step = (_WIDTH - _LEFT) / max(1, len(labels))
    floor = _HEIGHT - _BOTTOM

    def height(share: float) -> float:
        return floor - share / most * (floor - 14)

    drawn = "".join(
        f'<rect x="{_LEFT + n * step + step * 0.1:.1f}" y="{height(share):.1f}" '
        f'width="{step * 0.8:.1f}" height="{floor - height(share):.1f}"/>'
        for n, share in enumerate(data)
    )
    line = " ".join(
        f"{_LEFT + end * step:.1f},{height(share):.1f}"
        for n, share in enumerate(target)
        for end in (n, n + 1)
    )
    said = (
        f"Bars: the data. Line: the target. They are {distance:.0%} apart "
        "(half the sum of all differences)."
    )
    return (
        f'<svg class="target" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'aria-label="{escape(said)}">'
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{floor}" y2="{floor}"/>'
        f'<text x="{_LEFT - 6}" y="20" class="end">{most:.0%}</text>'
        f'<text x="{_LEFT - 6}" y="{floor}" class="end">0</text>'
        f'{_ends(labels, floor)}{drawn}<polyline points="{line}"/></svg>'
    )


def _ends(labels: Sequence[str], floor: float) -> str:
    if not labels:
        return ""
    first, last = escape(labels[0]), escape(labels[-1])
    return (
        f'<text x="{_LEFT}" y="{floor + 18}">{first}</text>'
        f'<text x="{_WIDTH}" y="{floor + 18}" class="end">{last}</text>'
    )
