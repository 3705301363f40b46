"""How likely people are found: the chance of each, summed up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.attack.class_counts import ClassCounts

#: Chance above which somebody counts as at risk: that of a class of fewer than five rows.
THRESHOLD = 0.2


@dataclass(frozen=True)
class Chances:
    """Chances of an attacker to name the right row of a person.

    Attributes
    ----------
    largest
        Of the person who is found most easily; 0 without people.
    average
        Over people; the attacker who tries everybody is right with that share.
    threshold
        Above which a chance counts as too high.
    at_risk
        People with such a chance.
    """

    largest: float
    average: float
    threshold: float
    at_risk: int


def chances_of(counts: ClassCounts, chance: NDArray[np.float64], threshold: float) -> Chances:
    """Sum up the chance that people in a class of each size have."""
    people = counts.sizes * counts.classes
    total = int(people.sum())
    return Chances(
        largest=float(chance.max(initial=0.0)),
        average=float((people * chance).sum() / total) if total else 0.0,
        threshold=threshold,
        at_risk=int(people[chance > threshold].sum()),
    )
