"""The Run step: what will be done, the run itself, and what to do if it cannot be done."""

from __future__ import annotations

from nicegui import ui

from papilio.web.changes import change, on_change
from papilio.web.draft import Draft, load_draft
from papilio.web.jobs.job import Job, State
from papilio.web.jobs.messages import Failure
from papilio.web.jobs.run import running, start
from papilio.web.nearest import nearest
from papilio.web.pages import address
from papilio.web.parts.message import message
from papilio.web.parts.order_summary import order_summary
from papilio.web.parts.policy_panel import fault_text
from papilio.web.parts.progress import progress
from papilio.web.parts.section import section
from papilio.web.project import Project


def page(project: Project) -> None:
    """Draw the page."""
    with section("What will be done"):
        summary = ui.element("div")
    with section(
        "Run", "Papilio anonymises the data, verifies the result, and only then writes it."
    ):
        body = ui.element("div").props("id=run")
    view = _Run(project, summary, body)
    on_change(project, view.show)
    view.show(load_draft(project))
    job = running(project)
    if job is not None:
        view.follow(job)


def begin(project: Project) -> Job:
    """Start the run that the policy orders.

    Raises
    ------
    PapilioError
        If the project is busy with another one.
    """
    target = project.next_release()
    order = {"text": load_draft(project).text, "number": int(target.name)}
    return start(project, "publish", order, makes=target)


class _Run:
    """The two cards of the page, redrawn when the policy changes."""

    def __init__(self, project: Project, summary: ui.element, body: ui.element) -> None:
        self._project = project
        self._summary = summary
        self._body = body
        self._busy = False

    def show(self, draft: Draft, failure: Failure | None = None) -> None:
        """Show what the policy orders, and the button."""
        faults = draft.faults()
        self._summary.clear()
        with self._summary:
            if faults:
                message("The policy is not complete yet:", "warning")
                for fault in faults:
                    ui.label(fault_text(fault)).classes("fault")
            else:
                order_summary(self._project, draft)
        if not self._busy:
            self._offer(draft, ready=not faults, failure=failure)

    def follow(self, job: Job) -> None:
        """Show how far a run is."""
        self._busy = True
        self._body.clear()
        with self._body:
            if job.verb != "publish":
                message(f"This project is busy with another piece of work ({job.verb}).")
            progress(job, self._over, title="Progress of the run")

    def _offer(self, draft: Draft, *, ready: bool, failure: Failure | None) -> None:
        self._body.clear()
        with self._body:
            if failure is not None:
                self._failed(draft, failure)
            button = ui.button("Run", icon="play_arrow", on_click=self._start).classes("primary")
            button.set_enabled(ready)

    def _start(self) -> None:
        self.follow(begin(self._project))

    def _over(self, job: Job) -> None:
        self._busy = False
        if job.state is State.DONE and job.verb == "publish":
            number = job.result().number
            ui.navigate.to(address(self._project, "result", release=number))
            return
        self.show(load_draft(self._project), job.failure)

    def _failed(self, draft: Draft, failure: Failure) -> None:
        if failure.reason == "cancelled":
            message("Cancelled. Nothing was written.", "warning")
            return
        if failure.faults:
            message("The policy does not fit the data:", "error")
            for fault in failure.faults:
                ui.label(fault_text(fault)).classes("fault")
            return
        message(f"{failure.message[:1].upper()}{failure.message[1:]}.", "error")
        found = nearest(failure, draft)
        if found is not None:
            ui.button(f"Use that: {found.words}", on_click=lambda: self._use(found.draft)).classes(
                "secondary"
            )

    def _use(self, draft: Draft) -> None:
        change(self._project, draft)
        self._start()
