"""The Requirements step: what must hold of the release, and how it is reached."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.errors import PapilioError
from papilio.families.family import Family
from papilio.families.keys import Key, key_at
from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import FIRST
from papilio.web.forms.edits import Edit, mapping_at
from papilio.web.forms.fields import (
    Facts,
    Offer,
    family_of,
    methods_of,
    offers,
    options_for,
    table_with,
)
from papilio.web.forms.recipients_form import columns_with_role
from papilio.web.forms.switch_family import choose_method, only_sensitive, switch_family
from papilio.web.known import facts, profiled
from papilio.web.parts.blocks import (
    complaint,
    folded,
    left_out,
    message,
    next_button,
    section,
    sheets,
)
from papilio.web.parts.demands import demand_shape, family_demands
from papilio.web.parts.fields import Choice, field, field_or_complaint, slot_at
from papilio.web.parts.live import Live, View, edit, view_of
from papilio.web.parts.maps import graph_map, tables_map
from papilio.web.project import Project
from papilio.workflow.publish import choice_of


def family_cards(
    offers: Sequence[Offer], on_choose: Callable[[Family], None]
) -> Callable[[Family], None]:
    """Draw a card per family; those that the data does not allow say what they lack.

    Returns
    -------
    Callable
        Shows which family is chosen. Nothing is drawn anew, so whoever walks through the cards by
        keys stays where they are.
    """
    with ui.element("fieldset").classes("families").props('aria-label="Kind of release"'):
        radios = {offer.family: _card(offer, on_choose) for offer in offers}

    def show(present: Family) -> None:
        for family, radio in radios.items():
            radio.props["checked"] = family is present
            radio.update()

    return show


def _card(offer: Offer, on_choose: Callable[[Family], None]) -> ui.element:
    words = offer.family.words
    with ui.element("label").classes("family"):
        radio = ui.element("input").props(f'type=radio name=family id="family-{offer.family.name}"')
        if not offer.possible:
            radio.props["disabled"] = True
        radio.on("change", lambda: on_choose(offer.family))
        with ui.element("div").classes("title"):
            ui.icon(words.icon).props("aria-hidden=true")
            TextElement(tag="span", text=words.title)
        TextElement(tag="div", text=words.when).classes("when")
        if offer.lacks:
            TextElement(tag="div", text=f"It {offer.lacks}.").classes("lacks")
    return radio


def option_fields(view: View, live: Live, family: Family, rows: Callable[[View], int]) -> None:
    """Draw the method, with the reason for it, and the options that go with it."""
    with section("How it is reached", "Any method keeps the promise; they differ in what is lost."):
        _method(view, live, family)
        why = message(_why(view, rows(view)), "info")
        label = why.default_slot.children[-1]

        def follow(later: View) -> None:
            label.set_text(_why(later, rows(later)))  # type: ignore[attr-defined]

        live.follow(follow)
        found = options_for(view.tree, family)
        if found:
            said = any(view.said(each.path) is not None for each in found)
            with folded("More options", opened=said), ui.element("div").classes("options"):
                for key in found:
                    _option(view, live, key)


def _why(view: View, rows: int) -> str:
    if view.faults:
        return "Papilio chooses a method as soon as the policy can be run."
    try:
        choice = choice_of(view.draft.policy(), rows)
    except PapilioError:
        return "Papilio chooses a method when the policy runs."
    return f"Method: {choice.method} ({choice.why})."


def _method(view: View, live: Live, family: Family) -> None:
    key = key_at("method")
    offered = {"": key.choices["auto"], **methods_of(family)}
    slot = slot_at(live, key, "option", offered)

    def write(name: Any) -> None:
        tree = load_draft(live.project).tree
        edit(live.project, *choose_method(tree, family_of(tree), name))

    as_left_out = replace(slot, read=lambda view: _named(slot.read(view)), write=write)
    field_or_complaint(view, live, as_left_out)


def _named(said: Any) -> Any:
    return None if said == "auto" else said


def _option(view: View, live: Live, key: Key) -> None:
    with ui.element("div").classes("option"):
        slot = slot_at(live, key, "option")
        field(view, live, slot)
        TextElement(tag="p", text=key.words.plain).classes("hint")
        complaint(view, live, key.path)


#: Pictures of data that is not one table, by the key that holds it.
_MAPS = {"tables": tables_map, "graph": graph_map}


def page(project: Project) -> None:
    """Draw the page."""
    sheets()
    _Requirements(project)
    next_button(project, "run")


class _Requirements:
    """Family, demands and method, each as far as the policy has them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._facts: Facts = facts(project)
        self._notes = ui.element("div")
        hint = "Each protects something else. What you chose before stays, where it fits."
        with section("Which kind of release", hint):
            self._cards = Live(project, self._family_shape, self._draw_families)
        self._live = Live(project, self._shape, self._draw)
        ui.timer(0.05, self._look, once=True)

    def _family_shape(self, view: View) -> Hashable:
        return offers(view.tree, self._facts)

    def _draw_families(self, view: View, live: Live) -> None:
        show = family_cards(offers(view.tree, self._facts), self._choose)
        live.follow(lambda later: show(family_of(later.tree)))
        show(family_of(view.tree))

    def _choose(self, family: Family) -> None:
        tree = load_draft(self._project).tree
        edits = switch_family(tree, self._facts, family)
        edit(self._project, *edits)
        with self._notes:
            left_out(edits)

    def _shape(self, view: View) -> Hashable:
        family = family_of(view.tree)
        tables = tuple(
            (name, tuple(said) if isinstance(said, dict) else ())
            for name, said in mapping_at(view.tree, ("tables",)).items()
        )
        return (
            family,
            demand_shape(view, family),
            tuple(each.path for each in options_for(view.tree, family)),
            columns_with_role(view.tree, "sensitive"),
            columns_with_role(view.tree, "quasi"),
            tables,
            str(view.said(("person",))),
            self._graph_shape(view),
            self._facts if family.data is not None else (),
        )

    def _graph_shape(self, view: View) -> Hashable:
        graph = mapping_at(view.tree, ("graph",))
        return tuple((part, str(mapping_at(graph, (part,)).get("source"))) for part in graph)

    def _draw(self, view: View, live: Live) -> None:
        family = family_of(view.tree)
        if family.data in _MAPS and family.data in view.tree:
            _MAPS[family.data](view, live, self._facts)
        elif family.words.one_secret:
            self._secret(view)
        family_demands(view, live, family)
        option_fields(view, live, family, self._rows)

    def _rows(self, view: View) -> int:
        table = table_with(self._facts, view.said(("source",)))
        return table.rows if table else 0

    def _secret(self, view: View) -> None:
        """These families have one sensitive column; which, if the policy has none or several."""
        names = columns_with_role(view.tree, "sensitive")
        if len(names) == 1:
            return
        quasi = columns_with_role(view.tree, "quasi")
        hint = "This kind of release is about one sensitive column."
        with section("The secret column", hint):
            if names:
                message("The other sensitive columns are then not published.", "warning")
            Choice(
                "Sensitive column",
                {"": "choose…", **{name: name for name in (names or quasi)}},
                "",
                self._only,
                name="secret",
            )

    def _only(self, column: str) -> None:
        tree = load_draft(self._project).tree
        edits = only_sensitive(tree, column)
        if "target" in family_of(tree).demands:
            edits = (*edits, Edit(("privacy", "target"), {column: FIRST}))
        edit(self._project, *edits)

    async def _look(self) -> None:
        with self._notes:
            try:
                found = await profiled(self._project)
            except PapilioError as error:
                message(str(error), "error")
                return
        if found != self._facts:
            self._facts = found
            view = view_of(load_draft(self._project))
            self._cards.show(view)
            self._live.show(view)
