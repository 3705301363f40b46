"""P-privacy: one learns only a distribution the owner chose (Zhang, Definition 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from papilio.privacy.decimals import Number, exact, plain


@dataclass(frozen=True)
class TargetDistribution:
    """In every group the published subdomains follow the target exactly, or within a tolerance.

    A group publishes subdomains D_1, …, D_N, nodes of a weighted tree. It is P-private if for every
    value t: P(t) = 1/N sum over i of P(t given D_i). Equivalently, at every node the numbers of
    subdomains inside its children stand in the ratio of the children's weights (papers D3.2).

    Contract
    --------
    Guarantees
        Someone who takes all assignments of subdomains to people of a group for equally likely, and
        values for distributed as the target inside their subdomain, believes of every person of the
        group exactly the target. With a shift x, the share of each child among its siblings differs
        from the target's by at most x.
    Monotone
        A union of groups with the same target is P-private if they are.
    Assumes about the attacker
        Knows quasi-identifiers and the release; takes published subdomains as they are and does not
        ask why the method chose them.
    Does not protect against
        An attacker who knows the method and reasons about what was not pushed down (minimality,
        papers D3.18; ``allocation: randomised`` lowers it). Bounds: sums over whole
        groups are known within the ranges. Sensitive values that depend on each other. That a value
        of weight 0 occurs is hidden inside wider subdomains, not denied.

    Attributes
    ----------
    column
        The sensitive column.
    shift
        Tolerance of shares among siblings, from 0 to 1.
    fakes
        Most fake values of a group, as a share of its rows.
    randomised
        Whether pushes were drawn by chance.
    """

    name: ClassVar[str] = "target-distribution"
    column: str
    shift: Number = 0
    fakes: Number = 0
    randomised: bool = False

    def __post_init__(self) -> None:
        for key in ("shift", "fakes"):
            share = exact(getattr(self, key), key)
            if not 0 <= share <= 1:
                raise ValueError(f"{key} must be from 0 to 1")
            object.__setattr__(self, key, share)

    @property
    def tolerance(self) -> Fraction:
        """The shift, exactly."""
        return exact(self.shift, "shift")

    @property
    def fake_share(self) -> Fraction:
        """The share of fake values, exactly."""
        return exact(self.fakes, "fakes")

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {
            "column": self.column,
            "shift": plain(self.tolerance),
            "fakes": plain(self.fake_share),
            "allocation": "randomised" if self.randomised else "maximal",
        }
