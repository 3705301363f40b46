"""A hierarchy on the page: its tree, its levels, and the tools to change it.

Lines of the tree are worked with by mouse and keys, and by dragging.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.errors import DataError, PapilioError
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import (
    ColumnForm,
    HierarchyForm,
    meaning_of,
    read_column,
    with_hierarchy,
    written_column,
)
from papilio.web.forms.edits import ABSENT, Edit, Place, places
from papilio.web.forms.tree import EditTree, Level, levels_of, tree_html, tree_of_paths
from papilio.web.forms.tree_edits import (
    History,
    Steering,
    at_first,
    changed,
    dissolve,
    file_name,
    go_to,
    make_group,
    move,
    paths_csv,
    press,
    redo,
    rename_group,
    save_tree,
    select_range,
    settled,
    toggle_open,
    toggle_selected,
    undo,
)
from papilio.web.jobs.run import start
from papilio.web.pages import address
from papilio.web.parts.blocks import message, section, wait_for
from papilio.web.parts.fields import Choice
from papilio.web.parts.files import upload
from papilio.web.parts.live import edit
from papilio.web.pictures import levels_table
from papilio.web.project import Project

_CLICK = """(event) => {
  const line = event.target.closest("[data-n]");
  if (line) emit(+line.dataset.n, !!event.target.closest(".chevron"), event.shiftKey);
}"""
_KEYS = """(event) => {
  const known = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", " ", "Enter",
    "F2", "Delete", "m", "n"];
  if (event.ctrlKey && "zy".includes(event.key)) {
    event.preventDefault();
    emit("Control" + event.key);
  } else if (known.includes(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    emit(event.key);
  }
}"""
_DRAG = """(event) => {
  const line = event.target.closest("[data-n]");
  event.dataTransfer.setData("text/plain", line.dataset.n);
  event.dataTransfer.effectAllowed = "move";
}"""
_OVER = """(event) => {
  if (event.target.closest("[data-kind=group]")) event.preventDefault();
}"""
_DROP = """(event) => {
  event.preventDefault();
  const line = event.target.closest("[data-kind=group]");
  const from = event.dataTransfer.getData("text/plain");
  if (line && from !== "") emit(+from, +line.dataset.n);
}"""

_SCROLL = """(number) => setTimeout(() => {
  const tree = document.getElementById("tree"), line = document.getElementById("line-" + number);
  if (!tree || !line) return;
  const top = line.offsetTop - tree.offsetTop, bottom = top + line.offsetHeight;
  if (top < tree.scrollTop) tree.scrollTop = top;
  else if (bottom > tree.scrollTop + tree.clientHeight) tree.scrollTop = bottom - tree.clientHeight;
}, 0)"""


class TreeView:
    """Shows lines of a tree and tells the editor what is done with them.

    One element holds all lines and keeps the focus; which line is current is told to screen
    readers by its name.

    Parameters
    ----------
    editor
        Who is told.
    tree, steering
        What is shown at first.
    editable
        Whether labels can be selected and moved.
    """

    def __init__(
        self, editor: TreeEditor, tree: EditTree, steering: Steering, *, editable: bool
    ) -> None:
        self._editor, self._editable = editor, editable
        self._tree, self._steering = tree, steering
        self._lines = ui.html("", sanitize=False).classes("tree")
        self._lines.props["id"] = "tree"
        self._lines.props["role"] = "tree"
        self._lines.props["tabindex"] = 0
        self._lines.props["aria-label"] = "Groups and values"
        self._lines.props["aria-multiselectable"] = "true"
        self._lines.on("click", self._clicked, js_handler=_CLICK)
        self._lines.on("keydown", self._pressed, js_handler=_KEYS)
        if editable:
            self._lines.on("dragstart", js_handler=_DRAG)
            self._lines.on("dragover", js_handler=_OVER)
            self._lines.on("drop", self._dropped, js_handler=_DROP)
        self.show(tree, steering)

    def show(self, tree: EditTree, steering: Steering) -> None:
        """Show another tree, or another part of it."""
        self._tree, self._steering = tree, steering
        lines = steering.lines(tree)
        self._lines.content = tree_html(lines, steering.selected, steering.current)
        self._lines.props["aria-activedescendant"] = f"line-{steering.current}"
        self._lines.update()

    def bring_into_sight(self) -> None:
        """Scroll the tree, and nothing else, to the current line."""
        ui.run_javascript(f"({_SCROLL})({self._steering.current})")

    def _clicked(self, event: Any) -> None:
        number, chevron, shift = event.args
        if not 0 <= number < len(self._steering.lines(self._tree)):
            return
        if chevron or not self._editable:
            self._editor.steer(toggle_open(self._steering, self._tree, number))
        elif shift:
            self._editor.steer(select_range(self._steering, self._tree, number))
        else:
            self._editor.steer(toggle_selected(self._steering, self._tree, number))

    def _pressed(self, event: Any) -> None:
        key = str(event.args)
        here = self._steering.lines(self._tree)[self._steering.current]
        if not self._editable:
            self._editor.steer(press(self._steering, self._tree, key.replace(" ", "Enter")))
            return
        match key:
            case "Controlz":
                self._editor.undo()
            case "Controly":
                self._editor.redo()
            case "m":
                ui.run_javascript("document.getElementById('move-to').focus()")
            case "n":
                ui.run_javascript("document.getElementById('group-name').focus()")
            case "F2" if here.group:
                self._editor.begin_rename(here.label)
            case "Delete" if here.group and here.depth:
                self._editor.dissolve(here.label)
            case _:
                self._editor.steer(press(self._steering, self._tree, key))

    def _dropped(self, event: Any) -> None:
        source, target = event.args
        lines = self._steering.lines(self._tree)
        if not (0 <= source < len(lines) and 0 <= target < len(lines)):
            return
        label = lines[source].label
        chosen = self._steering.selected if label in self._steering.selected else (label,)
        self._editor.move(chosen, lines[target].label)


class TreeTools:
    """Draws the tools and tells the editor what to do.

    Parameters
    ----------
    editor
        Who is told.
    """

    def __init__(self, editor: TreeEditor) -> None:
        self._editor = editor
        self._tree, self._steering = editor.tree, Steering()
        self._renaming: str | None = None
        with ui.element("div").classes("tools"):
            with ui.element("div").classes("tool"):
                self._name = ui.input("Name of a group").props("outlined dense for=group-name")
                self._name.on("keydown.enter", self._named)
                self._make = _button("Make group", self._named)
            with ui.element("div").classes("tool"):
                self._target = Choice("Move to", {}, "", lambda _: None, name="move-to")
                _button("Move", self._move)
            with ui.element("div").classes("tool"):
                _button("Rename group", self._rename)
                _button("Dissolve group", self._dissolve)
                _button("Undo", editor.undo)
                _button("Redo", editor.redo)
        self._chosen = TextElement(tag="p", text="").classes("hint").props("role=status")
        self.show(self._tree, self._steering)

    def show(self, tree: EditTree, steering: Steering) -> None:
        """Fit the tools to a tree and to what is selected."""
        self._tree, self._steering = tree, steering
        groups = {group: _indented(tree, group) for group in tree.groups()}
        self._target.offer(groups, tree.root)
        many = len(steering.selected)
        self._chosen.text = f"{many:,} selected." if many else "Nothing selected."

    def begin_rename(self, group: str) -> None:
        """Ask for another name of a group."""
        self._renaming = group
        self._name.value = group
        self._make.text = "Rename"
        ui.run_javascript("document.getElementById('group-name').focus()")

    def _named(self) -> None:
        name = self._name.value or ""
        if self._renaming is not None:
            self._editor.rename(self._renaming, name)
        else:
            self._editor.make(name, self._steering.selected)
        self._renaming = None
        self._make.text = "Make group"
        self._name.value = ""

    def _move(self) -> None:
        self._editor.move(self._steering.selected, self._target.value)

    def _group(self) -> str | None:
        """The group that is meant: the only one selected, or the current one."""
        chosen = [each for each in self._steering.selected if self._tree.is_group(each)]
        if len(chosen) == 1:
            return chosen[0]
        here = self._steering.lines(self._tree)[self._steering.current]
        return here.label if here.group and here.depth else None

    def _rename(self) -> None:
        group = self._group()
        if group is None:
            ui.notify("Select the group to rename first.")
        else:
            self.begin_rename(group)

    def _dissolve(self) -> None:
        group = self._group()
        if group is None:
            ui.notify("Select the group to dissolve first.")
        else:
            self._editor.dissolve(group)


def _button(text: str, what: object) -> ui.button:
    return ui.button(text, on_click=what).classes("secondary small").props("no-caps")  # type: ignore[arg-type]


def _indented(tree: EditTree, group: str) -> str:
    depth = len(tree.way_up(group)) - 1
    name = "the top" if group == tree.root else group
    return "\u2003" * depth + name


class TreeEditor:
    """Shows the hierarchy of a column; one from a file can be edited, any other become a file.

    Every change is saved at once, as ``hierarchies/<column>.csv`` and in the policy.

    Parameters
    ----------
    project
        Whose column.
    place, column
        The column.
    """

    def __init__(self, project: Project, place: Place, column: str) -> None:
        self._project, self._place, self._column = project, place, column
        self._history: History | None = None
        self._steering = Steering()
        self._timers, self._body = ui.element("div"), ui.element("div")

    @property
    def tree(self) -> EditTree:
        """The tree as it is."""
        if self._history is None:
            return tree_of_paths([])
        return self._history.tree

    def _form(self) -> ColumnForm:
        path = self._place.column(self._column)
        return read_column(self._column, load_draft(self._project).get(path, ABSENT))

    async def load(self) -> None:
        """Build the hierarchy in a child process, and show it."""
        form = self._form()
        said = written_column(replace(form, role=form.role or "quasi"))
        arguments = {"source": self._place.source, "column": self._column, "said": said}
        self._body.clear()
        with self._body:
            try:
                job = start(self._project, "hierarchy_preview", arguments)
                found = await wait_for(job, "Looking at the values")
            except PapilioError as error:
                message(str(error), "error")
                self._other_ways(form)
            else:
                self._draw(form, found)

    def _draw(self, form: ColumnForm, found: dict[str, Any]) -> None:
        kind = form.hierarchy.kind
        with section(f"{self._column} on each level", meaning_of(kind)):
            self._levels = ui.html("", sanitize=False).classes("levels plain-table")
            self._levels.props["tabindex"] = 0
            self._levels.props["role"] = "region"
            self._levels.props["aria-label"] = "How values look on each level"
        if not found["paths"]:
            self._too_many(found)
            self._other_ways(form)
            return
        self._history = History(tree_of_paths(found["paths"], found["rows"]))
        self._steering = at_first(self.tree)
        if found["new"]:
            message(
                f"{len(found['new']):,} values are not in the file yet. They stand right below "
                "the top; put them into groups, or leave them there.",
                "warning",
            )
        with section("The tree", self._hint(kind)):
            self._tools = TreeTools(self) if kind == "file" else None
            self._view = TreeView(self, self.tree, self._steering, editable=kind == "file")
        self._other_ways(form)
        self._show_levels()

    def _hint(self, kind: str) -> str:
        if kind != "file":
            return "This tree follows from a rule. Take it as a start to edit it by hand."
        return (
            "Select values or groups, then make a group of them or move them. Keys: arrows walk, "
            "blank selects, Enter opens, N names a group, M moves, F2 renames, Delete dissolves."
        )

    def _too_many(self, found: dict[str, Any]) -> None:
        shares = [
            Level((), many, loss)
            for many, loss in zip(found["groups"], found["losses"], strict=True)
        ]
        self._levels.content = levels_table(shares)
        message(
            f"The column has {found['values']:,} values, too many to be put into groups by hand. "
            "A rule, or a file of paths made elsewhere, is the way.",
            "info",
        )

    def _other_ways(self, form: ColumnForm) -> None:
        """Ways in and out: by hand, from a file, to a file."""
        with section("File of paths", "One value a line, its groups after it, the top last."):
            with ui.element("div").classes("buttons"):
                if form.hierarchy.kind != "file" and self._history is not None:
                    ui.button("Edit this tree by hand", icon="edit", on_click=self._take).classes(
                        "primary"
                    )
                if self._history is not None:
                    ui.button("Save as CSV", icon="download", on_click=self._export).classes(
                        "secondary"
                    )
            upload(self._project, "hierarchies", "Take a CSV file of paths", self._import)

    def act(self, how: Callable[[EditTree], EditTree], current: str | None = None) -> None:
        """Change the tree, save it, and show it.

        Raises
        ------
        DataError
            If it cannot be changed like this; nothing has happened then.
        """
        if self._history is not None:
            self._settle(changed(self._history, how(self.tree)), current)

    def make(self, name: str, members: Sequence[str]) -> None:
        """Make a group."""
        self.act(lambda tree: make_group(tree, name, members), name.strip())
        self.steer(replace(self._steering, selected=()))

    def rename(self, group: str, name: str) -> None:
        """Call a group otherwise."""
        self.act(lambda tree: rename_group(tree, group, name), name.strip())

    def move(self, labels: Sequence[str], group: str) -> None:
        """Move labels into a group."""
        self.act(lambda tree: move(tree, labels, group), group)
        self.steer(replace(self._steering, selected=()))

    def begin_rename(self, group: str) -> None:
        """Ask for another name of a group."""
        if self._tools is not None:
            self._tools.begin_rename(group)

    def dissolve(self, group: str) -> None:
        """Take a group away, and leave what is in it."""
        self.act(lambda tree: dissolve(tree, group))

    def undo(self) -> None:
        """Go back one step."""
        if self._history is not None:
            self._settle(undo(self._history), None)

    def redo(self) -> None:
        """Take the last undoing back."""
        if self._history is not None:
            self._settle(redo(self._history), None)

    def steer(self, steering: Steering) -> None:
        """Show another part of the tree."""
        self._steering = settled(steering, self.tree)
        self._view.show(self.tree, self._steering)
        self._view.bring_into_sight()
        if self._tools is not None:
            self._tools.show(self.tree, self._steering)

    def _settle(self, history: History, current: str | None) -> None:
        if history is self._history:
            return
        self._history = history
        self._save()
        self._show_levels()
        steering = settled(self._steering, self.tree)
        if current is not None and self.tree.knows(current):
            steering = go_to(steering, self.tree, current)
            steering = replace(steering, opened=steering.opened | {current})
        self.steer(steering)

    def _save(self) -> None:
        name = file_name(self._place, self._column)
        save_tree(self._project, name, self.tree)
        form = self._form()
        if form.hierarchy != HierarchyForm("file", file=name):
            role = form if form.role else replace(form, role="quasi")
            said = written_column(with_hierarchy(role, HierarchyForm("file", file=name)))
            edit(self._project, Edit(self._place.column(self._column), said))

    def _show_levels(self) -> None:
        self._levels.content = levels_table(levels_of(self.tree))

    async def _take(self) -> None:
        """Make a file of the tree as it is."""
        self._save()
        await self.load()

    def _export(self) -> None:
        name = file_name(self._place, self._column).removeprefix("hierarchies/")
        ui.download.content(paths_csv(self.tree), name, "text/csv")

    def _import(self, name: str) -> None:
        hierarchy = HierarchyForm("file", file=f"hierarchies/{name}")
        said = written_column(with_hierarchy(self._form(), hierarchy))
        edit(self._project, Edit(self._place.column(self._column), said))
        # Beside what is drawn anew, which would end it.
        with self._timers:
            ui.timer(0, self.load, once=True)


async def tree_page(project: Project, column: str, table: str) -> None:
    """Draw the page of a column's tree."""
    place = _place(project, table)
    with ui.element("p"):
        ui.link("← All columns", address(project, "columns")).classes("back")
    editor = TreeEditor(project, place, column)
    ui.timer(0.05, editor.load, once=True)


def _place(project: Project, table: str) -> Place:
    found = [each for each in places(load_draft(project).tree) if table in ("", *each.path)]
    if not found:
        raise DataError("the policy has no such table", reason="no-table")
    return found[0]
