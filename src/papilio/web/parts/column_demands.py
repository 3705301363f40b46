"""Demands on sensitive columns on the page: one line per demand, and the way to add one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import NAME, Key, key_at, keys_of
from papilio.policy.privacy_policy import EVERY
from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import (
    ClosenessForm,
    DiversityForm,
    closeness_edits,
    diversity_edits,
    first_diversity,
    read_closeness,
    read_diversity,
)
from papilio.web.forms.edits import Edits
from papilio.web.forms.recipients_form import sensitive_columns
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.fields import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View, edit

Form = TypeVar("Form", DiversityForm, ClosenessForm)


@dataclass(frozen=True)
class ColumnDemands(Generic[Form]):
    """A requirement that columns can be put under.

    Attributes
    ----------
    key
        Its key under ``privacy``, with which the names of its controls begin.
    button
        What the page calls demanding it of one more column.
    form
        Makes a demand on a column.
    read, edits
        All demands from the policy, and to it.
    fields
        Draws the controls of a demand besides its column.
    used
        Keys of a demand that the demands in the policy make use of.
    """

    key: str
    button: str
    form: Callable[[str], Form]
    read: Callable[[Mapping[str, Any]], tuple[Form, ...]]
    edits: Callable[[Iterable[Form]], Edits]
    fields: Callable[[Line[Form]], None]
    used: Callable[[Mapping[str, Any]], Iterable[str]]

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


def column_demands(view: View, live: Live, key: Key) -> None:
    """Draw all demands under a key of ``privacy``, the way to add one, and what they mean."""
    columns = sensitive_columns(view.tree)
    with ui.element("div").classes("demand"):
        if key.path[-1] == _DIVERSITY.key:
            _all(view, live, key, columns, _DIVERSITY)
        else:
            _all(view, live, key, columns, _CLOSENESS)


def _all(
    view: View, live: Live, key: Key, columns: Sequence[str], demands: ColumnDemands[Form]
) -> None:
    meaning = key.words.meaning
    TextElement(tag="h3", text=meaning.title if meaning else key.words.label).classes("h3")
    for number, form in enumerate(demands.read(view.tree)):
        _line(Line(demands, live, number, form), columns)
    complaint(view, live, key.path)
    if columns:
        ui.button(
            demands.button, icon="add", on_click=lambda: _add(live, columns, demands)
        ).classes("secondary small").props(f"no-caps id=add-{demands.key}")
    else:
        TextElement(tag="p", text="No column is sensitive.").classes("hint")
    own = [key.words] if meaning else []
    for words in own or [_inner(demands, name).words for name in demands.used(view.tree)]:
        explained(words)


def _inner(demands: ColumnDemands[Form], name: str) -> Key:
    return key_at("privacy", demands.key, NAME, name)


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


def _diversity_fields(line: Line[DiversityForm]) -> None:
    kinds = {key.path[-1]: key for key in keys_of("privacy", "l", NAME)}
    Choice(
        "Kind",
        {kind: key.words.label for kind, key in kinds.items()},
        line.form.kind,
        lambda kind: line.change(lambda old: first_diversity(old.column, kind)),
        name=line.name("kind"),
    )
    least = NumberBox(
        "l",
        line.form.l,
        lambda value: line.change(lambda old: replace(old, l=_real(value, old.kind))),
        name=line.name("number"),
        step=kinds[line.form.kind].step if line.form.kind == "entropy" else 1,
    )
    line.follow(lambda form: least.show(form.l))
    if line.form.kind == "recursive":
        most = NumberBox(
            "c",
            line.form.c,
            lambda value: line.change(lambda old: replace(old, c=value)),
            name=line.name("c"),
            step=kinds["recursive"].step,
        )
        line.follow(lambda form: most.show(form.c))


def _real(value: float, kind: str) -> float:
    """Entropy takes a floating number; a whole one is written as such all the same."""
    return float(value) if kind == "entropy" else value


def _closeness_fields(line: Line[ClosenessForm]) -> None:
    keys = {key.path[-1]: key for key in keys_of("privacy", "t", NAME)}
    most = NumberBox(
        keys["t"].label,
        line.form.t,
        lambda value: line.change(lambda old: replace(old, t=value)),
        name=line.name("number"),
        step=keys["t"].step,
    )
    line.follow(lambda form: most.show(form.t))
    if line.form.column == EVERY:
        return
    words = keys["distance"].words
    distance = Choice(
        words.label,
        {"": f"left out: {words.usual}", **keys["distance"].choices},
        text_of(line.form.distance),
        lambda chosen: line.change(lambda old: replace(old, distance=chosen or None)),
        name=line.name("distance"),
    )
    line.follow(lambda form: distance.show(text_of(form.distance)))
    _large(line, keys["n"])


def _large(line: Line[ClosenessForm], key: Key) -> None:
    ui.checkbox(
        "Large classes need not be close",
        value=line.form.n is not None,
        on_change=lambda event: line.change(
            lambda old: replace(old, n=(old.n or key.words.start) if event.value else None)
        ),
    ).props(f"id={line.name('large')}")
    if line.form.n is not None:
        many = NumberBox(
            key.label,
            line.form.n,
            lambda value: line.change(lambda old: replace(old, n=value)),
            name=line.name("n"),
        )
        line.follow(lambda form: many.show(form.n))


def _kinds_used(tree: Mapping[str, Any]) -> list[str]:
    used = {form.kind for form in read_diversity(tree) if not form.strange}
    return sorted(used) or ["distinct"]


def _closeness_used(tree: Mapping[str, Any]) -> list[str]:
    return ["t", "n"] if any(form.n is not None for form in read_closeness(tree)) else ["t"]


_DIVERSITY = ColumnDemands(
    key="l",
    button="Demand diversity",
    form=DiversityForm,
    read=read_diversity,
    edits=diversity_edits,
    fields=_diversity_fields,
    used=_kinds_used,
)
_CLOSENESS = ColumnDemands(
    key="t",
    button="Demand closeness",
    form=ClosenessForm,
    read=read_closeness,
    edits=closeness_edits,
    fields=_closeness_fields,
    used=_closeness_used,
)
