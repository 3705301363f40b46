"""A tree as the file of paths that policies name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from papilio.web.hierarchy_tree.edit_tree import EditTree

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
