"""The Data step: what is in the data, who stands out, and which roles to begin with."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui

from papilio.errors import PapilioError
from papilio.web.allowed import allow, not_allowed
from papilio.web.draft import Draft, change, load_draft
from papilio.web.forms.proposals import policy_of_graph, policy_of_linked, policy_of_table
from papilio.web.jobs.run import Job, latest, start
from papilio.web.opening import ENDINGS, POLICIES, missing_files, needs_password
from papilio.web.pages import address
from papilio.web.pages.start import settle
from papilio.web.parts.blocks import figure, figures, message, next_button, section, wait_for
from papilio.web.parts.files import upload
from papilio.web.project import Project
from papilio.web.records import TableProfile, load_profiles, save_profiles, sources_of
from papilio.web.security.access import remember

_WHOSE = (
    "Column '{}' seems to name people, who then have so many rows. The next page asks whether it "
    "does: k, l and t then count people instead of rows."
)
#: Column sets shown at first.
_FIRST = 10


def profile_view(table: TableProfile, *, named: bool) -> None:
    """Show columns with their suggested roles, and the column sets that single people out."""
    profile = table.profile
    # Profiles that an earlier version stored do not say whose rows they are.
    person = profile.get("person")
    of = f" of {table.name}" if named else ""
    with figures():
        figure("Rows", f"{profile['rows']:,}")
        if person:
            figure("People", f"{person['people']:,}", f"told apart by {person['column']}")
        figure("Columns", f"{len(profile['columns']):,}")
        figure("Rows that stand out", *_most_alone(profile))
    with section(
        f"Who stands out{of}",
        "Each bar is the share of rows that nobody else matches on these columns. Someone who "
        "knows them about a person finds that person's row.",
    ):
        _sets(profile)
    if person:
        with section(f"Rows of a person{of}", _WHOSE.format(person["column"])):
            ui.html(_rows_of_people(person), sanitize=False).classes("bars")
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
    return _drawn(names, each["unique_share"], _percent(each["unique_share"]))


def _rows_of_people(person: Mapping[str, Any]) -> str:
    """A bar per number of rows, as long as the share of people who have so many."""
    return "".join(
        _drawn(
            _number_of_rows(each["from"], each["to"]),
            each["people"] / person["people"],
            f"{each['people']:,}",
        )
        for each in person["rows_per_person"]
    )


def _number_of_rows(least: int, most: int) -> str:
    if least == most:
        return "1 row" if most == 1 else f"{most:,} rows"
    return f"{least:,} to {most:,} rows"


def _drawn(name: str, share: float, value: str) -> str:
    return (
        f'<div class="bar"><span class="bar-name">{name}</span>'
        f'<span class="bar-track"><span style="width:{100 * share:.1f}%"></span></span>'
        f'<span class="bar-value">{value}</span></div>'
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


def page(project: Project) -> None:
    """Draw the page; the profile is made by a child process and shown when it is there."""
    body = ui.element("div")
    with body:
        _missing(project)
        _elsewhere(project)
        _password(project)
    found = ui.element("div")
    with section("More data", "Another file for linked tables or a graph, or one that is missing."):
        upload(
            project,
            "data",
            "Choose files",
            partial(_came, project),
            hint="or drop them here; a policy file replaces the policy",
            endings=(*ENDINGS, *POLICIES),
        )

    async def show() -> None:
        with found:
            await _show(project)

    ui.timer(0.01, show, once=True)


def _came(project: Project, name: str) -> None:
    settle(project, [name])
    ui.navigate.reload()


def _missing(project: Project) -> None:
    names = [each.name for each in missing_files(project)]
    if names:
        message(
            f"The policy names {', '.join(names)}, which is not here yet. Upload it below; a file "
            "of the same name goes to its place.",
            "warning",
        )


def _elsewhere(project: Project) -> None:
    """Ask whether the policy may read files outside of the project that it names."""
    for path in not_allowed(project, load_draft(project).tree):

        def agree(path: Path = path) -> None:
            allow(project, path)
            ui.navigate.reload()

        with section(
            "The policy wants to read another file",
            "Allow it only if you know the file and want it in this project. Its content can "
            "become part of a release.",
        ):
            ui.label(str(path)).classes("hint")
            ui.button("Allow this file", on_click=agree).classes("secondary")


def _password(project: Project) -> None:
    """Ask for the password of a database, which is not kept when the server ends."""
    if not needs_password(project):
        return

    def give() -> None:
        remember(project, secret.value or "")
        ui.navigate.reload()

    with section("Database", "If it asks for a password, give it here. It stays in memory only."):
        secret = ui.input("Password", password=True).props("outlined dense autocomplete=off")
        secret.classes("wide").on("keydown.enter", give)
        ui.button("Use it", on_click=give).classes("secondary")


async def _show(project: Project) -> None:
    sources = sources_of(project)
    kept = load_profiles(project)
    if not sources:
        message("There is no data yet. Upload a file below, or name one in the policy.")
        return
    if [each.source for each in kept] != [each["source"] for each in sources]:
        try:
            made = await wait_for(_job(project, sources), "Looking at the data")
        except PapilioError as error:
            message(str(error), "error")
            return
        kept = tuple(TableProfile(**each) for each in made)
        save_profiles(project, kept)
    _suggest(project, kept)
    for each in kept:
        profile_view(each, named=len(kept) > 1)
    with ui.element("div").classes("next"):
        ui.button("Look again", on_click=partial(_again, project)).classes("secondary")


def _job(project: Project, sources: list[dict[str, object]]) -> Job:
    """The job of another tab that is under way, or a new one."""
    before = latest(project, "profile")
    if before is not None and before.running:
        return before
    return start(project, "profile", {"sources": sources})


def _again(project: Project) -> None:
    save_profiles(project, ())
    ui.navigate.reload()


def _suggest(project: Project, tables: tuple[TableProfile, ...]) -> None:
    draft = load_draft(project)
    given = any(draft.get((key,)) for key in ("columns", "tables", "graph"))
    with ui.element("div").classes("suggest"):
        if given:
            message("The policy says what the columns are.", "good")
        else:
            message("Start from the suggested roles; everything can be changed afterwards.")
        with ui.element("div").classes("buttons"):
            _choices(project, tables, draft, "secondary" if given else "primary")
            if given:
                next_button(project, "columns")


def _choices(project: Project, tables: tuple[TableProfile, ...], draft: Draft, kind: str) -> None:
    if len(tables) == 1:
        made = {"Use these suggestions": lambda: policy_of_table(tables[0], draft)}
    else:
        made = {
            "Linked tables: use these suggestions": lambda: policy_of_linked(tables, draft),
            "A graph: use these suggestions": lambda: policy_of_graph(tables, draft),
        }

    for text, make in made.items():

        def use(make=make) -> None:  # type: ignore[no-untyped-def]
            change(project, make())
            ui.navigate.to(address(project, "columns"))

        ui.button(text, on_click=use).classes(kind)
        kind = "secondary"
