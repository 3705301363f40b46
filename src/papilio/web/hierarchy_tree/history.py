"""Trees one can go back to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papilio.web.hierarchy_tree.edit_tree import EditTree

#: Most steps that can be undone.
MOST = 100


@dataclass(frozen=True)
class History:
    """The tree as it is, those before it, and those that were undone.

    Attributes
    ----------
    tree
        As it is.
    before, after
        What :func:`undo` and :func:`redo` bring back, the next one last.
    """

    tree: EditTree
    before: tuple[EditTree, ...] = ()
    after: tuple[EditTree, ...] = ()


def changed(history: History, tree: EditTree) -> History:
    """Take a new tree; if it is the same one, nothing happens."""
    if tree is history.tree:
        return history
    return History(tree, (*history.before, history.tree)[-MOST:])


def undo(history: History) -> History:
    """Go back one step, if there is one."""
    if not history.before:
        return history
    *before, tree = history.before
    return replace(history, tree=tree, before=tuple(before), after=(*history.after, history.tree))


def redo(history: History) -> History:
    """Take back the last undoing, if there was one."""
    if not history.after:
        return history
    *after, tree = history.after
    return History(tree, (*history.before, history.tree), tuple(after))
