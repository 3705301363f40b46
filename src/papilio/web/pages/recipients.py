"""The Recipients step: who gets the release, and what each of them may know."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families import families
from papilio.families.family import Family
from papilio.web.draft import load_draft
from papilio.web.forms.fields import demand_key, family_of
from papilio.web.forms.recipients_form import (
    RecipientForm,
    add_recipient,
    drop_recipient,
    let_know,
    read_recipients,
    rename_recipient,
)
from papilio.web.forms.switch_family import switch_family
from papilio.web.known import facts
from papilio.web.parts.blocks import complaint, message, next_button, section, sheets
from papilio.web.parts.demands import demand
from papilio.web.parts.live import Live, View, edit
from papilio.web.pictures import described, who_knows_what
from papilio.web.project import Project

#: Title of a way, and a sentence about it.
Way = tuple[str, str]


def two_ways(one: Way, other: Way, *, second: bool, on_choose: Callable[[bool], None]) -> None:
    """Draw two cards; ``second`` says which is chosen, and ``on_choose`` is told the same."""
    with (
        ui.element("fieldset")
        .classes("families two-ways")
        .props(f'aria-label="{one[0]} or {other[0]}"')
    ):
        for number, (title, sentence) in enumerate((one, other)):
            with ui.element("label").classes("family"):
                radio = ui.element("input").props(f"type=radio name=way id=way-{number}")
                if bool(number) is second:
                    radio.props["checked"] = True
                radio.on("change", lambda number=number: on_choose(bool(number)))
                TextElement(tag="div", text=title).classes("title")
                TextElement(tag="div", text=sentence).classes("when")


_WHY = (
    "Several recipients get the same release. Each finds at least k rows on what they can know. "
    "Columns that only one of them knows need not be alike for the others, so less detail is lost "
    "than if all of them were one: the more different the wings, the more is saved."
)


def _one_recipient() -> Family:
    """The usual family, which is offered first."""
    return families()[0]


def _several_recipients() -> Family:
    return next(family for family in families() if "recipients" in family.keys)


def page(project: Project) -> None:
    """Draw the page."""
    sheets()
    _Recipients(project)
    next_button(project, "requirements")


class _Recipients:
    """Who gets the release, as far as the policy says it."""

    def __init__(self, project: Project) -> None:
        self._project = project
        hint = "Everybody who gets it sees the same release; what they know besides differs."
        with section("Who gets the release", hint):
            Live(project, lambda view: family_of(view.tree), self._draw_ways)
        Live(project, self._shape, self._draw)

    def _draw_ways(self, view: View, live: Live) -> None:
        del live
        family = family_of(view.tree)
        several = "recipients" in family.keys
        two_ways(
            (
                "Anybody may know everything",
                "Whoever gets the release may know all quasi-identifiers of a person.",
            ),
            (
                "Several named recipients",
                "Each can know some of the quasi-identifiers, and no other column.",
            ),
            second=several,
            on_choose=self._choose,
        )
        if family not in (_one_recipient(), _several_recipients()):
            message(
                "The kind of release chosen under Requirements is made for one recipient. Naming "
                "several changes it to classes of rows.",
                "info",
            )

    def _choose(self, several: bool) -> None:
        tree = load_draft(self._project).tree
        family = _several_recipients() if several else _one_recipient()
        edit(self._project, *switch_family(tree, facts(self._project), family))

    def _shape(self, view: View) -> Hashable:
        form = read_recipients(view.tree)
        names = tuple(each.name for each in form.recipients)
        return family_of(view.tree), names, form.quasi, form.together is None

    def _draw(self, view: View, live: Live) -> None:
        form = read_recipients(view.tree)
        if not form.recipients:
            return
        with section("Who can know what", _WHY):
            picture = ui.html(who_knows_what(form), sanitize=False)
            said = TextElement(tag="p", text=described(form)).classes("hint")

            def follow(later: View) -> None:
                now = read_recipients(later.tree)
                picture.content = who_knows_what(now)
                said.text = described(now)

            live.follow(follow)
            with ui.element("div").classes("recipient-grid"):
                for recipient in form.recipients:
                    self._recipient(view, live, recipient)
            complaint(view, live, ("recipients",))
            ui.button("Add a recipient", icon="add", on_click=self._add).classes(
                "secondary small"
            ).props("no-caps id=add-recipient")
        with section("If they put together what they know"):
            demand(view, live, demand_key(_several_recipients(), "collusion_k"))

    def _recipient(self, view: View, live: Live, recipient: RecipientForm) -> None:
        name = recipient.name
        with ui.element("div").classes("recipient"):
            self._name(name)
            boxes = {}
            with ui.element("fieldset").classes("units"):
                TextElement(tag="legend", text=f"{name} can know")
                for column in read_recipients(view.tree).quasi:
                    boxes[column] = ui.checkbox(
                        column,
                        value=column in recipient.known,
                        on_change=lambda event, column=column: self._know(
                            name, column, event.value
                        ),
                    )
            ui.button("Remove", on_click=lambda: self._drop(name)).classes("secondary small").props[
                "aria-label"
            ] = f"Remove {name}"

        def follow(later: View) -> None:
            for each in read_recipients(later.tree).recipients:
                if each.name == name:
                    for column, box in boxes.items():
                        if box.value != (column in each.known):
                            box.value = column in each.known

        live.follow(follow)

    def _name(self, name: str) -> None:
        box = ui.input("Name", value=name).props("outlined dense").classes("text-box")

        def rename() -> None:
            form = read_recipients(load_draft(self._project).tree)
            edits = rename_recipient(form, name, (box.value or "").strip())
            if edits:
                edit(self._project, *edits)
            else:
                box.value = name

        # Not at every letter: the name is a key, and half of one is another.
        box.on("blur", rename)
        box.on("keydown.enter", rename)

    def _know(self, name: str, column: str, knows: Any) -> None:
        form = read_recipients(load_draft(self._project).tree)
        known = next((each.known for each in form.recipients if each.name == name), None)
        if known is not None and (column in known) is not bool(knows):
            edit(self._project, *let_know(form, name, column, bool(knows)))

    def _add(self) -> None:
        edit(self._project, *add_recipient(read_recipients(load_draft(self._project).tree)))

    def _drop(self, name: str) -> None:
        edit(self._project, *drop_recipient(read_recipients(load_draft(self._project).tree), name))
