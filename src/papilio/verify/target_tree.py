"""The published tree of subdomains and its weights, read and checked by a stranger."""

from __future__ import annotations

import csv
import io
import itertools
from dataclasses import dataclass, field
from fractions import Fraction

from papilio.verify.opened import WORK, Opened

_HEADER = ["node", "parent", "min", "max"]
#: Weights above would not leave room for exact products.
_LARGEST = 2**40


@dataclass(frozen=True)
class TargetTree:
    """A tree of subdomains; nodes are numbered depth first, from the root, which is 0.

    Attributes
    ----------
    parent
        Node -> parent; -1 for the root.
    low, high
        Node -> smallest and largest value, as text.
    weights
        Name of a target -> node -> weight.
    children
        Node -> children.
    """

    parent: list[int]
    low: list[str]
    high: list[str]
    weights: dict[str, list[int]]
    children: list[list[int]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    def total(self, target: str, node: int) -> int:
        """Sum of the weights of a node's children."""
        return sum(self.weights[target][child] for child in self.children[node])


def read_tree(text: str | None, *, numeric: bool) -> TargetTree | str:
    """Read the file of a tree; what is wrong with it, if something is.

    A tree is sound if its nodes are numbered depth first, every inner node has at least two
    children, whose ranges follow one another inside its own and reach its ends, and weights are
    whole numbers of at least 0.
    """
    if text is None:
        return "the tree is missing"
    try:
        tree = _parse(list(csv.reader(io.StringIO(text, newline=""), strict=True)))
    except (ValueError, csv.Error, IndexError):
        return "the tree cannot be read"
    fault = _shape_fault(tree) or _range_fault(tree, numeric=numeric)
    return fault or tree


def _parse(rows: list[list[str]]) -> TargetTree:
    head, *body = rows
    if head[:4] != _HEADER or len(head) < 5 or len(set(head)) < len(head) or not body:
        raise ValueError("header")
    if any(len(row) != len(head) or int(row[0]) != n for n, row in enumerate(body)):
        raise ValueError("rows")
    parent = [-1 if row[1] == "" else int(row[1]) for row in body]
    weights = {name: [int(row[place]) for row in body] for place, name in enumerate(head[4:], 4)}
    if any(not 0 <= weight <= _LARGEST for each in weights.values() for weight in each):
        raise ValueError("weights")
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent):
        if (above < 0) is not (node == 0) or above >= node:
            raise ValueError("parents")
        if above >= 0:
            children[above].append(node)
    return TargetTree(parent, [row[2] for row in body], [row[3] for row in body], weights, children)


def _shape_fault(tree: TargetTree) -> str | None:
    if any(len(each) == 1 for each in tree.children):
        return "a node of the tree has one child"
    # Depth first: the parent of each node is the node before it or an ancestor of that.
    path = [0]
    for node in range(1, tree.size):
        while path and path[-1] != tree.parent[node]:
            path.pop()
        if not path:
            return "nodes of the tree are not numbered depth first"
        path.append(node)
    return None


def _range_fault(tree: TargetTree, *, numeric: bool) -> str | None:
    wrong = "ranges of the tree do not lie inside one another"
    for node, below in enumerate(tree.children):
        ends = (tree.low[node], tree.high[node])
        if below and (tree.low[below[0]], tree.high[below[-1]]) != ends:
            return wrong
    if not numeric:
        leaves = [n for n in range(tree.size) if not tree.children[n]]
        labels = {tree.low[leaf] for leaf in leaves}
        single = all(tree.low[leaf] == tree.high[leaf] for leaf in leaves)
        return None if single and len(labels) == len(leaves) else wrong
    try:
        low, high = ([Fraction(each) for each in ends] for ends in (tree.low, tree.high))
    except (ValueError, ZeroDivisionError):
        return wrong
    if any(a > b for a, b in zip(low, high, strict=True)):
        return wrong
    ascending = all(
        high[a] <= low[b] and low[a] < low[b]
        for below in tree.children
        for a, b in itertools.pairwise(below)
    )
    return None if ascending else wrong


def load_tree(opened: Opened, tree: TargetTree, kind: str) -> None:
    """Put the tree into the work schema: ``tree`` and ``above``, each node with its ancestors.

    For the target in column number i, ``w``i is the weight of a node, ``t``i the sum of its
    children's, ``u``i the highest node the target does not tell from it.

    Parameters
    ----------
    opened
        The release.
    tree
        The tree.
    kind
        SQL type of the ends of ranges.
    """
    nodes = list(range(tree.size))
    numbers = {"node": nodes, "parent": tree.parent}
    for place, name in enumerate(tree.weights):
        numbers[f"w{place}"] = tree.weights[name]
        numbers[f"t{place}"] = [tree.total(name, node) for node in nodes]
        numbers[f"u{place}"] = raised(tree, name)
    opened.keep_columns("written", {**numbers, "low": tree.low, "high": tree.high})
    opened.keep(
        "tree",
        f"SELECT {', '.join(numbers)}, CAST(low AS {kind}) AS low, CAST(high AS {kind}) AS high "
        f"FROM {WORK}.written",
    )
    pairs = [(node, above) for node in nodes for above in _upwards(tree, node)]
    opened.keep_columns("above", {"node": [n for n, _ in pairs], "above": [a for _, a in pairs]})


def raised(tree: TargetTree, target: str) -> list[int]:
    """Node -> highest node above it, or itself, on a way on which siblings have no weight."""
    found: list[int] = []
    for node, above in enumerate(tree.parent):
        weight = tree.weights[target][node]
        alone = above >= 0 and weight > 0 and weight == tree.total(target, above)
        found.append(found[above] if alone else node)
    return found


def _upwards(tree: TargetTree, node: int) -> list[int]:
    path = []
    while node >= 0:
        path.append(node)
        node = tree.parent[node]
    return path
