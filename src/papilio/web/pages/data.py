"""The Data step: what is in the data, who stands out, and which roles to begin with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from nicegui import ui

from papilio.errors import PapilioError
from papilio.web.allowed import allow, not_allowed
from papilio.web.changes import change
from papilio.web.draft import Draft, load_draft
from papilio.web.jobs.job import Job
from papilio.web.jobs.run import latest, start
from papilio.web.opening.database import needs_password
from papilio.web.opening.file import ENDINGS
from papilio.web.opening.files import settle
from papilio.web.opening.policy_file import POLICIES, missing_files
from papilio.web.pages import address
from papilio.web.parts.message import message
from papilio.web.parts.profile_view import profile_view
from papilio.web.parts.section import section
from papilio.web.parts.steps import next_button
from papilio.web.parts.upload import upload
from papilio.web.parts.waiting import wait_for
from papilio.web.passwords import remember
from papilio.web.profiles import TableProfile, load_profiles, save_profiles, sources_of
from papilio.web.project import Project
from papilio.web.suggestions import policy_of_graph, policy_of_linked, policy_of_table


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
