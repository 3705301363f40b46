"""The picture of a target beside the data, brought up to date a moment after each change."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.jobs.run import start
from papilio.web.parts.live import Live
from papilio.web.parts.view import View
from papilio.web.pictures.target import target_picture

#: Seconds to wait for further changes.
_PAUSE = 0.4


class TargetPreview:
    """Follows the policy; what is shown always belongs to the last one that could be drawn."""

    def __init__(self, live: Live) -> None:
        self._project = live.project
        self._drawn = ""
        self._picture = ui.html("", sanitize=False)
        with ui.element("p").classes("legend"):
            TextElement(tag="span", text="the data")
            TextElement(tag="span", text="the target").classes("line-of")
        self._said = TextElement(tag="p", text="").classes("hint").props("role=status")
        self._timer = ui.timer(_PAUSE, self._draw, once=True)
        live.follow(self._changed)

    def _changed(self, view: View) -> None:
        del view
        self._timer.cancel()
        with self._picture:
            self._timer = ui.timer(_PAUSE, self._draw, once=True)

    async def _draw(self) -> None:
        draft = load_draft(self._project)
        if draft.text == self._drawn:
            return
        if draft.faults():
            self._said.text = "The picture follows when the policy can be run."
            return
        self._drawn = draft.text
        job = await start(self._project, "target_preview", {"text": draft.text}).over()
        if job.failure is not None:
            self._picture.content = ""
            self._said.text = job.failure.message
            return
        found = job.result()
        self._picture.content = target_picture(
            found["labels"], found["data"], found["target"], found["distance"]
        )
        parts = " Parts of the rows have targets of their own." if found["parts"] else ""
        self._said.text = (
            f"Data and target are {found['distance']:.0%} apart: the farther, the wider the "
            f"published ranges.{parts}"
        )
