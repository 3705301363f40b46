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

Lower bounds on the loss of a butterfly, which tell where none need be built.

For a block G with the rows of m classes, a wing on attributes A costs at least the larger of

* |G| times the least distance, on A, of a row from its (⌈k/m⌉ - 1)-th nearest in its own class
  (Pei et al., "Butterfly", TR 2008-18, theorem 4, first term: of k rows ⌈k/m⌉ come from one
  class); and
* the sum over the rows of G of the distance, on A, to the (k - 1)-th nearest row of G. It is never
  below the second term of theorem 4, which takes the least such distance in the whole table for
  every row.

To the wings comes the loss on the body, |G| times its width. All distances are between original
values, so the bounds hold as well where rows come in units, and for any further demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from papilio.families.recipients.methods.build import Divided, build_butterfly, joined
from papilio.families.recipients.methods.class_tree import ClassTree, tree_by_cuts
from papilio.families.recipients.methods.setting import Known, Plan, Points, Setting
from papilio.families.recipients.methods.wings import one_class
from papilio.kernels.class_tree import run_widths
from papilio.kernels.codes import Codes
from papilio.kernels.nearest import least_nearest, nearest_sum


@dataclass(eq=False)
class Bound:
    """Lower bounds for the nodes of a tree; what they need of the tree is worked out once.

    Attributes
    ----------
    setting, tree
        The table, what is demanded, and the classes.
    """

    setting: Setting
    tree: ClassTree
    _lines: dict[Known, Codes] = field(default_factory=dict)
    _least: dict[Known, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._leaf_begins = self.tree.nodes[self.tree.leaves, 0]

    def of(self, node: int, plan: Plan, body: float, enough: float) -> float:
        """Bound the loss of a butterfly on a node.

        Parameters
        ----------
        node, plan
            The block and how it would be divided.
        body
            Loss on the body.
        enough
            Stop adding up once the sum is as large as this.
        """
        total = body
        for branch in plan.branches:
            if total >= enough:
                break
            # Inside a branch with several recipients, each of them alone is a bound.
            total += max(self.wing(node, recipient) for recipient in branch.recipients)
        return total

    def wing(self, node: int, recipient: Known) -> float:
        """Bound the loss of a wing for a recipient on a node."""
        return max(self.per_row(node, recipient), self.per_class(node, recipient))

    def per_row(self, node: int, recipient: Known) -> float:
        """Sum of the distances of the rows to their (k - 1)-th nearest in the block."""
        codes, shape = self._codes(recipient), self._shape(recipient)
        begin, end = self.tree.nodes[node, :2]
        least = self.setting.demand_on(recipient).least_size
        return nearest_sum(codes, codes.view(np.int64), begin, end, least, *shape)

    def per_class(self, node: int, recipient: Known) -> float:
        """First term of theorem 4."""
        begin, end = self.tree.nodes[node, :2]
        first, last = np.searchsorted(self._leaf_begins, [begin, end])
        least = self.setting.demand_on(recipient).least_size
        nearest = -(-least // int(last - first)) - 1
        if nearest == 0:
            return 0.0
        distance = self._tables(recipient)[first:last, nearest].min()
        return float((end - begin) * distance)

    def _codes(self, recipient: Known) -> Codes:
        if recipient not in self._lines:
            view = self.setting.view(tuple(sorted(recipient)))
            self._lines[recipient] = view.table.codes[self.tree.points.rows]
        return self._lines[recipient]

    def _shape(
        self, recipient: Known
    ) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        return self.setting.view(tuple(sorted(recipient))).shape[:4]

    def _tables(self, recipient: Known) -> NDArray[np.float64]:
        if recipient not in self._least:
            codes = self._codes(recipient)
            runs = self.tree.nodes[self.tree.leaves]
            self._least[recipient] = least_nearest(
                codes,
                codes.view(np.int64),
                runs[:, 0].copy(),
                runs[:, 1].copy(),
                self.setting.demand_on(recipient).least_size,
                *self._shape(recipient),
            )
        return self._least[recipient]


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
