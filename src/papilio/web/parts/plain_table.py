"""A table as HTML knows it, for what does not need sorting or paging."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from nicegui import ui


def plain_table(
    header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = ""
) -> ui.element:
    """Show a table; on a narrow screen it scrolls by itself. Numbers stand right."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    said = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    label = html.escape(caption or ", ".join(header), quote=True)
    content = f"<table>{said}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    box = ui.html(content, sanitize=False).classes("plain-table")
    box.props["tabindex"] = 0
    box.props["role"] = "region"
    box.props["aria-label"] = label
    return box


def _cell(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text = f"{value:,}" if isinstance(value, int) and number else str(value)
    return f'<td class="number">{text}</td>' if number else f"<td>{html.escape(text)}</td>"
