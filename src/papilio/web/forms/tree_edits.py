"""What can be done with a tree: make, name, move and dissolve groups.

Every function returns a new tree and leaves the given one as it is. Messages hold no label.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from papilio.errors import DataError
from papilio.web.forms.edits import Place
from papilio.web.forms.tree import PAGE, EditTree, Line, visible_lines, with_ways
from papilio.web.project import Project
from papilio.web.safe_name import inside, make_safe
from papilio.web.transfers import replace_text


@dataclass(frozen=True)
class Steering:
    """Where somebody is in a tree.

    Attributes
    ----------
    opened
        Groups whose content is shown.
    shown
        Group -> how many of its lines are shown, if not the usual number.
    selected
        Labels that are selected, in the order in which they were.
    current
        Number of the line that keys are about.
    """

    opened: frozenset[str] = frozenset()
    shown: Mapping[str, int] = field(default_factory=dict)
    selected: tuple[str, ...] = ()
    current: int = 0

    def lines(self, tree: EditTree) -> tuple[Line, ...]:
        """Lines that are shown."""
        return visible_lines(tree, self.opened, self.shown)


def at_first(tree: EditTree) -> Steering:
    """Open the root, and the groups below it if there is room for what is in them."""
    opened = {tree.root}
    groups = [each for each in tree.children[tree.root] if tree.is_group(each)]
    if sum(len(tree.children[group]) for group in groups) <= PAGE:
        opened |= set(groups)
    return Steering(frozenset(opened))


def settled(steering: Steering, tree: EditTree) -> Steering:
    """Fit it to a tree that has changed: what is gone is neither open nor selected."""
    selected = tuple(label for label in steering.selected if label in tree.above)
    opened = frozenset(label for label in steering.opened if tree.is_group(label))
    kept = replace(steering, selected=selected, opened=opened)
    return replace(kept, current=min(steering.current, len(kept.lines(tree)) - 1))


def toggle_open(steering: Steering, tree: EditTree, number: int) -> Steering:
    """Open or close the group of a line, or show more of a long one."""
    line = steering.lines(tree)[number]
    if line.hidden:
        more = steering.shown.get(line.label, PAGE) + PAGE
        return replace(steering, shown={**steering.shown, line.label: more}, current=number)
    if not line.group:
        return replace(steering, current=number)
    opened = steering.opened ^ {line.label}
    return replace(steering, opened=opened, current=number)


def toggle_selected(steering: Steering, tree: EditTree, number: int) -> Steering:
    """Select the label of a line, or not any more; the root cannot be selected."""
    line = steering.lines(tree)[number]
    there = replace(steering, current=number)
    if line.hidden:
        return toggle_open(steering, tree, number)
    if line.label == tree.root:
        return there
    if line.label in steering.selected:
        kept = tuple(each for each in steering.selected if each != line.label)
        return replace(there, selected=kept)
    return replace(there, selected=(*steering.selected, line.label))


def select_range(steering: Steering, tree: EditTree, number: int) -> Steering:
    """Select all lines from the current one to another."""
    first, last = sorted((steering.current, number))
    labels = [
        line.label
        for line in steering.lines(tree)[first : last + 1]
        if not line.hidden and line.label != tree.root
    ]
    return replace(
        steering, selected=tuple(dict.fromkeys((*steering.selected, *labels))), current=number
    )


def press(steering: Steering, tree: EditTree, key: str) -> Steering:
    """Do what a key does in a tree: arrows walk, open and close, blank selects."""
    lines, here = steering.lines(tree), steering.current
    line = lines[here]
    match key:
        case "ArrowDown":
            return replace(steering, current=min(here + 1, len(lines) - 1))
        case "ArrowUp":
            return replace(steering, current=max(here - 1, 0))
        case "Home":
            return replace(steering, current=0)
        case "End":
            return replace(steering, current=len(lines) - 1)
        case "ArrowRight" if line.group and not line.open:
            return toggle_open(steering, tree, here)
        case "ArrowRight" if line.group and here + 1 < len(lines):
            return replace(steering, current=here + 1)
        case "ArrowLeft" if line.group and line.open:
            return toggle_open(steering, tree, here)
        case "ArrowLeft":
            above = (n for n in range(here - 1, -1, -1) if lines[n].depth < line.depth)
            return replace(steering, current=next(above, here))
        case "Enter":
            return toggle_open(steering, tree, here)
        case " ":
            return toggle_selected(steering, tree, here)
    return steering


def go_to(steering: Steering, tree: EditTree, label: str) -> Steering:
    """Make a label current; what it is in is opened, and shown as far as needed."""
    opened = with_ways(tree, steering.opened, label)
    group = tree.above.get(label, tree.root)
    place = tree.children[group].index(label) + 1 if label in tree.above else 0
    enough = max(steering.shown.get(group, PAGE), place)
    there = replace(steering, opened=opened, shown={**steering.shown, group: enough})
    numbers = (
        number
        for number, line in enumerate(there.lines(tree))
        if line.label == label and not line.hidden
    )
    return replace(there, current=next(numbers, 0))


_SPECIAL = re.compile('[,;"\r\n]|^\\s|\\s$')


def paths_csv(tree: EditTree) -> str:
    """Write one line per value, leaf first, which :mod:`papilio.data.hierarchy.paths` reads back.

    Groups without values are left out: a file of paths cannot tell of them.
    """
    above = {group: _line(way) for group, way in tree.ways.items()}
    return "".join(_whole_line(tree, value, above) for value in tree.values())


def _whole_line(tree: EditTree, value: str, above: Mapping[str, str]) -> str:
    if value in tree.spans:
        return f"{_line(tree.path(value))}\n"
    return f"{_cell(value)},{above[tree.above[value]]}\n"


def _line(labels: Iterable[str]) -> str:
    return ",".join(_cell(label) for label in labels)


def _cell(label: str) -> str:
    """Quote a label that would be cut or trimmed otherwise."""
    if _SPECIAL.search(label) is None:
        return label
    doubled = label.replace('"', '""')
    return f'"{doubled}"'


#: Longest part of a column's name that stands in the name of its file.
_LONGEST = 60


def file_name(place: Place, column: str) -> str:
    """Name of the file for a column, as the policy says it; each column has one of its own."""
    stem = "-".join((*place.path[1:], column))
    safe = make_safe(stem, "column")[:_LONGEST]
    if safe != stem:
        safe += f"-{hashlib.sha256(stem.encode()).hexdigest()[:6]}"
    return f"hierarchies/{safe}.csv"


def save_tree(project: Project, name: str, tree: EditTree) -> None:
    """Write a tree as a file of paths, whole or not at all.

    Raises
    ------
    OutputError
        If the disk refuses.
    """
    replace_text(inside(project.folder, *name.split("/")), paths_csv(tree), "hierarchy")


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


#: Longest name of a group.
LONGEST = 200


def make_group(tree: EditTree, name: str, members: Sequence[str] = ()) -> EditTree:
    """Make a group and put some labels into it.

    It stands where the first of the labels stood, or below the root if there are none.

    Raises
    ------
    DataError
        If the name is empty, too long or taken, or one of the labels contains another.
    """
    label = _free(tree, name)
    place = tree.above.get(members[0], tree.root) if members else tree.root
    children = {**tree.children, label: ()}
    children[place] = (*children[place], label)
    made = replace(tree, children=children, above={**tree.above, label: place})
    return move(made, members, label) if members else made


def rename_group(tree: EditTree, group: str, name: str) -> EditTree:
    """Call a group otherwise; values have the names they have.

    Raises
    ------
    DataError
        If it is no group below the root, or the name is empty, too long or taken.
    """
    _demand(tree.is_group(group) and group != tree.root, "only a group can be renamed", "no-group")
    if name.strip() == group:
        return tree
    label = _free(tree, name)
    new = {group: label}
    children = {
        new.get(each, each): tuple(new.get(below, below) for below in inside)
        for each, inside in tree.children.items()
    }
    above = {new.get(each, each): new.get(up, up) for each, up in tree.above.items()}
    spans = {
        value: {new.get(each, each): many for each, many in said.items()}
        for value, said in tree.spans.items()
    }
    return replace(tree, children=children, above=above, spans=spans)


def move(tree: EditTree, labels: Sequence[str], group: str) -> EditTree:
    """Put values or groups, with all that is in them, into a group, after what it has.

    Labels inside others of the list move with these.

    Raises
    ------
    DataError
        If the target is no group, a label is not there, or a group would contain itself.
    """
    _demand(tree.is_group(group), "values can be moved into a group only", "no-group")
    known = all(label in tree.above for label in labels)
    _demand(known, "this value or group is not there any more; reload the page", "no-label")
    inside = set(tree.way_up(group))
    _demand(not inside & set(labels), "a group cannot be moved into itself", "group-in-itself")
    chosen = set(labels)
    moved = [each for each in labels if not chosen & set(tree.way_up(each)[1:])]
    if all(tree.above[label] == group for label in moved):
        return tree
    return _moved(tree, tuple(dict.fromkeys(moved)), group)


def _moved(tree: EditTree, labels: tuple[str, ...], group: str) -> EditTree:
    gone = set(labels)
    children = dict(tree.children)
    for place in {tree.above[label] for label in labels}:
        children[place] = tuple(each for each in children[place] if each not in gone)
    children[group] = (*children[group], *labels)
    above = {**tree.above, **dict.fromkeys(labels, group)}
    values = {value for label in labels for value in tree.values(label)}
    spans = {value: said for value, said in tree.spans.items() if value not in values}
    return replace(tree, children=children, above=above, spans=spans)


def dissolve(tree: EditTree, group: str) -> EditTree:
    """Take a group away; what was in it stands in its place.

    Raises
    ------
    DataError
        If it is no group below the root.
    """
    _demand(
        tree.is_group(group) and group != tree.root, "only a group can be dissolved", "no-group"
    )
    place = tree.above[group]
    members = tree.children[group]
    children = {each: inside for each, inside in tree.children.items() if each != group}
    children[place] = tuple(
        label for each in tree.children[place] for label in (members if each == group else (each,))
    )
    above = {each: up for each, up in tree.above.items() if each != group}
    return replace(tree, children=children, above={**above, **dict.fromkeys(members, place)})


def _free(tree: EditTree, name: str) -> str:
    label = name.strip()
    _demand(bool(label), "a group needs a name", "no-name")
    _demand(
        len(label) <= LONGEST and label.isprintable(),
        f"the name of a group has at most {LONGEST} characters, all of them visible",
        "bad-name",
    )
    _demand(
        not tree.knows(label),
        "this name is taken; a name of its own for each group, other than any value, is accepted",
        "name-taken",
    )
    return label


def _demand(holds: bool, message: str, reason: str) -> None:
    if not holds:
        raise DataError(message, reason=reason)
