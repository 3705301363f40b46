"""A hierarchy on the page: its tree, its levels, and the tools to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui

from papilio.errors import PapilioError
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import ColumnForm, read_column, with_hierarchy, written_column
from papilio.web.forms.edits import ABSENT, Edit
from papilio.web.forms.hierarchy_form import HierarchyForm, meaning_of
from papilio.web.forms.places import Place
from papilio.web.hierarchy_tree.edit_tree import EditTree, tree_of_paths
from papilio.web.hierarchy_tree.editing import dissolve, make_group, move, rename_group
from papilio.web.hierarchy_tree.files import file_name, save_tree
from papilio.web.hierarchy_tree.history import History, changed, redo, undo
from papilio.web.hierarchy_tree.levels import Level, levels_of
from papilio.web.hierarchy_tree.paths_csv import paths_csv
from papilio.web.hierarchy_tree.steering import Steering, at_first, go_to, settled
from papilio.web.jobs.run import start
from papilio.web.parts.message import message
from papilio.web.parts.section import section
from papilio.web.parts.tree_tools import TreeTools
from papilio.web.parts.tree_view import TreeView
from papilio.web.parts.upload import upload
from papilio.web.parts.view import edit
from papilio.web.parts.waiting import wait_for
from papilio.web.pictures.levels import levels_table
from papilio.web.project import Project


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
