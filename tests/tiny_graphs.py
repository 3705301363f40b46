"""Tiny released graphs with what a question selects on them, by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from oracles.grouped_graph import both, is_safe, linked
from papilio.query.graph.grouped import Chosen, GroupedGraph, GroupedSide, select

SIZES = [(2, 2), (3,), (1, 2), (2, 1, 1), (3, 1), (2,), (1, 1), (4,)]


@dataclass(frozen=True)
class Tiny:
    graph: GroupedGraph
    selection: object
    edges: list
    left: tuple
    right: tuple
    wanted: tuple
    ok: tuple
    values: list

    @property
    def safe(self):
        return is_safe(self.edges, self.left[0], 0) and is_safe(self.edges, self.right[0], 1)

    def worlds(self):
        """Entities of nodes on both sides, and the selected edges, of every world."""
        for left, right in both(self.left, self.right):
            yield left, right, linked(self.edges, left, right, *self.wanted, *self.ok)


def side(random, sizes, values, ends):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    frame = pl.DataFrame({"v": values})
    people, nodes = random.permutation(groups), random.permutation(groups)
    return GroupedSide("t", "id", frame, people, nodes, np.array(ends, np.int64))


def tiny(seed, *, trivial=False, safe=False):
    """A tiny graph; ``trivial`` has no attribute predicate on the right."""
    random = np.random.default_rng(seed)
    sizes = [SIZES[random.integers(len(SIZES))] for _ in range(2)]
    n, m = sum(sizes[0]), sum(sizes[1])
    edges = [
        (x, y) for x in range(n) for y in range(m) if random.random() < random.choice([0.3, 0.6])
    ]
    values = random.integers(-3, 6, n).astype(float)
    left = side(random, sizes[0], values, [x for x, _ in edges])
    if safe:
        edges = _made_safe(edges, left.group_of_node, None)
    right = side(random, sizes[1], np.zeros(m), [y for _, y in edges])
    if safe:
        edges = _made_safe(edges, left.group_of_node, right.group_of_node)
    left = _with_ends(left, [x for x, _ in edges])
    right = _with_ends(right, [y for _, y in edges])
    graph = GroupedGraph(left, right, "e", ("a", "b"))
    wanted = (random.random(n) < 0.6, np.ones(m, bool) if trivial else random.random(m) < 0.6)
    ok = (random.random(n) < 0.8, random.random(m) < 0.8)
    selection = select(graph, Chosen(left, wanted[0], ok[0]), Chosen(right, wanted[1], ok[1]))
    groups = [
        (each.group_of_node.tolist(), each.group_of_entity.tolist()) for each in (left, right)
    ]
    return Tiny(graph, selection, edges, *groups, wanted, ok, values.tolist())


def _with_ends(old, ends):
    return GroupedSide(
        old.name, old.key, old.entities, old.group_of_entity, old.group_of_node,
        np.array(ends, np.int64),
    )  # fmt: skip


def _made_safe(edges, left, right):
    kept = []
    for edge in edges:
        trial = [*kept, edge]
        fits = is_safe(trial, left, 0) and (right is None or is_safe(trial, right, 1))
        if fits:
            kept = trial
    return kept
