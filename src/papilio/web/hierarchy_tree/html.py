"""The lines of a tree as HTML, with what keyboards and screen readers need."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from papilio.web.hierarchy_tree.visible import PAGE, Line


def tree_html(lines: Sequence[Line], selected: Collection[str], current: int) -> str:
    """Draw lines; ``data-n`` is the number of each.

    Parameters
    ----------
    lines
        What is shown.
    selected
        Labels that are selected.
    current
        Number of the line that keys are about.
    """
    total = lines[0].rows if lines else 0
    return "".join(
        _line(number, line, line.label in selected and not line.hidden, number == current, total)
        for number, line in enumerate(lines)
    )


def _line(number: int, line: Line, selected: bool, current: bool, total: int) -> str:
    kind = "group" if line.group else "value"
    classes = f"line {'more' if line.hidden else kind}{' current' if current else ''}"
    expanded = f' aria-expanded="{str(line.open).lower()}"' if line.group else ""
    drag = ' draggable="true"' if line.depth and not line.hidden else ""
    return (
        f'<div role="treeitem" id="line-{number}" data-n="{number}" data-kind="{kind}" '
        f'aria-level="{line.depth + 1}" aria-selected="{str(selected).lower()}"{expanded}{drag} '
        f'class="{classes}" style="--depth:{line.depth}">{_content(line, total)}</div>'
    )


def _content(line: Line, total: int) -> str:
    if line.hidden:
        return f'<span class="label">Show {min(PAGE, line.hidden):,} more of {line.hidden:,}</span>'
    chevron = ("▾" if line.open else "▸") if line.group else ""
    share = line.rows / total if total else 0
    return (
        f'<span class="chevron" aria-hidden="true">{chevron}</span>'
        f'<span class="label">{escape(line.label)}</span>'
        f'<span class="many">{_many(line)}</span>'
        f'<span class="share" aria-hidden="true"><i style="width:{share:.1%}"></i></span>'
    )


def _many(line: Line) -> str:
    rows = f"{line.rows:,} row{'' if line.rows == 1 else 's'}"
    if not line.group:
        return rows
    if not line.values:
        return "empty, not saved"
    return f"{line.values:,} value{'' if line.values == 1 else 's'} · {rows}"
