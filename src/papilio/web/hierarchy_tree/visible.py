"""Which lines of a tree are on the page: only what is open, and of long lists only the start."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from papilio.web.hierarchy_tree.edit_tree import EditTree

#: Lines of one group that are shown at first, and how many more each time.
PAGE = 50


@dataclass(frozen=True)
class Line:
    """One line of the page.

    Attributes
    ----------
    label
        The value or group; of a line that offers more, the group that has more.
    depth
        0 for the root.
    group
        Whether it is a group.
    open
        Whether its content is shown.
    values
        Number of values in it; 1 for a value.
    rows
        Number of rows that have them.
    hidden
        How many more are not shown; only on a line that offers them.
    """

    label: str
    depth: int
    group: bool = False
    open: bool = False
    values: int = 1
    rows: int = 0
    hidden: int = 0


def visible_lines(
    tree: EditTree, opened: Collection[str], shown: Mapping[str, int] | None = None
) -> tuple[Line, ...]:
    """Lines to show, from the root downwards.

    Parameters
    ----------
    tree
        The tree.
    opened
        Groups whose content is shown.
    shown
        Group -> how many of its lines, if not :data:`PAGE`.

    Notes
    -----
    Cost: what is shown and, once for each tree, its size for the counts.
    """
    return tuple(_lines(tree, tree.root, 0, frozenset(opened), shown or {}))


def _lines(
    tree: EditTree,
    label: str,
    depth: int,
    opened: frozenset[str],
    shown: Mapping[str, int],
) -> Iterator[Line]:
    values, rows = tree.counts[label]
    group = tree.is_group(label)
    yield Line(label, depth, group, group and label in opened, values, rows)
    if not group or label not in opened:
        return
    inside = tree.children[label]
    limit = shown.get(label, PAGE)
    for each in inside[:limit]:
        yield from _lines(tree, each, depth + 1, opened, shown)
    if len(inside) > limit:
        yield Line(label, depth + 1, hidden=len(inside) - limit)


def with_ways(tree: EditTree, opened: Collection[str], label: str) -> frozenset[str]:
    """Groups to open so that a label is seen."""
    return frozenset(opened) | set(tree.way_up(label)[1:])
