"""Lower bounds on the loss of a butterfly, which tell where none need be built.

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

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from papilio.families.recipients.methods.class_tree import ClassTree
from papilio.families.recipients.methods.plan import Known, Plan
from papilio.families.recipients.methods.setting import Setting
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
        least = self.setting.demand.least_size
        return nearest_sum(codes, codes.view(np.int64), begin, end, least, *shape)

    def per_class(self, node: int, recipient: Known) -> float:
        """First term of theorem 4."""
        begin, end = self.tree.nodes[node, :2]
        first, last = np.searchsorted(self._leaf_begins, [begin, end])
        nearest = -(-self.setting.demand.least_size // int(last - first)) - 1
        if nearest == 0:
            return 0.0
        least = self._tables(recipient)[first:last, nearest].min()
        return float((end - begin) * least)

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
                self.setting.demand.least_size,
                *self._shape(recipient),
            )
        return self._least[recipient]
