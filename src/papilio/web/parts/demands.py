"""The requirements of a family on the page, made from its table and the words of their keys."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.family import Family
from papilio.families.keys import NAME, Key, key_at, keys_of
from papilio.policy.recipients import EVERY
from papilio.policy.words import Widget
from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import (
    ClosenessForm,
    DiversityForm,
    closeness_edits,
    diversity_edits,
    first_diversity,
    read_closeness,
    read_diversity,
    read_target,
)
from papilio.web.forms.edits import ABSENT, Edit, Edits, mapping_at
from papilio.web.forms.fields import asked_together, demand_keys
from papilio.web.forms.recipients_form import columns_with_role, sensitive_columns
from papilio.web.parts.blocks import complaint, section
from papilio.web.parts.fields import (
    Choice,
    NumberBox,
    explained,
    field_or_complaint,
    slot_at,
    text_of,
)
from papilio.web.parts.live import Live, View, edit
from papilio.web.parts.value_fields import target_fields

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


def demand_shape(view: View, family: Family) -> Hashable:
    """What decides which controls there are."""
    target = read_target(view.tree)
    return (
        family,
        tuple(sorted(mapping_at(view.tree, ("privacy",)))),
        tuple((form.column, form.kind) for form in read_diversity(view.tree)),
        tuple((f.column, f.strange, f.n is None) for f in read_closeness(view.tree)),
        (target.column, target.distribution, tuple(sorted(map(str, target.said.get("by", ()))))),
    )


def family_demands(view: View, live: Live, family: Family) -> None:
    """Draw what can be demanded of a release of this family."""
    with section("What must hold", "Papilio checks all of it before anything is written."):
        for keys in asked_together(demand_keys(family)):
            by_hand = _BY_HAND.get(keys[0].widget or "text")
            if by_hand is None:
                demand(view, live, *keys)
            else:
                by_hand(view, live, keys[0])


#: Requirements with controls of their own.
_BY_HAND: Mapping[Widget, Callable[[View, Live, Key], None]] = {
    "demands": column_demands,
    "target": target_fields,
}


def demand(view: View, live: Live, *keys: Key) -> None:
    """Draw a requirement: its title, a switch if it may be left out, its controls and words."""
    words = keys[0].words
    title = words.meaning.title if words.meaning else words.label
    with ui.element("div").classes("demand"):
        with ui.element("div").classes("demand-head"):
            TextElement(tag="h3", text=title).classes("h3")
            if not words.needed:
                _switch(view, live, keys[0], title)
        with ui.element("div").classes("demand-fields"):
            for key in keys:
                if key.words.needed or view.said(key.path) is not None:
                    offered = _columns(view) if key.widget == "column" else None
                    field_or_complaint(view, live, slot_at(live, key, "field", offered))
        explained(words)


def _switch(view: View, live: Live, key: Key, title: str) -> None:
    """A switch that writes a key or takes it away."""
    start = next(iter(_columns(view)), key.words.start)
    start = start if key.widget == "column" else key.words.start

    def turn(event: Any) -> None:
        edit(live.project, Edit(key.path, start if event.value else ABSENT))

    control = ui.switch("Demanded", value=view.said(key.path) is not None, on_change=turn)
    control.props["id"] = "switch-" + "-".join(key.path)
    control.props["aria-label"] = f"{title}: demanded"


def _columns(view: View) -> dict[str, str]:
    """Columns that are read and never published, which may hold what people demand."""
    return {name: name for name in columns_with_role(view.tree, "identifier")}
