"""The tools of the tree editor: make, move, rename and dissolve groups, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.hierarchy_tree.edit_tree import EditTree
from papilio.web.hierarchy_tree.steering import Steering
from papilio.web.parts.choice import Choice

if TYPE_CHECKING:
    from papilio.web.parts.tree_editor import TreeEditor


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
