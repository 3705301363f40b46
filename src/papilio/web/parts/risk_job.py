"""The risk of a release, measured in the background, for the population the reader names."""

from __future__ import annotations

from nicegui import ui

from papilio.web.jobs.job import Job
from papilio.web.jobs.run import start_or_join
from papilio.web.parts.message import message
from papilio.web.parts.progress import progress
from papilio.web.parts.risk_view import risk_view
from papilio.web.parts.which_release import policy_of
from papilio.web.project import Project


def show_risk(
    project: Project, number: int, place: ui.element, population: int | None = None
) -> None:
    """Measure the risk of a release and show it in a place of the page.

    Parameters
    ----------
    project, number
        The release.
    place
        Where; what stands there goes.
    population
        People the table was drawn from; left out, the table is taken for all of them.
    """

    def over(job: Job) -> None:
        if job.failure is None:
            risk_view(job.result())
        else:
            message(job.failure.message, "error")

    order = {"text": policy_of(project, number), "number": number, "population": population}
    place.clear()
    with place:
        job = start_or_join(project, "risk", order)
        progress(job, over, title="Progress of the attacks", cancel=False)


def population(project: Project, number: int, place: ui.element) -> None:
    """Let the reader say how many people the data was drawn from."""
    with ui.element("div").classes("ask-options"):
        size = ui.number("People it was drawn from, if a sample", min=1, step=1, precision=0)
        size.props("outlined dense").classes("population")

        def measure() -> None:
            show_risk(project, number, place, int(size.value) if size.value else None)

        ui.button("Estimate", on_click=measure).classes("secondary")
