"""What a profile says, to look at."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from nicegui import ui

from papilio.web.parts.figure import figure, figures
from papilio.web.parts.message import message
from papilio.web.parts.section import section
from papilio.web.profiles import TableProfile

#: Column sets shown at first.
_FIRST = 10


def profile_view(table: TableProfile, *, named: bool) -> None:
    """Show columns with their suggested roles, and the column sets that single people out."""
    profile = table.profile
    of = f" of {table.name}" if named else ""
    with figures():
        figure("Rows", f"{profile['rows']:,}")
        figure("Columns", f"{len(profile['columns']):,}")
        figure("Rows that stand out", *_most_alone(profile))
    with section(
        f"Who stands out{of}",
        "Each bar is the share of rows that nobody else matches on these columns. Someone who "
        "knows them about a person finds that person's row.",
    ):
        _sets(profile)
    with section(f"Columns{of}", "Roles are suggestions from names and counts. Go through them."):
        _columns(profile)


def _most_alone(profile: Mapping[str, Any]) -> tuple[str, str]:
    if not profile["risky_sets"]:
        return "few", "on any three columns"
    worst = max(profile["risky_sets"], key=lambda each: each["unique_share"])
    return _percent(worst["unique_share"]), f"on {' + '.join(worst['columns'])}"


def _sets(profile: Mapping[str, Any]) -> None:
    sets = profile["risky_sets"]
    if not sets:
        message("No set of up to three columns singles people out.", "good")
        return
    ui.html(_bars(sets[:_FIRST]), sanitize=False).classes("bars")
    if len(sets) > _FIRST:
        with ui.element("details"):
            with ui.element("summary"):
                ui.label(f"{len(sets) - _FIRST} more")
            ui.html(_bars(sets[_FIRST:]), sanitize=False).classes("bars")
    if profile["looked_at"] < profile["rows"]:
        message(
            f"Counted in a sample of {profile['looked_at']:,} rows, which overstates how many "
            "rows are alone.",
            "info",
        )


def _bars(sets: list[dict[str, Any]]) -> str:
    return "".join(_bar(each) for each in sets)


def _bar(each: dict[str, Any]) -> str:
    names = " + ".join(html.escape(name) for name in each["columns"])
    share = each["unique_share"]
    width = f"{100 * share:.1f}%"
    return (
        f'<div class="bar"><span class="bar-name">{names}</span>'
        f'<span class="bar-track"><span style="width:{width}"></span></span>'
        f'<span class="bar-value">{_percent(share)}</span></div>'
    )


def _percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


def _columns(profile: Mapping[str, Any]) -> None:
    head = ("Column", "Type", "Values", "Missing", "Suggested role", "Why")
    header = "".join(f'<th scope="col">{name}</th>' for name in head)
    rows = "".join(_row(each) for each in profile["columns"])
    box = ui.html(
        f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>", sanitize=False
    ).classes("plain-table")
    box.props["tabindex"] = 0
    box.props["role"] = "region"
    box.props["aria-label"] = "Columns and suggested roles"


def _row(each: Mapping[str, Any]) -> str:
    role = html.escape(each["role"])
    missing = "" if not each["missing_share"] else _percent(each["missing_share"])
    return (
        f'<tr><th scope="row">{html.escape(each["name"])}</th><td>{html.escape(each["type"])}</td>'
        f'<td class="number">{each["distinct"]:,}</td><td class="number">{missing}</td>'
        f'<td><span class="role {role}">{role}</span></td>'
        f"<td>{html.escape(each['reason'])}</td></tr>"
    )
