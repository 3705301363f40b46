"""The release a page is about."""

from __future__ import annotations

from nicegui import ui

from papilio.web.draft import load_draft
from papilio.web.pages import address
from papilio.web.project import Project
from papilio.web.records import Record, load_record


def which_release(project: Project) -> int | None:
    """Number in the address of the page if there is such a release, else that of the latest."""
    numbers = project.release_numbers()
    asked = ui.context.client.request.query_params.get("release", "")
    if asked.isascii() and asked.isdigit() and int(asked) in numbers:
        return int(asked)
    return numbers[-1] if numbers else None


def policy_of(project: Project, number: int) -> str:
    """Text of the policy a release was made with; the present one if nobody remembers."""
    record = load_record(project, number)
    return load_draft(project).text if record is None else record.text


def release_picker(project: Project, number: int, step: str) -> None:
    """Let the reader choose another release of the project, where there are several."""
    numbers = project.release_numbers()
    if len(numbers) < 2:
        return
    options = {each: title(each, load_record(project, each)) for each in reversed(numbers)}
    ui.select(
        options,
        value=number,
        label="Release",
        on_change=lambda event: ui.navigate.to(address(project, step, release=event.value)),
    ).classes("release-picker").props("outlined dense")


def title(number: int, record: Record | None) -> str:
    """A release in a few words."""
    if record is None:
        return f"Release {number}"
    k = "" if record.k is None else f", k = {record.k}"
    return f"Release {number}: {record.method}{k}"
