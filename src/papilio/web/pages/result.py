"""The Result step: verdict, risk, loss, rows before and after, and what to do with it."""

from __future__ import annotations

from nicegui import ui

from papilio.verify.verdict import Verdict
from papilio.web.downloads import download_address
from papilio.web.jobs.job import Job
from papilio.web.jobs.run import start_or_join
from papilio.web.pages import address
from papilio.web.parts.document_view import head_of_document, show_parts
from papilio.web.parts.message import message
from papilio.web.parts.progress import progress
from papilio.web.parts.report_button import report_button
from papilio.web.parts.risk_job import population, show_risk
from papilio.web.parts.section import section
from papilio.web.parts.verdict import verdict_banner
from papilio.web.parts.which_release import policy_of, release_picker, which_release
from papilio.web.project import Project
from papilio.web.records import Record, load_record

#: Rows above which nothing is measured unasked: it reads the original into memory.
_MANY = 5_000_000


def page(project: Project) -> None:
    """Draw the page."""
    number = which_release(project)
    if number is None:
        message("There is no release yet. Run the policy first.")
        ui.link("To the run", address(project, "run")).classes("button primary")
        return
    release_picker(project, number, "result")
    record = load_record(project, number)
    view = _Result(project, number)
    if record is not None:
        if record.findings:
            view.show_verdict(Verdict(record.findings))
        _about(record)
    if record is None or record.rows <= _MANY:
        view.measure()
    else:
        view.offer(record.rows)


class _Result:
    """The parts of the page that are filled when they are known."""

    def __init__(self, project: Project, number: int) -> None:
        self._project = project
        self._number = number
        self._verdict = ui.element("div").props("id=verdict")
        self._head = ui.element("div")
        _actions(project, number)
        with section(
            "Risk",
            "Who could be found in the release, and what could be learnt of how many people.",
        ):
            self._risk = ui.element("div").props("id=risk")
            population(project, number, self._risk)
        self._rest = ui.element("div")

    def show_verdict(self, verdict: Verdict) -> None:
        """Say how the release stands as a whole."""
        self._verdict.clear()
        with self._verdict:
            verdict_banner(verdict)

    def measure(self) -> None:
        """Measure loss and risk beside the original."""
        order = {"text": policy_of(self._project, self._number), "number": self._number}
        self._head.clear()
        with self._head:
            job = start_or_join(self._project, "document", order)
            progress(job, self._measured, title="Progress of the measures", cancel=False)
        show_risk(self._project, self._number, self._risk)

    def offer(self, rows: int) -> None:
        """Let the reader decide whether to measure a release of many rows."""
        with self._head:
            message(
                f"The release has {rows:,} rows. Measuring risk and loss reads the original into "
                "memory and takes a while."
            )
            ui.button("Measure", icon="speed", on_click=self.measure).classes("secondary")

    def _measured(self, job: Job) -> None:
        if job.failure is not None:
            message(job.failure.message, "error")
            return
        document = job.result()
        self.show_verdict(document.verdict)
        with self._head:
            head_of_document(document)
        with self._rest:
            show_parts(document.parts)


def _actions(project: Project, number: int) -> None:
    with section("Hand it out, and keep the report to yourself"):
        with ui.element("div").classes("buttons"):
            target = download_address(project, "releases", f"{number}")
            link = ui.link("Download the release", target).classes("button primary")
            link.props["download"] = True
            asking = address(project, "ask", release=number)
            ui.link("Ask it in SQL", asking).classes("button secondary")
            ui.link("Try other settings", address(project, "compare")).classes("button secondary")
        report_button(project, number)


def _about(record: Record) -> None:
    """Say how the release came about."""
    with section("How it was made"):
        ui.label(f"Method: {record.method} ({record.why}). It took {record.seconds:.1f} seconds.")
        if record.left_out:
            names = ", ".join(record.left_out)
            ui.label(f"Not published, because the policy does not mention them: {names}.")
        for note in record.notes:
            ui.label(note)
        with ui.element("details").classes("numbers"):
            with ui.element("summary"):
                ui.label("The policy it was made with")
            ui.code(record.text, language="yaml")
