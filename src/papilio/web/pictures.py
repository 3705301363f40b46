"""Drawings of the workbench: bars, levels of a tree, a target, who knows what."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from papilio.web.forms.recipients_form import RecipientsForm, known_to
from papilio.web.forms.tree import Level

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


#: Longest label that is shown whole.
_LONGEST = 40


def levels_table(levels: Sequence[Level]) -> str:
    """Draw a column per level, a line per example, and below what the average row loses."""
    head = "".join(f'<th scope="col">{_name(n, len(levels))}</th>' for n in range(len(levels)))
    examples = zip(*(level.labels for level in levels), strict=True)
    row = '<th scope="row">example</th>'
    body = "".join(f"<tr>{row}{''.join(map(_cell, labels))}</tr>" for labels in examples)
    foot = "".join(f"<td>{_loss(level)}</td>" for level in levels)
    many = "".join(f"<td>{level.groups:,}</td>" for level in levels)
    return (
        f'<table><thead><tr><th scope="col"></th>{head}</tr></thead>'
        f"<tbody>{body}"
        f'<tr class="sum"><th scope="row">labels</th>{many}</tr>'
        f'<tr class="sum"><th scope="row">detail lost</th>{foot}</tr></tbody></table>'
    )


def _name(number: int, count: int) -> str:
    if number == 0:
        return "value"
    return "all" if number == count - 1 else f"level {number}"


def _cell(label: str) -> str:
    short = label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
    return f"<td>{escape(short)}</td>"


def _loss(level: Level) -> str:
    return f'<span class="loss"><i style="width:{level.loss:.1%}"></i></span>{level.loss:.0%}'


_TARGET_WIDTH, _TARGET_HEIGHT, _LEFT, _BOTTOM = 640, 220, 44, 26


def target_picture(
    labels: Sequence[str], data: Sequence[float], target: Sequence[float], distance: float
) -> str:
    """Draw shares of the data as bars and those of the target as a stepped line."""
    most = max((*data, *target), default=0) or 1
    step = (_TARGET_WIDTH - _LEFT) / max(1, len(labels))
    floor = _TARGET_HEIGHT - _BOTTOM

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
        f'<svg class="target" role="img" viewBox="0 0 {_TARGET_WIDTH} {_TARGET_HEIGHT}" '
        f'aria-label="{escape(said)}">'
        f'<line class="axis" x1="{_LEFT}" x2="{_TARGET_WIDTH}" y1="{floor}" y2="{floor}"/>'
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
        f'<text x="{_TARGET_WIDTH}" y="{floor + 18}" class="end">{last}</text>'
    )


_LINE, _TOP = 22, 36
#: Longest name that fits a wing.
_LONGEST = 18


def who_knows_what(form: RecipientsForm) -> str:
    """Draw what recipients know, and have in common."""
    return _butterfly(form) if len(form.recipients) == 2 else _grid(form)


def described(form: RecipientsForm) -> str:
    """The same in sentences."""
    said = []
    for who, columns in known_to(form).items():
        names = ", ".join(columns)
        said.append(f"{_who(who, len(form.recipients))}: {names}.")
    return " ".join(said)


def _who(who: Sequence[str], many: int) -> str:
    if not who:
        return "Known to nobody"
    if len(who) == many:
        return "Known to all"
    return f"Known to {' and '.join(who)} only"


def _butterfly(form: RecipientsForm) -> str:
    left, right = form.recipients
    both = [c for c in form.quasi if c in left.known and c in right.known]
    only_left = [c for c in form.quasi if c in left.known and c not in right.known]
    only_right = [c for c in form.quasi if c in right.known and c not in left.known]
    lines = max(len(both), len(only_left), len(only_right), 4)
    inner = lines * _LINE * 1.35 + 50
    middle = _TOP + inner / 2
    parts = [
        *_wing(middle, inner / 2, -1),
        *_wing(middle, inner / 2, 1),
        _body(middle, max(len(both), 2) * _LINE / 2 + 26),
        _text(140, 22, left.name, "who"),
        _text(500, 22, right.name, "who"),
        _text(320, 22, "both", "who"),
        *_names(158, middle - inner * 0.14, only_left),
        *_names(320, middle, both),
        *_names(482, middle - inner * 0.14, only_right),
    ]
    return _svg(640, _TOP + inner + 12, described(form), "".join(parts))


def _body(middle: float, half: float) -> str:
    feelers = "".join(
        f'<path class="feeler" d="M{320 + side * 8} {middle - half:.0f} '
        f'q{side * 6} -14 {side * 24} -18"/>'
        for side in (-1, 1)
    )
    return (
        f'<rect class="body" x="258" y="{middle - half:.0f}" width="124" '
        f'height="{2 * half:.0f}" rx="44"/>{feelers}'
    )


def _wing(middle: float, half: float, side: int) -> tuple[str, str]:
    """The lower and the upper part of a wing; their names are those of a side."""
    kind = "left" if side < 0 else "right"

    def at(x: float, y: float) -> str:
        return f"{320 + side * x:.0f} {middle + half * y:.0f}"

    upper = f"M{at(40, 0.2)} C{at(70, -1.0)} {at(255, -1.3)} {at(298, -0.8)} "
    upper += f"C{at(330, -0.2)} {at(270, 0.55)} {at(40, 0.3)}Z"
    lower = f"M{at(40, 0.1)} C{at(220, 0.2)} {at(275, 0.55)} {at(230, 0.88)} "
    lower += f"C{at(180, 1.15)} {at(90, 0.95)} {at(40, 0.1)}Z"
    return (
        f'<path class="{kind} lower" d="{lower}"/>',
        f'<path class="{kind}" d="{upper}"/>',
    )


def _names(x: int, middle: float, names: Sequence[str]) -> list[str]:
    first = middle - (len(names) - 1) * _LINE / 2 + 5
    if not names:
        return [_text(x, middle + 5, "nothing", "none")]
    return [_text(x, first + number * _LINE, name, "") for number, name in enumerate(names)]


def _grid(form: RecipientsForm) -> str:
    columns, many = form.quasi, len(form.recipients)
    step = max(84, min(150, 440 // max(1, many)))
    width, height = 190 + step * many, 40 + 30 * max(1, len(columns))
    parts = [
        _text(190 + step * n + step / 2, 24, each.name, "who")
        for n, each in enumerate(form.recipients)
    ]
    for row, column in enumerate(columns):
        y = 54 + 30 * row
        parts.append(_text(8, y, column, "start"))
        knowing = [n for n, each in enumerate(form.recipients) if column in each.known]
        if len(knowing) > 1:
            ends = (190 + step * n + step / 2 for n in (knowing[0], knowing[-1]))
            x1, x2 = ends
            parts.append(f'<line class="share" x1="{x1}" x2="{x2}" y1="{y - 5}" y2="{y - 5}"/>')
        for n in range(many):
            kind = "dot" if n in knowing else "dot off"
            x = 190 + step * n + step / 2
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y - 5}" r="8"/>')
    return _svg(width, height, described(form), "".join(parts))


def _text(x: float, y: float, text: str, kind: str) -> str:
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}">{escape(short)}</text>'


def _svg(width: float, height: float, description: str, inside: str) -> str:
    return (
        f'<svg class="knows" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'aria-label="{escape(description)}">{inside}</svg>'
    )
