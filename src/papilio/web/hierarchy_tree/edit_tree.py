"""A hierarchy that is being edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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
