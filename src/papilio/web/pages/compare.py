"""The Compare step: other settings side by side, each to be opened with a click."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from papilio.document.text import percentage
from papilio.errors import PolicyError
from papilio.web.attempts import load_attempts
from papilio.web.changes import change
from papilio.web.draft import load_draft
from papilio.web.jobs.job import Job
from papilio.web.jobs.run import running, start
from papilio.web.pages import address
from papilio.web.pages.run import begin
from papilio.web.parts.message import message
from papilio.web.parts.progress import progress
from papilio.web.parts.section import section
from papilio.web.parts.settings_form import SettingsForm
from papilio.web.parts.settings_table import settings_table
from papilio.web.parts.trade_off import Point, trade_off
from papilio.web.parts.which_release import title
from papilio.web.project import Project
from papilio.web.records import Record, records
from papilio.workflow.settings import choices_for
from papilio.workflow.try_settings import Attempt


def page(project: Project) -> None:
    """Draw the page."""
    try:
        policy = load_draft(project).policy()
        choices = choices_for(policy)
    except PolicyError:
        message("The policy is not complete yet; what is missing stands beside it.", "warning")
        return
    with section(
        "Settings to try",
        "Each is tried on your data and measured. Nothing is published.",
    ):
        form = SettingsForm(choices)
        work = ui.element("div").props("id=comparing")
    found = ui.element("div").props("id=compared")
    view = _Compare(project, form, work, found, policy.family.loss_words)
    view.offer()
    view.show()


class _Compare:
    """The button, and the chart under it."""

    def __init__(
        self,
        project: Project,
        form: SettingsForm,
        work: ui.element,
        found: ui.element,
        loss_words: str,
    ) -> None:
        self._project = project
        self._form = form
        self._work = work
        self._found = found
        self._loss_words = loss_words

    def offer(self, failed: str = "") -> None:
        """Show the button, or the comparison that is under way."""
        self._work.clear()
        job = running(self._project)
        with self._work:
            if job is not None:
                progress(job, self._over, title="Progress of the comparison")
                return
            if failed:
                message(failed, "error")
            ui.button("Compare", icon="insights", on_click=self._start).classes("primary")

    def show(self) -> None:
        """Show what was tried last, and the releases there are."""
        attempts, made = load_attempts(self._project), tuple(records(self._project))
        self._found.clear()
        with self._found:
            if not attempts and not made:
                return
            with section(
                "Loss and privacy",
                "The lower a point, the more detail is kept. Click one to open it: its setting is "
                "written into the policy and run.",
            ):
                points = [*self._tried(attempts), *self._made(made)]
                parameter = attempts[0].setting.parameter if attempts else "k"
                if points:
                    trade_off(points, parameter, self._loss_words)
                settings_table(attempts, made, self._opener, self._shower)

    def _start(self) -> None:
        if not self._form.series or not self._form.values:
            self.offer("choose at least one of each")
            return
        order = {
            "text": load_draft(self._project).text,
            "series": self._form.series,
            "values": self._form.values,
        }
        start(self._project, "compare", order)
        self.offer()

    def _over(self, job: Job) -> None:
        failed = "" if job.failure is None else job.failure.message
        self.offer(failed)
        self.show()

    def _tried(self, attempts: tuple[Attempt, ...]) -> list[Point]:
        return [
            Point(
                each.setting.series,
                each.setting.value,
                each.loss,
                f"{words(each)}, loss {percentage(each.loss)}",
                self._opener(each),
            )
            for each in attempts
            if each.loss is not None
        ]

    def _made(self, made: tuple[Record, ...]) -> list[Point]:
        return [
            Point("", each.k, each.loss, title(each.number, each), self._shower(each))
            for each in made
            if each.loss is not None and each.k is not None
        ]

    def _opener(self, attempt: Attempt) -> Callable[[], None]:
        """Write a setting into the policy and run it, or show the release it gave already."""

        def open_setting() -> None:
            draft = load_draft(self._project)
            for path, value in attempt.setting.changes:
                draft = draft.with_value(path, value)
            change(self._project, draft)
            made = next((r for r in records(self._project) if r.text == draft.text), None)
            if made is not None:
                self._shower(made)()
                return
            begin(self._project)
            ui.navigate.to(address(self._project, "run"))

        return open_setting

    def _shower(self, record: Record) -> Callable[[], None]:
        target = address(self._project, "result", release=record.number)
        return lambda: ui.navigate.to(target)


def words(attempt: Attempt) -> str:
    """A setting in a few words."""
    return f"{attempt.setting.series}, {attempt.setting.parameter} = {attempt.setting.value:g}"
