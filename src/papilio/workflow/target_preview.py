"""A target distribution beside that of the data, before anything is published.

What comes out shows the distribution of the data: it is for the owner's eyes.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from papilio.data.types import plain_text
from papilio.errors import PolicyError
from papilio.families.disguise.make import parts_of
from papilio.families.disguise.methods.domain_of import domain_of
from papilio.families.disguise.methods.target_of import read_weights
from papilio.measure.target_distance import target_shares, total_variation
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent

#: Most bars of the picture.
_BARS = 32


@dataclass(frozen=True)
class TargetPreview:
    """Shares of stretches of the domain.

    Attributes
    ----------
    labels
        The stretches.
    data, target
        Share of each in the data and in the target.
    distance
        Half the sum of the differences over all values (total variation), from 0 to 1: the larger,
        the more has to be hidden.
    parts
        Whether parts of the rows have targets of their own; shown is that of all rows together.
    """

    labels: tuple[str, ...]
    data: tuple[float, ...]
    target: tuple[float, ...]
    distance: float
    parts: bool

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self)


def preview_target(policy: Policy, *, progress: Progress | None = None) -> TargetPreview:
    """Compare the target of a policy with the data.

    Raises
    ------
    PolicyError
        If the policy has no target.
    DataError
        If the column does not allow it.
    """
    if not policy.privacy.target:
        raise PolicyError([policy.fault("there is no target distribution", "privacy", "target")])
    tell = progress or silent
    tell("reading", 0.0)
    table = order_from_source(policy).table
    ((name, said),) = policy.privacy.target.items()
    (column,) = (each for each in table.columns if each.name == name)
    tell("weighing", 0.7)
    file = read_weights(said, column.type, policy.base, policy.allowed)
    values = None if file is None else file.values
    tree, codes = domain_of(column, table.frame.get_column(name), said.tree, values)
    own = np.bincount(codes, minlength=tree.leaves) / max(1, len(codes))
    parts, _ = parts_of(table, file, said, tree, codes, policy)
    chance = np.sum([target_shares(each.target) * len(each.rows) for each in parts], axis=0)
    chance = chance / max(1, len(codes))
    starts = np.unique(np.linspace(0, tree.leaves, min(_BARS, tree.leaves) + 1).astype(int))
    texts, ends = (plain_text(each).to_list() for each in (tree.lows, tree.highs))
    return TargetPreview(
        labels=tuple(_label(texts[lo], ends[hi - 1]) for lo, hi in itertools.pairwise(starts)),
        data=tuple(np.add.reduceat(own, starts[:-1]).tolist()),
        target=tuple(np.add.reduceat(chance, starts[:-1]).tolist()),
        distance=total_variation(own, chance),
        parts=bool(said.by),
    )


def _label(low: Any, high: Any) -> str:
    return str(low) if low == high else f"{low} to {high}"
