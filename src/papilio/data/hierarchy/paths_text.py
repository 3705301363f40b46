"""A hierarchy written as a CSV of paths, leaf first, for readers of a release."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from papilio.data.hierarchy.tree import Hierarchy


def paths_text(tree: Hierarchy, ranks: Iterable[int] | None = None) -> str:
    """Write one line per leaf: its value, then the labels above it up to the root.

    The NULL leaf has no line: in a release NULL stands for itself.

    Parameters
    ----------
    tree
        The hierarchy.
    ranks
        The leaves to write, ascending; left out, all.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for rank in range(len(tree.leaves)) if ranks is None else ranks:
        leaf = tree.leaf_node[rank]
        path, node = [], int(leaf)
        while node >= 0:
            path.append(tree.labels[node])
            node = int(tree.parent[node])
        if path[0] is not None:
            writer.writerow(path)
    return text.getvalue()
