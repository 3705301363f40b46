"""One person's rows as a tree, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape

from papilio.document.charts.style import AFTER, INK
from papilio.document.text import legible
from papilio.families.linked.example import Node

_LINE, _INDENT, _PAD = 26, 26, 8
_GONE = "#b04a3f"
_MUTED = "#6b7785"
#: Signs that fit a line, and how wide one is about.
_LONGEST, _SIGN = 56, 6.6


@dataclass(frozen=True)
class _Line:
    node: Node
    depth: int
    gone: bool


def entity_tree(root: Node, *, title: str, width: int) -> Markup:
    """Draw a tree: a line a row, children indented below their parent, removed rows struck out."""
    lines = list(_lines(root, 0, gone=False))
    height = _LINE * len(lines) + 2 * _PAD
    described = legible("; ".join(_words(line) for line in lines))
    name, text = escape(legible(title)), escape(described)
    parts = [
        f'<svg role="img" aria-label="{name}. {text}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-size="13">'
        f"<title>{name}</title><desc>{text}</desc>"
    ]
    parts += _branches(lines)
    for place, line in enumerate(lines):
        parts.append(_drawn(line, _middle(place), width))
    return Markup("".join(parts) + "</svg>")  # noqa: S704 - all text of the data is escaped


def _lines(node: Node, depth: int, *, gone: bool) -> Iterator[_Line]:
    yield _Line(node, depth, gone or not node.kept)
    for child in node.children:
        yield from _lines(child, depth + 1, gone=gone or not node.kept)


def _middle(place: int) -> float:
    return _PAD + _LINE * (place + 0.5)


def _branches(lines: list[_Line]) -> Iterator[str]:
    """From each row to the one it refers to."""
    above: list[float] = []
    for place, line in enumerate(lines):
        y = _middle(place)
        above = [*above[: line.depth], y]
        if line.depth:
            x = _PAD + _INDENT * (line.depth - 1) + 5
            yield (
                f'<path d="M{x} {above[line.depth - 1] + 6} V{y} H{x + _INDENT - 7}" '
                f'fill="none" stroke="{_MUTED}" stroke-width="1" opacity="0.55"/>'
            )


def _drawn(line: _Line, y: float, width: int) -> str:
    x = _PAD + _INDENT * line.depth
    colour = _GONE if line.gone else AFTER
    filled = "none" if line.gone else colour
    struck = ' text-decoration="line-through"' if line.gone else ""
    room = int((width - x - 20) / _SIGN)
    words = legible(_text(line.node))
    shown = words if len(words) <= min(room, _LONGEST) else words[: min(room, _LONGEST) - 1] + "…"
    table = escape(legible(line.node.table))
    return (
        f'<circle cx="{x + 5}" cy="{y}" r="4.5" fill="{filled}" stroke="{colour}"/>'
        f'<text x="{x + 16}" y="{y + 4.5}" fill="{_GONE if line.gone else INK}"{struck}>'
        f'<tspan fill="{_GONE if line.gone else _MUTED}" font-size="11">{table} </tspan>'
        f"{escape(shown)}</text>"
    )


def _text(node: Node) -> str:
    return " · ".join(text for _, text in node.cells)


def _words(line: _Line) -> str:
    return f"{line.node.table} {_text(line.node)}{', removed' if line.gone else ''}"
