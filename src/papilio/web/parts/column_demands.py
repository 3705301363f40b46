"""Demands on sensitive columns on the page: one line per demand, and the way to add one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import EVERY, ClosenessForm, DiversityForm
from papilio.web.forms.edits import Edits
from papilio.web.parts.choice import Choice
from papilio.web.parts.complaint import complaint
from papilio.web.parts.live import Live
from papilio.web.parts.view import View, edit

Form = TypeVar("Form", DiversityForm, ClosenessForm)


@dataclass(frozen=True)
class ColumnDemands(Generic[Form]):
    """A requirement that columns can be put under.

    Attributes
    ----------
    key
        Its key under ``privacy``, with which the names of its controls begin.
    title, button
        What the page calls it, and demanding it of one more column.
    form
        Makes a demand on a column.
    read, edits
        All demands from the policy, and to it.
    fields
        Draws the controls of a demand besides its column.
    """

    key: str
    title: str
    button: str
    form: Callable[[str], Form]
    read: Callable[[Mapping[str, Any]], tuple[Form, ...]]
    edits: Callable[[Iterable[Form]], Edits]
    fields: Callable[[Line[Form]], None]

    def write(self, live: Live, how: Callable[[list[Form]], list[Form]]) -> None:
        """Change the list of demands as it is in the policy by now."""
        tree = load_draft(live.project).tree
        edit(live.project, *self.edits(how(list(self.read(tree)))))


@dataclass(frozen=True)
class Line(Generic[Form]):
    """One demand on the page; ``number`` is its place among those of its requirement."""

    demands: ColumnDemands[Form]
    live: Live
    number: int
    form: Form

    def name(self, field: str) -> str:
        """Name of a control of this demand, unique on the page."""
        return f"{self.demands.key}-{field}-{self.number}"

    def change(self, how: Callable[[Form], Form]) -> None:
        """Change this demand in the policy."""
        self.demands.write(
            self.live,
            lambda now: [how(each) if n == self.number else each for n, each in enumerate(now)],
        )

    def remove(self) -> None:
        """Take this demand out of the policy."""
        self.demands.write(
            self.live, lambda now: [each for n, each in enumerate(now) if n != self.number]
        )

    def follow(self, show: Callable[[Form], None]) -> None:
        """Show this demand as later policies have it."""
        self.live.follow(lambda later: show(self.demands.read(later.tree)[self.number]))


def column_demands(
    view: View, live: Live, columns: Sequence[str], demands: ColumnDemands[Form]
) -> None:
    """Draw all demands of a requirement and the way to add one.

    Parameters
    ----------
    view, live
        The policy, and the part of the page this is in.
    columns
        Sensitive columns, as the policy names them.
    demands
        The requirement.
    """
    TextElement(tag="h3", text=demands.title).classes("h3")
    for number, form in enumerate(demands.read(view.tree)):
        _line(Line(demands, live, number, form), columns)
    complaint(view, live, ("privacy", demands.key))
    if columns:
        ui.button(
            demands.button, icon="add", on_click=lambda: _add(live, columns, demands)
        ).classes("secondary small").props(f"no-caps id=add-{demands.key}")
    else:
        TextElement(tag="p", text="No column is sensitive.").classes("hint")


def _line(line: Line[Form], columns: Sequence[str]) -> None:
    with ui.element("div").classes("demand-fields"):
        Choice(
            "Column",
            {name: name for name in columns} | {EVERY: "every sensitive column"},
            line.form.column,
            lambda name: line.change(lambda old: replace(old, column=name)),
            name=line.name("column"),
        )
        if line.form.strange:
            TextElement(tag="p", text="Only the policy file can show this demand.").classes("hint")
        else:
            line.demands.fields(line)
        remove = ui.button(icon="close", on_click=line.remove)
        remove.props(f"flat round id={line.name('remove')}")
        remove.props["aria-label"] = f"Remove the demand on {line.form.column}"


def _add(live: Live, columns: Sequence[str], demands: ColumnDemands[Form]) -> None:
    demands.write(live, lambda now: [*now, demands.form(_free(columns, now))])


def _free(columns: Sequence[str], forms: Sequence[DiversityForm | ClosenessForm]) -> str:
    """The first column that nothing is demanded of; the first if there is none."""
    taken = {form.column for form in forms}
    return next((name for name in columns if name not in taken), columns[0])
