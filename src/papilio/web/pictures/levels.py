"""How values look on each level of a hierarchy, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from papilio.web.hierarchy_tree.levels import Level

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
