"""Rows before and after, side by side."""

from __future__ import annotations

import html
from collections.abc import Sequence

from nicegui import ui

from papilio.report.example_rows import ExampleRow


def before_after(examples: Sequence[ExampleRow]) -> None:
    """Show a table with a row per column, and an original and a published cell per example."""
    head = "".join(f'<th scope="col">Row {n + 1}</th>' for n in range(len(examples)))
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        f"{''.join(_cell(each, name) for each in examples)}</tr>"
        for name in examples[0].before
    )
    table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    box = ui.html(table, sanitize=False).classes("plain-table before-after")
    box.props["tabindex"] = 0
    box.props["role"] = "group"
    box.props["aria-label"] = "Rows before and after"


def _cell(example: ExampleRow, name: str) -> str:
    old, new = example.before[name], example.after.get(name, "")
    if old == new:
        return f"<td><span>{html.escape(old)}</span></td>"
    return (
        f'<td><del aria-label="before: {html.escape(old, quote=True)}">{html.escape(old)}</del>'
        f'<ins aria-label="after: {html.escape(new, quote=True)}">{html.escape(new)}</ins></td>'
    )
