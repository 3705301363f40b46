"""Put butterflies where they lose less than the classes below, from the leaves to the root.

Source: Pei et al., "Butterfly", TR 2008-18, figure 3. Corrections:

* the loss on the body is the sum of its widths times the number of rows, and so is every loss;
* line 7 adds the loss of a class once, not once per row;
* line 16 compares the loss on the body with the loss of everything so far, which in this order
  leaves out nodes that are worth it. Here a node is left out if the lower bound, of which
  the loss on the body is a part, is not below the loss of what its rows have already;
* a block with a single value on the body is treated like any other: its wings come from a
  heuristic, so the children stay unless it loses less.

Since the children stay otherwise, the result never loses more than the classes at the leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from papilio.families.recipients.methods.bound import Bound
from papilio.families.recipients.methods.build import Divided, build_butterfly, joined
from papilio.families.recipients.methods.class_tree import ClassTree, tree_by_cuts
from papilio.families.recipients.methods.plan import Plan
from papilio.families.recipients.methods.setting import Points, Setting
from papilio.families.recipients.methods.wings import one_class
from papilio.kernels.class_tree import run_widths


@dataclass(frozen=True)
class Counters:
    """What a pass did with the inner nodes of a tree.

    Attributes
    ----------
    visited
        Nodes that were looked at.
    bounded
        Nodes where a lower bound showed that no butterfly can lose less.
    built
        Nodes where a butterfly was built.
    kept
        Nodes where it lost less than what was there.
    """

    visited: int = 0
    bounded: int = 0
    built: int = 0
    kept: int = 0

    def __add__(self, other: Counters) -> Counters:
        return Counters(
            self.visited + other.visited,
            self.bounded + other.bounded,
            self.built + other.built,
            self.kept + other.kept,
        )

    @property
    def success_rate(self) -> float:
        """Share of the butterflies built that were kept; 0 if none was built."""
        return self.kept / self.built if self.built else 0.0


@dataclass(frozen=True, eq=False)
class Passed:
    """The outcome of a pass.

    Attributes
    ----------
    divided
        The rows of the tree, divided.
    union_loss
        Loss of the classes at the leaves.
    counters
        What was done.
    butterflies
        Nodes whose butterflies are part of the result, none inside another.
    """

    divided: Divided
    union_loss: float
    counters: Counters
    butterflies: tuple[int, ...]


def pass_upwards(
    setting: Setting,
    tree: ClassTree,
    attributes: tuple[int, ...],
    plans: Sequence[Plan],
) -> Passed:
    """Go through a tree from the leaves to the root and build butterflies where they may help.

    Parameters
    ----------
    setting
        The table and what is demanded.
    tree
        The classes; each meets the demand, and is large enough for all recipients together.
    attributes
        The attributes that are divided.
    plans
        Kinds of butterflies to try, each about all of these attributes; the cheapest is taken.

    Notes
    -----
    Cost: one Mondrian per node that is built, on its rows.
    """
    view = setting.view(attributes)
    codes = view.table.codes[tree.points.rows]
    begin, end = (tree.nodes[:, side].copy() for side in (0, 1))
    widths = run_widths(codes, begin, end, view.attributes) * tree.sizes[:, None]
    bodies = [widths[:, [attributes.index(p) for p in plan.body]].sum(axis=1) for plan in plans]
    bound, loss = Bound(setting, tree), widths.sum(axis=1)
    union_loss = float(loss[tree.leaves].sum())
    chosen: dict[int, Divided] = {}
    visited = bounded = built = kept = 0
    for node in range(len(tree.nodes) - 1, -1, -1):
        left, right = tree.nodes[node, 2:]
        if left < 0:
            continue
        visited += 1
        loss[node] = loss[left] + loss[right]
        tried = better = False
        for plan, body in zip(plans, bodies, strict=True):
            # Without a body the root holds every other node's butterfly.
            if node > 0 and not plan.body:
                continue
            if bound.of(node, plan, body[node], loss[node]) >= loss[node]:
                continue
            tried = True
            found = build_butterfly(
                setting, tree.within(node), plan, body[node], loss[node], solve_inside
            )
            if found is not None and found.loss < loss[node]:
                loss[node], chosen[node] = found.loss, found
                better = True
        built += tried
        bounded += not tried
        kept += better
    divided, on_top = _collect(tree, attributes, chosen, loss)
    return Passed(divided, union_loss, Counters(visited, bounded, built, kept), on_top)


def solve_inside(setting: Setting, points: Points, plan: Plan) -> Divided:
    """Solve a smaller problem inside a block: a tree of its own and a pass over it."""
    tree = tree_by_cuts(points, setting.view(plan.attributes), setting.demand)
    return pass_upwards(setting, tree, plan.attributes, [plan]).divided


def _collect(
    tree: ClassTree,
    attributes: tuple[int, ...],
    chosen: dict[int, Divided],
    loss: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> tuple[Divided, tuple[int, ...]]:
    """Put together the topmost butterflies, and the classes that are in none."""
    found: list[Divided] = []
    on_top: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node in chosen:
            found.append(chosen[node])
            on_top.append(node)
        elif tree.nodes[node, 2] < 0:
            found.append(Divided((one_class(attributes, tree.rows(node)),), float(loss[node])))
        else:
            waiting += tree.nodes[node, 2:].tolist()
    return joined(found), tuple(sorted(on_top))
