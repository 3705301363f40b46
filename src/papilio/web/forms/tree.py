"""A hierarchy that is being edited, and which lines of its tree are on the page."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import groupby, pairwise

ROOT = "*"


@dataclass(frozen=True)
class EditTree:
    """A tree over the values of a column; labels tell its nodes apart.

    Other than a finished hierarchy it may have groups without values, which are being filled.

    Attributes
    ----------
    root
        Label of the root.
    children
        Group -> what is right below it, in order. A label that is no group is a value.
    above
        Label -> the group it is in; the root has none.
    rows
        Value -> number of rows that have it.
    spans
        Value -> labels on its way up that stand for it on more than one level, and on how many.
        Only where levels would not fall into place by themselves.
    """

    root: str
    children: Mapping[str, tuple[str, ...]]
    above: Mapping[str, str]
    rows: Mapping[str, int] = field(default_factory=dict)
    spans: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def is_group(self, label: str) -> bool:
        """Whether a label is that of a group, the root included."""
        return label in self.children

    def knows(self, label: str) -> bool:
        """Whether a value or a group has this label."""
        return label in self.children or label in self.above

    def groups(self) -> tuple[str, ...]:
        """All groups, the root first, each before those inside it."""
        found, waiting = [], [self.root]
        while waiting:
            label = waiting.pop()
            found.append(label)
            inside = (each for each in reversed(self.children[label]) if self.is_group(each))
            waiting.extend(inside)
        return tuple(found)

    def values(self, label: str | None = None) -> tuple[str, ...]:
        """All values, or those below a label, in the order of the tree."""
        found, waiting = [], [self.root if label is None else label]
        while waiting:
            here = waiting.pop()
            if self.is_group(here):
                waiting.extend(reversed(self.children[here]))
            else:
                found.append(here)
        return tuple(found)

    def way_up(self, label: str) -> tuple[str, ...]:
        """The label and all groups it is in, the root last."""
        way = [label]
        while way[-1] in self.above:
            way.append(self.above[way[-1]])
        return tuple(way)

    @cached_property
    def ways(self) -> Mapping[str, tuple[str, ...]]:
        """Group -> itself and all groups it is in, the root last."""
        found: dict[str, tuple[str, ...]] = {}
        for group in self.groups():
            above = self.above.get(group)
            found[group] = (group,) if above is None else (group, *found[above])
        return found

    @cached_property
    def counts(self) -> Mapping[str, tuple[int, int]]:
        """Label -> number of values in it, and of rows that have them."""
        found = {label: (1, self.rows.get(label, 0)) for label in self.above}
        for group in reversed(self.groups()):
            inside = [found[each] for each in self.children[group]]
            found[group] = (sum(n for n, _ in inside), sum(rows for _, rows in inside))
        return found

    def path(self, value: str) -> tuple[str, ...]:
        """Path of a value as a file has it, labels repeated that stand on several levels."""
        way = (value, *self.ways[self.above[value]])
        spans = self.spans.get(value)
        if not spans:
            return way
        return tuple(label for each in way for label in (each,) * spans.get(each, 1))


def tree_of_paths(paths: Iterable[Sequence[str]], rows: Sequence[int] = ()) -> EditTree:
    """Make a tree of paths that form one: value first, root last, at least two labels each.

    Parameters
    ----------
    paths
        One path a value; a label repeated in a row is one node on several levels.
    rows
        Number of rows of each value; left out, none are counted.
    """
    listed = [tuple(path) for path in paths]
    root = listed[0][-1] if listed else ROOT
    inside: dict[str, dict[str, None]] = {root: {}}
    above: dict[str, str] = {}
    for path in listed:
        for label, group in _steps(path):
            above[label] = group
            inside.setdefault(group, {})[label] = None
    return EditTree(
        root,
        {group: tuple(labels) for group, labels in inside.items()},
        above,
        dict(zip((path[0] for path in listed), rows, strict=False)),
        {path[0]: spans for path in listed if (spans := _spans(path))},
    )


def _steps(path: Sequence[str]) -> Iterator[tuple[str, str]]:
    way = [label for label, _ in groupby(path)]
    return pairwise(way)


def _spans(path: Sequence[str]) -> dict[str, int]:
    """Labels on several levels; a short path fills its top levels by itself."""
    lengths = [(label, len(list(same))) for label, same in groupby(path)]
    return {label: length for label, length in lengths[:-2] if length > 1}


#: Values that are shown as examples.
EXAMPLES = 5


@dataclass(frozen=True)
class Level:
    """One level.

    Attributes
    ----------
    labels
        Labels of the examples.
    groups
        Number of different labels on it.
    loss
        How much the average row loses, from 0 to 1: (values covered - 1) / (all values - 1).
    """

    labels: tuple[str, ...]
    groups: int
    loss: float


def levels_of(tree: EditTree, examples: Sequence[str] = ()) -> tuple[Level, ...]:
    """All levels, that of the values first, that of the root last.

    Paths shorter than the longest keep their highest group below the root until the top level, as
    in :func:`papilio.data.hierarchy.tree.from_leaf_paths`, whose levels these are.

    Parameters
    ----------
    tree
        The tree.
    examples
        Values to show; left out, some from all over the tree, frequent ones first.
    """
    values = tree.values()
    paths = [tree.path(value) for value in values]
    height = max((len(path) for path in paths), default=2)
    padded = dict(zip(values, (_pad(path, height) for path in paths), strict=True))
    _raise(tree, padded, height)
    chosen = [each for each in examples if each in padded] or pick_examples(tree)
    weights = [max(0, tree.rows.get(value, 0)) for value in values]
    if not any(weights):
        weights = [1] * len(values)
    return tuple(
        Level(
            tuple(padded[each][level] for each in chosen),
            len({path[level] for path in padded.values()}),
            _loss([tree.counts[path[level]][0] for path in padded.values()], weights),
        )
        for level in range(height)
    )


def _pad(path: tuple[str, ...], height: int) -> list[str]:
    return [*path[:-1], *path[-2:-1] * (height - len(path)), *path[-1:]]


def _raise(tree: EditTree, padded: dict[str, list[str]], height: int) -> None:
    """Lift labels so that what one level joins the next does not part again."""
    depth = {label: number for number, label in enumerate(tree.groups())}
    depth |= {value: len(depth) + number for number, value in enumerate(padded)}
    for level in range(1, height):
        highest: dict[str, str] = {}
        for path in padded.values():
            known = highest.setdefault(path[level - 1], path[level])
            if depth[path[level]] < depth[known]:
                highest[path[level - 1]] = path[level]
        for path in padded.values():
            path[level] = highest[path[level - 1]]


def _loss(covered: Sequence[int], weights: Sequence[int]) -> float:
    others = len(covered) - 1
    if others < 1:
        return 0.0
    lost = sum((many - 1) * weight for many, weight in zip(covered, weights, strict=True))
    return lost / (others * sum(weights))


def pick_examples(tree: EditTree, most: int = EXAMPLES) -> tuple[str, ...]:
    """Values from all over the tree: the most frequent of as many stretches of it."""
    values = tree.values()
    if len(values) <= most:
        return values
    cuts = [round(number * len(values) / most) for number in range(most + 1)]
    stretches = [values[a:b] for a, b in itertools.pairwise(cuts)]
    return tuple(max(each, key=lambda value: tree.rows.get(value, 0)) for each in stretches)


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


def tree_html(lines: Sequence[Line], selected: Collection[str], current: int) -> str:
    """Draw lines; ``data-n`` is the number of each.

    Parameters
    ----------
    lines
        What is shown.
    selected
        Labels that are selected.
    current
        Number of the line that keys are about.
    """
    total = lines[0].rows if lines else 0
    return "".join(
        _line(number, line, line.label in selected and not line.hidden, number == current, total)
        for number, line in enumerate(lines)
    )


def _line(number: int, line: Line, selected: bool, current: bool, total: int) -> str:
    kind = "group" if line.group else "value"
    classes = f"line {'more' if line.hidden else kind}{' current' if current else ''}"
    expanded = f' aria-expanded="{str(line.open).lower()}"' if line.group else ""
    drag = ' draggable="true"' if line.depth and not line.hidden else ""
    return (
        f'<div role="treeitem" id="line-{number}" data-n="{number}" data-kind="{kind}" '
        f'aria-level="{line.depth + 1}" aria-selected="{str(selected).lower()}"{expanded}{drag} '
        f'class="{classes}" style="--depth:{line.depth}">{_content(line, total)}</div>'
    )


def _content(line: Line, total: int) -> str:
    if line.hidden:
        return f'<span class="label">Show {min(PAGE, line.hidden):,} more of {line.hidden:,}</span>'
    chevron = ("▾" if line.open else "▸") if line.group else ""
    share = line.rows / total if total else 0
    return (
        f'<span class="chevron" aria-hidden="true">{chevron}</span>'
        f'<span class="label">{escape(line.label)}</span>'
        f'<span class="many">{_many(line)}</span>'
        f'<span class="share" aria-hidden="true"><i style="width:{share:.1%}"></i></span>'
    )


def _many(line: Line) -> str:
    rows = f"{line.rows:,} row{'' if line.rows == 1 else 's'}"
    if not line.group:
        return rows
    if not line.values:
        return "empty, not saved"
    return f"{line.values:,} value{'' if line.values == 1 else 's'} · {rows}"
