"""The owner's report: made on demand, then opened, saved or printed."""

from __future__ import annotations

from nicegui import ui

from papilio.web.downloads import download_address
from papilio.web.jobs.job import Job
from papilio.web.jobs.run import start
from papilio.web.parts.message import message
from papilio.web.parts.progress import progress
from papilio.web.parts.which_release import policy_of
from papilio.web.project import Project

# Printing has to begin in the browser, at the click itself.
_PRINT = """() => {
  const frame = document.createElement('iframe');
  frame.style.display = 'none';
  frame.src = ADDRESS;
  frame.onload = () => frame.contentWindow.print();
  document.body.appendChild(frame);
}"""


def report_button(project: Project, number: int) -> None:
    """Offer the report on a release."""
    name = f"report-{number}.html"
    with ui.element("div").classes("report-button") as box:
        _offer(project, number, name, box)


def _offer(project: Project, number: int, name: str, box: ui.element) -> None:
    if (project.reports / name).is_file():
        _links(project, name)
        return

    def make() -> None:
        order = {"text": policy_of(project, number), "number": number, "name": name}
        job = start(project, "report", order, makes=project.reports / name)
        box.clear()
        with box:
            progress(job, over, title="Progress of the report")

    def over(job: Job) -> None:
        if job.failure is not None:
            message(job.failure.message, "error")
        else:
            _links(project, name)

    ui.button("Make the owner’s report", icon="description", on_click=make).classes("secondary")


def _links(project: Project, name: str) -> None:
    shown = download_address(project, "reports", name, inline=True)
    with ui.element("div").classes("buttons"):
        ui.link("Open the report", shown, new_tab=True).classes("button secondary")
        link = ui.link("Save the report", download_address(project, "reports", name))
        link.classes("button secondary").props["download"] = True
        ui.button("Print / PDF", icon="print").classes("secondary").on(
            "click", js_handler=_PRINT.replace("ADDRESS", repr(shown))
        )
