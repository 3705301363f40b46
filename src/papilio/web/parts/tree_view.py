"""The lines of a tree in the page, with mouse, keys and dragging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from papilio.web.forms.tree import EditTree, tree_html
from papilio.web.forms.tree_edits import (
    Steering,
    press,
    select_range,
    toggle_open,
    toggle_selected,
)

if TYPE_CHECKING:
    from papilio.web.parts.tree_editor import TreeEditor

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
