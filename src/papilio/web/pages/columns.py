"""The Columns step: what each column is, and how its values generalise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.data.table import Role
from papilio.errors import PapilioError
from papilio.families.keys import key_at
from papilio.policy.person import ROWS
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import (
    NOT_PUBLISHED,
    ColumnForm,
    read_column,
    role_meanings,
    role_texts,
    with_role,
    written_column,
)
from papilio.web.forms.edits import (
    ABSENT,
    Edit,
    Edits,
    Place,
    mapping_at,
    on_tree,
    places,
    value_at,
)
from papilio.web.forms.fields import (
    ColumnFacts,
    Facts,
    TableFacts,
    demand_key,
    family_of,
    table_with,
)
from papilio.web.forms.proposals import suggested_attributes, suggested_columns
from papilio.web.forms.recipients_form import columns_with_role
from papilio.web.forms.switch_family import keep_together
from papilio.web.known import Counts, counted, counts_at_hand, facts, profiled
from papilio.web.parts.blocks import (
    complaint,
    left_out,
    message,
    next_button,
    paragraph,
    section,
    sheets,
    wait_for,
)
from papilio.web.parts.column_details import ColumnDetails
from papilio.web.parts.fields import Choice, field_or_complaint, slot_at
from papilio.web.parts.live import Live, View, edit
from papilio.web.parts.tree_editor import tree_page
from papilio.web.pictures import bars
from papilio.web.project import Project

_UNSAID, _COLUMN = "", "column "
_HINT = (
    "A release protects people. If somebody has several rows, say which column names people; it "
    "is never published, and k, l and t then count people instead of rows."
)


def whose_row(project: Project, table: TableFacts | None) -> None:
    """Ask whether people have several rows, and by which column they are told apart."""
    with section("Whose row is it?", _HINT):
        Live(
            project,
            lambda view: (
                tuple(_options(view, table)),
                view.said(("person",)) is None,
                _told_by(view),
                view.said(("link",)) is None,
            ),
            lambda view, live: _draw(view, live, table),
        )


def _draw(view: View, live: Live, table: TableFacts | None) -> None:
    if table is not None and table.person:
        found = f"Column '{table.person}' seems to name people: {table.rows_of_people}."
        message(found, "info" if view.said(("person",)) else "warning")
    choice = Choice(
        "One person has",
        _options(view, table),
        _chosen(view.said(("person",))),
        lambda chosen: edit(live.project, Edit(("person",), _written(chosen))),
        name="whose-row",
    )
    live.follow(lambda later: choice.show(_chosen(later.said(("person",)))))
    complaint(view, live, ("person",))
    if _told_by(view) or view.said(("link",)) is not None:
        _together(view, live, table)


def _together(view: View, live: Live, table: TableFacts | None) -> None:
    """Ask whether the rows of a person are kept together, and say what would go where."""
    project, key = live.project, key_at("link")

    def write(value: Any) -> None:
        edits = keep_together(load_draft(project).tree, facts(project), together=bool(value))
        edit(project, *edits)
        left_out(each for each in edits if each.path != key.path)

    field_or_complaint(view, live, replace(slot_at(live, key, "whose"), write=write))
    paragraph(key.words.plain)
    if table is not None and table.same_rows and table.person == _told_by(view):
        paragraph(f"Here {table.same_rows}.")


def _told_by(view: View) -> str | None:
    """The column by which people are told apart, if the policy names one."""
    chosen = _chosen(view.said(("person",)))
    return chosen.removeprefix(_COLUMN) if chosen.startswith(_COLUMN) else None


def _options(view: View, table: TableFacts | None) -> dict[str, str]:
    names = [*columns_with_role(view.tree, str(Role.IDENTIFIER))]
    if table is not None and table.person:
        names.insert(0, table.person)
    return {
        _UNSAID: "not said: asked if an identifier repeats",
        ROWS: "one row: each row is another person",
        **{_COLUMN + name: f"several rows, told by '{name}'" for name in dict.fromkeys(names)},
    }


def _chosen(said: Any) -> str:
    if isinstance(said, dict):
        return f"{_COLUMN}{said.get('column')}"
    return said if said == ROWS else _UNSAID if said is None else f"{_COLUMN}{said}"


def _written(chosen: str) -> Any:
    if not chosen.startswith(_COLUMN):
        return chosen or ABSENT
    name = chosen.removeprefix(_COLUMN)
    return {"column": name} if name == ROWS else name


def role_edits(
    tree: Mapping[str, Any],
    place: Place,
    name: str,
    role: str | None,
    facts: ColumnFacts | None = None,
) -> Edits:
    """Give a column a role, and bring what other keys say of it into line.

    A column that stops being quasi is taken from what recipients know; one that becomes quasi may
    be known to all of them, the careful assumption. One that becomes sensitive gets the l that its
    facts propose, where the family takes demands on columns and nothing is demanded of it yet.
    Demands on a column that stops being sensitive go away. Nothing else is touched.
    """
    said = value_at(tree, place.column(name), ABSENT)
    form = with_role(read_column(name, said), role)
    edits: Edits = (Edit(place.column(name), written_column(form)),)
    if place.path:
        return (*edits, *_demands(tree, f"{place.title}.{name}", role))
    edits = (*edits, *_recipients(tree, name, role), *_demands(tree, name, role))
    return (*edits, *_proposed(on_tree(tree, edits), name, role, facts))


def _proposed(
    tree: Mapping[str, Any], name: str, role: str | None, facts: ColumnFacts | None
) -> Edits:
    """An l for a column that became sensitive, so that no class gives its value away."""
    if role != "sensitive" or facts is None or facts.proposed_l is None:
        return ()
    family = family_of(tree)
    if "l" not in family.demands or demand_key(family, "l").widget != "demands":
        return ()
    said = [value_at(tree, ("privacy", key)) for key in ("l", "t")]
    if any(isinstance(each, Mapping) and name in each for each in said):
        return ()
    if said[0] is not None and not isinstance(said[0], Mapping):
        return ()  # A bare number is about every sensitive column.
    return (Edit(("privacy", "l", name), facts.proposed_l),)


def suggested_edits(
    tree: Mapping[str, Any],
    place: Place,
    roles: Mapping[str, str],
    table: TableFacts | None = None,
) -> Edits:
    """Give columns the roles that are suggested; those that have theirs keep all they say."""
    edits: Edits = ()
    now = dict(tree)
    for name, role in roles.items():
        form = read_column(name, value_at(tree, place.column(name), ABSENT))
        if form.role != role:
            facts = None if table is None else table.column(name)
            changes = role_edits(now, place, name, role, facts)
            edits, now = (*edits, *changes), on_tree(now, changes)
    return edits


def _recipients(tree: Mapping[str, Any], name: str, role: str | None) -> Edits:
    edits = []
    for recipient, said in mapping_at(tree, ("recipients",)).items():
        known = said.get("knows") if isinstance(said, Mapping) else said
        if not isinstance(known, list | tuple):
            continue
        kept = [each for each in known if each != name]
        wanted = [*kept, name] if role == "quasi" and name not in known else kept
        if role == "quasi" and name in known:
            wanted = list(known)
        if wanted != list(known):
            inside = ("knows",) if isinstance(said, Mapping) else ()
            edits.append(Edit(("recipients", recipient, *inside), wanted))
    return tuple(edits)


def _demands(tree: Mapping[str, Any], name: str, role: str | None) -> Edits:
    if role == "sensitive":
        return ()
    edits = []
    for key in ("l", "t", "target"):
        said = mapping_at(tree, ("privacy", key))
        if name in said:
            alone = len(said) == 1
            edits.append(Edit(("privacy", key) if alone else ("privacy", key, name)))
    return tuple(edits)


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
        edit(
            self._live.project,
            *role_edits(tree, self._place, self._name, wanted, self._facts),
        )

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


async def page(project: Project) -> None:
    """Draw the page, or the tree of one column if the address asks for it."""
    sheets()
    query = ui.context.client.request.query_params
    if "tree" in query:
        await tree_page(project, query["tree"], query.get("table", ""))
        return
    _Columns(project)
    next_button(project, "requirements")


class _Columns:
    """The list of columns of every table."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._facts: Facts = facts(project)
        self._rows: dict[Place, dict[str, ColumnRow]] = {}
        self._meaning()
        self._waiting = ui.element("div")
        self._live = Live(project, self._shape, self._draw)
        ui.timer(0.05, self._look, once=True)

    def _meaning(self) -> None:
        with ui.element("details").classes("card words"):
            TextElement(tag="summary", text="What the roles mean")
            with ui.element("dl").classes("roles"):
                for role, meaning in role_meanings().items():
                    with ui.element("div").classes(f"is-{role.replace(' ', '-')}"):
                        TextElement(tag="dt", text=role)
                        TextElement(tag="dd", text=meaning)

    def _shape(self, view: View) -> Hashable:
        return tuple(
            (place.path, place.keys, self._names(view, place)) for place in places(view.tree)
        )

    def _names(self, view: View, place: Place) -> tuple[str, ...]:
        table = table_with(self._facts, place.source)
        known = [each.name for each in table.columns] if table else []
        return tuple(dict.fromkeys((*known, *mapping_at(view.tree, place.columns))))

    def _draw(self, view: View, live: Live) -> None:
        self._rows = {}
        for place in places(view.tree):
            table = table_with(self._facts, place.source)
            title = place.title or (table.name if table else "Columns")
            rows = f"{table.rows:,} rows. " if table else ""
            with section(title, f"{rows}Say what may happen to each column."):
                self._table(view, live, place, table)
        if isinstance(view.tree.get("columns"), Mapping):
            whose_row(self._project, table_with(self._facts, view.tree.get("source")))
        if not self._rows:
            message("The policy names no table yet; begin with Data.", "warning")

    def _table(self, view: View, live: Live, place: Place, table: TableFacts | None) -> None:
        names = self._names(view, place)
        if not names:
            message("No columns are known yet; the data is being looked at.", "info")
        if table is not None:
            ui.button(
                "Use all suggestions", icon="auto_awesome", on_click=lambda: self._suggest(place)
            ).classes("secondary small").props("no-caps")
        with ui.element("ul").classes("column-list"):
            self._rows[place] = {
                name: ColumnRow(live, view, place, name, table.column(name) if table else None)
                for name in names
            }
        self._show_counts(self._rows[place], counts_at_hand(self._project, place.source))

    def _suggest(self, place: Place) -> None:
        table = table_with(self._facts, place.source)
        if table is None:
            return
        if "quasi" in place.roles:
            roles = suggested_columns(table, place.keys)
        else:
            roles = suggested_attributes(table, *place.keys[:1] or ("",))
        tree = load_draft(self._project).tree
        edit(self._project, *suggested_edits(tree, place, roles, table))

    async def _look(self) -> None:
        """Profile tables nobody has looked at, then count the values of all."""
        with self._waiting:
            try:
                await self._look_at_all()
            except PapilioError as error:
                message(str(error), "error")

    async def _look_at_all(self) -> None:
        found = await profiled(self._project, wait_for)
        if found != self._facts:
            self._facts = found
            self._live.redraw()
        for place in list(self._rows):
            if place.source is not None:
                counts = await counted(self._project, place.source, wait_for)
                self._show_counts(self._rows.get(place, {}), counts)

    def _show_counts(self, rows: Mapping[str, ColumnRow], counts: Counts) -> None:
        for name, row in rows.items():
            if name in counts:
                row.show_counts(counts[name])
