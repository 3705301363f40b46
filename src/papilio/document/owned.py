"""A release in the hands of its owner: with its original, its policy and one verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from papilio.attack.result import AttackResult
    from papilio.attack.risk import RiskView
    from papilio.policy.policy import Policy
    from papilio.release.release import Release
    from papilio.verify.verdict import Verdict


@dataclass(frozen=True)
class RiskFound:
    """How easily people are found in a release.

    Attributes
    ----------
    views
        Attackers who look for people; empty where rows are no people.
    assumption
        What is taken for granted about the population.
    learnt
        What follows from classes that share a value.
    notes
        What the measures mean for releases of this kind.
    """

    views: tuple[RiskView, ...]
    assumption: str
    learnt: tuple[AttackResult, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Owned:
    """What a document is made of: everything is read and judged once.

    Attributes
    ----------
    release
        The release.
    policy
        What it was made with.
    order
        The original as the policy reads it, of the class its family reads. A single table has the
        name of the first published table.
    verdict
        What the verifier says of the release beside the original.
    why
        Why its method was taken, in words.
    risk
        How easily people are found; ``None`` if nobody asked.
    made
        Date of the document.
    """

    release: Release
    policy: Policy
    order: Any
    verdict: Verdict
    why: str
    risk: RiskFound | None = None
    made: date = field(default_factory=date.today)
