"""What a policy orders, in a few lines."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from nicegui import ui

from papilio.policy.policy import Policy
from papilio.web.draft import Draft
from papilio.web.profiles import load_profiles
from papilio.web.project import Project
from papilio.workflow.choice import choice_of

_ROLES = {
    "quasi": "quasi-identifiers",
    "sensitive": "sensitive",
    "plain": "published as they are",
    "identifier": "never published",
}


def order_summary(project: Project, draft: Draft) -> None:
    """Say what will be done, with which method, and why; the policy must have no faults."""
    lines = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(said)}</dd></div>"
        for name, said in _lines(project, draft, draft.policy())
    )
    ui.html(f"<dl>{lines}</dl>", sanitize=False).classes("order")


def _lines(project: Project, draft: Draft, policy: Policy) -> Iterator[tuple[str, str]]:
    tables = [each.profile.get("rows") for each in load_profiles(project)]
    rows = [each for each in tables if isinstance(each, int)]
    yield "Kind of release", policy.family.words.title
    if rows:
        several = f", {len(rows)} tables" if len(rows) > 1 else ""
        yield "Data", f"{sum(rows):,} rows{several}"
    if policy.columns:
        yield "Columns", _columns(policy)
    if policy.recipients:
        yield "Recipients", "; ".join(f"{who} knows {', '.join(what)}" for who, what in _of(policy))
    yield "Demanded", "; ".join(_demands(draft.get(("privacy",)) or {}))
    choice = choice_of(policy, max(rows, default=0))
    yield "Method", f"{choice.method} ({choice.why})"


def _of(policy: Policy) -> Iterator[tuple[str, list[str]]]:
    for who, columns in policy.recipients.items():
        yield who, list(columns) or ["none of the quasi-identifiers"]


def _columns(policy: Policy) -> str:
    roles = [column.role.value for column in policy.columns.values()]
    counts = ((name, roles.count(role)) for role, name in _ROLES.items())
    return ", ".join(f"{number} {name}" for name, number in counts if number)


def _demands(privacy: Mapping[str, Any]) -> Iterator[str]:
    for key, said in privacy.items():
        if isinstance(said, Mapping):
            yield from (f"{key} of {name} = {_text(each)}" for name, each in said.items())
        else:
            yield f"{key} = {_text(said)}"


def _text(said: Any) -> str:
    if isinstance(said, Mapping):
        return ", ".join(f"{key} {_text(each)}" for key, each in said.items())
    if isinstance(said, list):
        return ", ".join(_text(each) for each in said)
    return str(said)
