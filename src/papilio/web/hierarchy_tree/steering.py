"""What keys and clicks do to what is open, selected and current in a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from papilio.web.hierarchy_tree.edit_tree import EditTree
from papilio.web.hierarchy_tree.visible import PAGE, Line, visible_lines, with_ways


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
