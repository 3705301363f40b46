"""What can be done with a tree: make, name, move and dissolve groups.

Every function returns a new tree and leaves the given one as it is. Messages hold no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papilio.errors import DataError
from papilio.web.hierarchy_tree.edit_tree import EditTree

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


def add_values(tree: EditTree, values: Sequence[str]) -> EditTree:
    """Put values that the tree does not know below its root."""
    new = [value for value in values if not tree.knows(value)]
    if not new:
        return tree
    children = {**tree.children, tree.root: (*tree.children[tree.root], *new)}
    return replace(tree, children=children, above={**tree.above, **dict.fromkeys(new, tree.root)})


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
