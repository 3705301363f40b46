"""A bar that moves while a child process works."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import ui

from papilio.web.jobs.job import Job

#: Seconds between two looks.
_LOOK = 0.1


async def wait_for(job: Job, title: str) -> Any:
    """Show how far a job is until it is over, with a button to cancel it.

    Returns
    -------
    Any
        Its result.

    Raises
    ------
    JobError
        If it failed or was cancelled.
    """
    with ui.element("div").classes("waiting").props("role=status") as box:
        label = ui.label(title)
        bar = ui.linear_progress(0.0, show_value=False).props('rounded aria-label="Progress"')
        ui.button("Cancel", on_click=job.cancel).classes("secondary")
    try:
        while job.running:
            label.text = f"{title} · {job.progress.stage}"
            bar.value = round(job.progress.share, 3)
            await asyncio.sleep(_LOOK)
    finally:
        if not box.is_deleted:
            box.delete()
    return job.result()
