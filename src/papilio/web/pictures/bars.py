"""How often values occur, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_HEIGHT = 40
_GAP = 1.5
_WIDTH = 140
_WIDEST = 18


def bars(rows: Sequence[int], description: str) -> str:
    """Draw upright bars side by side, small enough for a line of a table.

    Parameters
    ----------
    rows
        Number of rows of each bar.
    description
        What a reader who cannot see the picture is told.
    """
    most = max(rows, default=0) or 1
    step = min(_WIDTH / max(1, len(rows)), _WIDEST)
    width = max(1.0, step - _GAP)
    drawn = "".join(
        _bar(number * step, width, rows_here / most) for number, rows_here in enumerate(rows)
    )
    return (
        f'<svg class="bars" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" aria-label="{escape(description)}">'
        f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT - 0.5}" y2="{_HEIGHT - 0.5}"/>{drawn}</svg>'
    )


def _bar(left: float, width: float, share: float) -> str:
    height = max(1.0, share * (_HEIGHT - 3)) if share else 0
    return (
        f'<rect x="{left:.1f}" y="{_HEIGHT - 1 - height:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="1"/>'
    )


def lying_bars(labels: Sequence[str], rows: Sequence[int], total: int) -> str:
    """Bars with their labels, one below the other, as HTML."""
    most = max(rows, default=0) or 1
    lines = "".join(
        f"<dt>{escape(label)}</dt>"
        f'<dd><span style="width:{max(0.5, 100 * n / most):.1f}%"></span>'
        f"<b>{_share(n, total)}</b></dd>"
        for label, n in zip(labels, rows, strict=True)
    )
    return f'<dl class="lying-bars">{lines}</dl>'


def _share(rows: int, total: int) -> str:
    share = rows / total if total else 0
    return f"{share:.1%}" if share >= 0.001 or not rows else "<0.1%".replace("<", "&lt;")
