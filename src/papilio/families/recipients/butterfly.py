"""A butterfly: the body that all rows share, and the wings of two recipients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from papilio.document.charts.style import AFTER, FONT, INK, MARK, MUTED, RULE
from papilio.document.text import legible, plural, shown
from papilio.families.recipients.blocks import MOST_WINGS, Butterfly, Wing

_WIDTH = 940
#: Left edge and width of the left wings, the body and the right wings.
_LEFT, _BODY, _RIGHT = (0, 290), (365, 210), (650, 290)
_LINE, _PAD, _GAP, _HEAD = 17, 9, 14, 46
_COLOURS = (AFTER, MARK, "#4456a6", "#8a6d00", "#7d3c78")
#: Longest name of a column, and longest line, that fit into a wing and into the body.
_NAME, _WIDE_LINE, _NARROW_LINE = 20, 43, 31


@dataclass(frozen=True)
class _Box:
    """A rectangle with lines of text."""

    x: float
    y: float
    width: float
    height: float
    title: str
    cells: tuple[tuple[str, str], ...]

    def anchors(self, count: int) -> list[float]:
        """Heights at which ribbons leave it, evenly spread."""
        return [self.y + self.height * (place + 0.5) / count for place in range(count)]


def butterfly_chart(butterfly: Butterfly) -> Markup:
    """Draw it: each ribbon is the rows that lie in a left and in a right wing."""
    drawn = _limited(butterfly)
    body = _Box(0, 0, _BODY[1], _height(drawn.body), _title(drawn.rows), drawn.body)
    tallest = max(_stack_height(wings) for wings in drawn.wings)
    inner = max(tallest, body.height)
    middle = _HEAD + inner / 2
    left, right = (
        _stack(wings, *place, middle)
        for wings, place in zip(drawn.wings, (_LEFT, _RIGHT), strict=True)
    )
    body = _Box(_BODY[0], middle - body.height / 2, _BODY[1], body.height, body.title, drawn.body)
    parts = [
        *_heads(drawn),
        *_ribbons(drawn, left, body, right),
        *(_rectangle(box, _COLOURS[place % len(_COLOURS)]) for place, box in enumerate(left)),
        *(_rectangle(box, MUTED) for box in right),
        _rectangle(body, INK),
    ]
    return _svg(drawn, _HEAD + inner + 2, parts)


def describe(butterfly: Butterfly) -> str:
    """Say in a sentence what the picture shows."""
    left, right = (
        f"{plural(len(wings), 'class', 'classes')} for {shown(name)}"
        for wings, name in zip(butterfly.wings, butterfly.names, strict=True)
    )
    return f"{plural(butterfly.rows, 'row', 'rows')} with one body are {left} and {right}."


def _limited(butterfly: Butterfly) -> Butterfly:
    """Put together what would be too many wings to draw."""
    wings, places = [], []
    for side in butterfly.wings:
        kept = side if len(side) <= MOST_WINGS else side[: MOST_WINGS - 1]
        rest = side[len(kept) :]
        more = Wing(sum(each.rows for each in rest), (("", f"{len(rest)} more classes"),))
        wings.append((*kept, more) if rest else kept)
        places.append([min(place, len(kept)) for place in range(len(side))])
    flows: dict[tuple[int, int], int] = {}
    for left, right, rows in butterfly.flows:
        key = places[0][left], places[1][right]
        flows[key] = flows.get(key, 0) + rows
    return Butterfly(
        butterfly.rows,
        butterfly.body,
        butterfly.names,
        (wings[0], wings[1]),
        tuple((*key, rows) for key, rows in sorted(flows.items())),
    )


def _title(rows: int) -> str:
    return plural(rows, "row", "rows")


def _height(cells: Sequence[object]) -> float:
    return 2 * _PAD + _LINE * (1 + max(len(cells), 1))


def _stack_height(wings: Sequence[Wing]) -> float:
    return sum(_height(wing.cells) for wing in wings) + _GAP * (len(wings) - 1)


def _stack(wings: Sequence[Wing], x: float, width: float, middle: float) -> list[_Box]:
    """Boxes above each other, around a height."""
    top, boxes = middle - _stack_height(wings) / 2, []
    for wing in wings:
        height = _height(wing.cells)
        boxes.append(_Box(x, top, width, height, _title(wing.rows), wing.cells))
        top += height + _GAP
    return boxes


def _heads(butterfly: Butterfly) -> list[Markup]:
    one, other = butterfly.names
    return [
        _text(_LEFT[0], 16, f"Wings of {shown(one, 36)}", INK, bold=True),
        _text(_BODY[0], 16, "Body: known to both", INK, bold=True),
        _text(_RIGHT[0], 16, f"Wings of {shown(other, 36)}", INK, bold=True),
    ]


def _ribbons(
    butterfly: Butterfly, left: Sequence[_Box], body: _Box, right: Sequence[_Box]
) -> list[Markup]:
    flows = sorted(butterfly.flows)
    most = max(rows for _, _, rows in flows)
    starts = _spread(flows, left, 0)
    ends = _spread(flows, right, 1)
    inside = body.anchors(len(flows))
    x1, x2, x3, x4 = _LEFT[0] + _LEFT[1], body.x, body.x + body.width, _RIGHT[0]
    ribbons = []
    for place, (wing, _, rows) in enumerate(flows):
        a, b, c = starts[place], inside[place], ends[place]
        path = (
            f"M{x1},{a:.1f} C{(x1 + x2) / 2:.0f},{a:.1f} {(x1 + x2) / 2:.0f},{b:.1f} {x2},{b:.1f} "
            f"L{x3},{b:.1f} C{(x3 + x4) / 2:.0f},{b:.1f} {(x3 + x4) / 2:.0f},{c:.1f} {x4},{c:.1f}"
        )
        width = 2 + 8 * rows / most
        ribbons.append(
            Markup(
                '<path d="{}" fill="none" stroke="{}" stroke-width="{:.1f}" stroke-opacity="0.45">'
                "<title>{}</title></path>"
            ).format(path, _COLOURS[wing % len(_COLOURS)], width, _title(rows))
        )
    return ribbons


def _spread(
    flows: Sequence[tuple[int, int, int]], boxes: Sequence[_Box], side: int
) -> dict[int, float]:
    """Height at which each ribbon touches its box on one side."""
    found: dict[int, float] = {}
    for number, box in enumerate(boxes):
        touching = [place for place, flow in enumerate(flows) if flow[side] == number]
        found.update(zip(touching, box.anchors(max(len(touching), 1)), strict=False))
    return found


def _rectangle(box: _Box, colour: str) -> Markup:
    frame = Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="6" fill="#ffffff" '
        'fill-opacity="0.93" stroke="{}" stroke-width="1.4"/>'
    ).format(box.x + 0.7, box.y, box.width - 1.4, box.height, colour)
    x, y = box.x + 12, box.y + _PAD + 12
    lines = [_text(x, y, box.title, colour, bold=True)]
    cells = box.cells or (("", "nothing else is known"),)
    for place, (name, cell) in enumerate(cells, 1):
        longest = _WIDE_LINE if box.width > _BODY[1] else _NARROW_LINE
        lines.append(_cell(x, y + place * _LINE, name, cell, longest))
    return frame + Markup("").join(lines)


def _cell(x: float, y: float, name: str, cell: str, longest: int) -> Markup:
    label = f"{shown(name, _NAME)} " if name else ""
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="12"><tspan fill="{}">{}</tspan>'
        '<tspan fill="{}">{}</tspan></text>'
    ).format(x, y, MUTED, label, INK, shown(cell, longest - len(label)))


def _text(x: float, y: float, text: str, colour: str, *, bold: bool = False) -> Markup:
    weight = "600" if bold else "400"
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="12.5" font-weight="{}" fill="{}">{}</text>'
    ).format(x, y, weight, colour, legible(text))


def _svg(butterfly: Butterfly, height: float, parts: Sequence[Markup]) -> Markup:
    rule = Markup('<path d="M0,26 L{},26" stroke="{}"/>').format(_WIDTH, RULE)
    return Markup(
        '<svg role="img" aria-label="One butterfly. {}" width="{}" height="{:.0f}" '
        'viewBox="0 0 {} {:.0f}" font-family="{}"><title>One butterfly</title><desc>{}</desc>'
        "{}{}</svg>"
    ).format(
        describe(butterfly),
        _WIDTH,
        height,
        _WIDTH,
        height,
        FONT,
        describe(butterfly),
        rule,
        Markup("").join(parts),
    )
