"""One column in the list of columns: what it is, how it looks, and its role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.forms.column_form import NOT_PUBLISHED, ColumnForm, read_column, role_texts
from papilio.web.forms.edits import ABSENT
from papilio.web.forms.facts import ColumnFacts
from papilio.web.forms.places import Place
from papilio.web.forms.role_edits import role_edits
from papilio.web.parts.choice import Choice
from papilio.web.parts.column_details import ColumnDetails
from papilio.web.parts.live import Live
from papilio.web.parts.view import View, edit
from papilio.web.pictures.bars import bars

_ROLE_CLASS = {role: f"is-{role.replace(' ', '-')}" for role in (*role_texts(), "key")}


class ColumnRow:
    """Draws a column and follows the policy.

    Parameters
    ----------
    live
        The part of the page it is in.
    view
        The policy now.
    place
        The table the column is in.
    name
        The column.
    facts
        What its profile says, if there is one.
    """

    def __init__(
        self, live: Live, view: View, place: Place, name: str, facts: ColumnFacts | None
    ) -> None:
        self._live, self._place, self._name, self._facts = live, place, name, facts
        self.identity = place.in_page(name)
        self._counts: Mapping[str, Any] = {}
        self._details: ColumnDetails | None = None
        with ui.element("li").classes("column-row") as self._row:
            self._head()
            self._picture = ui.html("", sanitize=False).classes("picture")
            self._control(view)
            self._complaint = TextElement(tag="p", text="").classes("complaint")
            self._inside = ui.element("div").classes("details").props(f"id=details-{self.identity}")
        self._inside.set_visibility(False)
        live.follow(self.show)
        self.show(view)

    def _head(self) -> None:
        with ui.element("div").classes("what"):
            TextElement(tag="span", text=self._name).classes("column-name")
            self._known = TextElement(tag="span", text=_known(self._facts)).classes("known")
            if self._facts is not None and self._name not in self._place.keys:
                reason = f"Suggested: {self._facts.role} ({self._facts.reason})"
                TextElement(tag="span", text=reason).classes("reason")

    def _control(self, view: View) -> None:
        with ui.element("div").classes("control"):
            if self._name in self._place.keys:
                TextElement(tag="span", text="key").classes("chip")
                return
            texts = role_texts()
            options = {role: texts[role] for role in (*self._place.roles, NOT_PUBLISHED)}
            self._role = Choice(
                f"Role of {self._name}",
                options,
                self._said(view).role or NOT_PUBLISHED,
                self._chosen,
                name=f"role-{self.identity}",
                quiet=True,
            )
            self._more = ui.button("Details", on_click=self._toggle).classes("secondary small")
            self._more.props(
                f"id=more-{self.identity} aria-expanded=false "
                f"aria-controls=details-{self.identity} no-caps"
            )
            self._more.props["aria-label"] = f"Details of {self._name}"

    def _said(self, view: View) -> ColumnForm:
        return read_column(self._name, view.said(self._place.column(self._name), ABSENT))

    def _chosen(self, role: str) -> None:
        tree = load_draft(self._live.project).tree
        wanted = None if role == NOT_PUBLISHED else role
        edit(self._live.project, *role_edits(tree, self._place, self._name, wanted))

    def show(self, view: View) -> None:
        """Show what the policy says of the column now."""
        is_key = self._name in self._place.keys
        form = self._said(view)
        role = "key" if is_key else form.role or NOT_PUBLISHED
        self._row.classes(remove=" ".join(_ROLE_CLASS.values()))
        self._row.classes(add=_ROLE_CLASS.get(role, "is-strange"))
        self._complaint.text = view.complaint(self._place.column(self._name))
        self._complaint.set_visibility(bool(self._complaint.text))
        if not is_key:
            self._role.show(role)

    def show_counts(self, counts: Mapping[str, Any]) -> None:
        """Show how often its values occur."""
        self._counts = counts
        if self._facts is None:
            self._known.text = f"{counts['type']} · {counts['distinct']:,} values"
        described = f"{self._name}: how often its values occur. {most_frequent(counts)}"
        self._picture.content = bars([*counts["rows"], *_others(counts)], described)
        if self._details is not None:
            self._details.show_counts(counts)

    def open(self) -> None:
        """Open the details."""
        if self._details is None:
            with self._inside:
                self._details = ColumnDetails(
                    self._live.project, self._place, self._name, self._facts, self._counts
                )
        self._inside.set_visibility(True)
        self._more.props["aria-expanded"] = "true"
        self._more.update()

    def _toggle(self) -> None:
        if self._inside.visible:
            self._inside.set_visibility(False)
            self._more.props["aria-expanded"] = "false"
            self._more.update()
        else:
            self.open()


def most_frequent(counts: Mapping[str, Any]) -> str:
    """The most frequent label or range in words."""
    if not counts["rows"]:
        return "It has no values."
    most = max(range(len(counts["rows"])), key=counts["rows"].__getitem__)
    return f"Most frequent: {counts['labels'][most]}, {counts['rows'][most]:,} rows."


def _others(counts: Mapping[str, Any]) -> list[int]:
    return [counts["others"]] if counts["others"] else []


def _known(facts: ColumnFacts | None) -> str:
    if facts is None:
        return ""
    missing = f" · {facts.missing_share:.1%} missing" if facts.missing_share else ""
    return f"{facts.type} · {facts.distinct:,} values{missing}"
