"""The requirements Papilio knows, and their translation for kernels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from papilio.kernels.demand import Demand
from papilio.privacy.k_anonymity import KAnonymity

Requirement: TypeAlias = KAnonymity


def demand_of(requirements: Iterable[Requirement]) -> Demand:
    """Compile requirements into what every class must satisfy, all at once."""
    return Demand(least_size=max((each.k for each in requirements), default=1))
