"""Who knows which columns: a butterfly for two recipients, a grid of dots for more."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from papilio.web.forms.recipients_form import RecipientsForm, known_to

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
