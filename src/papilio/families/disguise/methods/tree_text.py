"""The public tree and its weights as a CSV, for strangers who check a release."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from papilio.data.weighted_tree import WeightedTree

#: Name of the file in a release.
FILE = "target_tree.csv"


def tree_text(targets: Sequence[WeightedTree]) -> str:
    """Write one line per node: number, parent, smallest and largest value, weights of each target.

    The root has number 0 and no parent. All targets have the same tree.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [weight_name(number) for number in range(len(targets))]
    writer.writerow(["node", "parent", "min", "max", *names])
    tree = targets[0].tree
    lows, highs = tree.lows.to_list(), tree.highs.to_list()
    for node in range(tree.nodes):
        above = int(tree.parent[node])
        ends = lows[int(tree.first[node])], highs[int(tree.last[node])]
        weights = [int(target.weight[node]) for target in targets]
        writer.writerow([node, "" if above < 0 else above, *ends, *weights])
    return text.getvalue()


def weight_name(number: int) -> str:
    """Name of the column with the weights of a target."""
    return f"weight_{number + 1}"
