"""Three lights: whether claims hold, what is learnt and who stands alone, with what would help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from papilio.attack.lights import Colour
from papilio.web.draft import change, load_draft
from papilio.web.pages import address
from papilio.web.parts.blocks import heading
from papilio.web.project import Project

#: Sign and look of a light; the word beside it says the same to who sees no colours.
_SIGNS: Mapping[str, tuple[str, str]] = {
    Colour.GREEN: ("check_circle", "good"),
    Colour.GREY: ("help", "unknown"),
    Colour.AMBER: ("warning", "warning"),
    Colour.RED: ("cancel", "bad"),
}
#: What hides the rest of a long list of reasons.
_FEW = 3

Said = Mapping[str, Any]


def show_lights(project: Project, said: Said) -> None:
    """Show the lights of a release.

    Parameters
    ----------
    project
        Whose policy a remedy is written into.
    said
        The lights as plain data (:meth:`papilio.attack.lights.Lights.to_dict`).
    """
    with ui.element("div").classes("lights").props("role=status"):
        for light in said["lights"]:
            _light(project, light)


def exposing(said: Said | None) -> bool:
    """Whether one of the lights is amber or red."""
    return said is not None and Colour(said["worst"]) in (Colour.AMBER, Colour.RED)


def _light(project: Project, light: Said) -> None:
    colour = Colour(light["colour"])
    icon, look = _SIGNS[colour]
    with ui.element("div").classes(f"light {look}").props(f"data-light={light['light']}"):
        ui.icon(icon).props("aria-hidden=true")
        with ui.element("div").classes("said"):
            title = light["title"][:1].upper() + light["title"][1:]
            heading(f"{title}: {colour.face}", 2)
            ui.label(light["sentence"])
            _reasons(light)
            for remedy in _remedies(light):
                _remedy(project, remedy)
            for text in _otherwise(light):
                with ui.element("div").classes("remedy"):
                    ui.label(f"No line of the policy closes all of it: {text}")


def _reasons(light: Said) -> None:
    """All that was found, and what was not tried, folded away."""
    lines = [each["line"] for each in light["findings"]]
    if len(lines) < 2 and not light["notes"]:
        return
    with ui.element("details"):
        with ui.element("summary"):
            ui.label("All reasons" if lines else "What was not tried")
        with ui.element("ul"):
            for line in dict.fromkeys([*lines, *light["notes"]]):
                with ui.element("li"):
                    ui.label(line)


def _remedies(light: Said) -> list[Said]:
    """What to change, the most urgent first, each change once."""
    found = [each["remedy"] for each in light["findings"] if each["remedy"] is not None]
    return list({each["line"]: each for each in reversed(found)}.values())[::-1][:_FEW]


def _otherwise(light: Said) -> list[str]:
    """What helps where no line of the policy does; lights of an earlier version do not say it."""
    found = [each.get("otherwise") for each in light["findings"]]
    return [text for text in dict.fromkeys(found) if text][:_FEW]


def _remedy(project: Project, remedy: Said) -> None:
    with ui.element("div").classes("remedy"):
        with ui.element("div"):
            ui.label(remedy["why"])
            ui.label(remedy["line"]).classes("code")
        button = ui.button(
            "Write it into the policy", icon="edit", on_click=_writer(project, remedy)
        )
        button.classes("secondary small").props(
            f'aria-label="Write into the policy: {_quoted(remedy)}"'
        )


def _quoted(remedy: Said) -> str:
    return str(remedy["line"]).replace('"', "’")


def _writer(project: Project, remedy: Said) -> Callable[[], None]:
    """Change the policy as a remedy says, and lead to the run."""

    def write() -> None:
        draft = load_draft(project)
        for each in remedy["changes"]:
            path = tuple(each["path"])
            value = each["value"]
            draft = draft.without(path) if value is None else draft.with_value(path, value)
        change(project, draft)
        ui.navigate.to(address(project, "run"))

    return write


class Download:
    """The link to a release; where a light is amber or red, a question stands before it, once.

    Parameters
    ----------
    target
        Address of the release.
    """

    def __init__(self, target: str) -> None:
        self._target, self._agreed = target, False
        self._place = ui.element("div").classes("download")
        # Beside the link: lights that come while the question is read must not take it away.
        self._questions = ui.element("div")
        self.show(None)

    def show(self, said: Said | None) -> None:
        """Draw it for what is known of the lights, which may be nothing yet."""
        self._place.clear()
        with self._place:
            if said is None or self._agreed or not exposing(said):
                self._link("Download the release", "button primary")
            else:
                ask = ui.button("Download the release", on_click=lambda: self._ask(said))
                ask.classes("primary")

    def _link(self, text: str, look: str) -> ui.link:
        link = ui.link(text, self._target).classes(look)
        link.props["download"] = True
        return link

    def _ask(self, said: Said) -> None:
        """Say what is exposed, and let the owner decide."""
        bad = [each for each in said["lights"] if Colour(each["colour"]).rank >= Colour.AMBER.rank]
        self._questions.clear()
        with (
            self._questions,
            ui.dialog(value=True).props('aria-label="Hand it out all the same?"') as dialog,
            ui.card().classes("browser"),
        ):
            heading("Hand it out all the same?", 2)
            for light in bad:
                ui.label(light["sentence"])

            def agree() -> None:
                dialog.close()
                self._agreed = True
                self.show(said)

            with ui.element("div").classes("buttons"):
                link = self._link("Download all the same", "button secondary")
                link.on("click", agree)
                ui.button("Keep it here", on_click=dialog.close).classes("secondary")
