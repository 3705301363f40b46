"""How far a job is: stage, bar, time, and a way to end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from papilio.web.jobs.run import Job
from papilio.web.parts.blocks import paragraph

#: Seconds between two looks at a job.
_LOOK = 0.2
#: Seconds after which the first run of a method is explained.
_SLOW = 4.0

#: Stages that compile nothing, and those before them.
_QUICK = ("starting", "reading", "writing", "verifying", "drawing", "counting")

#: Stages in words.
_WORDS = {
    "starting": "Starting",
    "reading": "Reading the data",
    "encoding": "Encoding the columns",
    "sorting": "Sorting the values",
    "weighing": "Weighing the columns",
    "planning": "Looking for a plan",
    "dividing": "Dividing the rows into groups that shall look alike",
    "grouping left": "Grouping the left side",
    "grouping right": "Grouping the right side",
    "generalising": "Writing generalised cells",
    "permuting": "Permuting values inside their groups",
    "masking": "Masking who is linked to whom",
    "building": "Building the tables",
    "writing": "Writing the release",
    "verifying": "Verifying, independently of the method",
    "attacking": "Attacking, as somebody who gets the release could",
    "measuring": "Measuring the risk",
    "counting": "Counting",
    "drawing": "Drawing",
    "asking": "Asking",
    "done": "Done",
}


def progress(
    job: Job, on_over: Callable[[Job], Any], *, title: str = "", cancel: bool = True
) -> None:
    """Show how far a job is, until it is over; nothing of it is left on the page then.

    The bar shows the share that was done when the stage began; the light that runs over it says
    only that work goes on.

    Parameters
    ----------
    job
        The job; it may be over already.
    on_over
        Called in the page when it is.
    title
        What is under way.
    cancel
        Whether the reader may end it.
    """
    with ui.element("div").classes("progress") as box:
        with ui.element("div").classes("progress-head"):
            stage = ui.label().classes("stage").props("role=status")
            elapsed = ui.label().classes("elapsed").props("aria-hidden=true")
        bar = ui.linear_progress(value=0.0, show_value=False, size="10px")
        bar.props(f'rounded aria-label="{title or "Progress"}"').classes("working")
        slow = paragraph(
            "The first run of a method takes up to half a minute longer: its kernels are "
            "compiled for this machine, once."
        )
        slow.set_visibility(False)
        if cancel:
            ending = ui.button("Cancel", icon="close", on_click=job.cancel).classes("secondary")
            ending.on_click(lambda: ending.props("disable"))

    def look() -> None:
        if job.running:
            stage.set_text(words(job.progress.stage))
            elapsed.set_text(f"{job.seconds:.0f} s")
            bar.set_value(max(job.progress.share, 0.02))
            slow.set_visibility(job.seconds > _SLOW and job.progress.stage not in _QUICK)
            return
        timer.cancel()
        # First, since what is drawn next may clear the place.
        box.delete()
        with place:
            on_over(job)

    place = ui.context.slot
    timer = ui.timer(_LOOK, look)


def words(stage: str) -> str:
    """A stage in words; names of attacks and methods as they are."""
    return _WORDS.get(stage, stage.replace("_", " ").capitalize())
