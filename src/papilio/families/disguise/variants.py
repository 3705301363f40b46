"""Variants of a policy for a target distribution."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.families.choices import Choices, Line, Measure, Measured, Varied
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.release.release import Release

_LOSS = Measure(
    "loss",
    "Range",
    "Average published range, as a share of the domain. 0% if every value is published exactly.",
    share=True,
)
_RISK = Measure(
    "risk",
    "Risk",
    "How far what a recipient believes of a group’s values may be off the target: the largest "
    "distance of a published group from it, and what is added by knowing that as much as possible "
    "was made exact (only measured without tolerance, fake values and personal levels).",
    share=True,
)
_MEASURES = (
    Measure("groups", "groups", "How many groups there are."),
    Measure("fakes", "fakes", "Fake values that were added."),
    Measure(
        "exact", "exact", "Share of the published cells that are a single value.", share=True,
        drawn=True,
    ),
)  # fmt: skip
#: Tolerances and shares of fake values that may be tried.
_SHIFTS, _FAKES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2), (0.0, 0.05, 0.1, 0.2)


def variants(policy: Policy) -> Choices:
    """Tolerance of the target, and fake values."""
    shift, fakes = policy.privacy.shift, policy.privacy.fakes
    return Choices(
        (Line("disguise"),),
        ("disguise",),
        (
            Varied(
                "privacy.shift",
                "shift: tolerance of the target",
                tuple(sorted({*_SHIFTS, shift})),
                tuple(sorted({*_SHIFTS[:5], shift})),
            ),
            Varied(
                "privacy.fakes",
                "fakes: fake values, as a share of the rows",
                tuple(sorted({*_FAKES, fakes})),
                tuple(sorted({*_FAKES[:2], fakes})),
            ),
        ),
        _LOSS,
        _RISK,
        TargetBench.of,
    )


@dataclass(frozen=True, eq=False)
class TargetBench:
    """The table whose values are disguised."""

    order: Order

    @classmethod
    def of(cls, order: Order, policy: Policy) -> TargetBench:
        """Remember the table."""
        del policy
        return cls(order)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures about the groups."""
        return _MEASURES

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure each group beside its target."""
        from papilio.measure.losses import (
            published_shares,
            range_loss,
            target_shares,
            total_variation,
        )
        from papilio.release.target_tree import subdomains_of, targets_of

        groups = [
            (each.target, nodes)
            for each in targets_of(release)
            for nodes in subdomains_of(release, each).values()
        ]
        people = release.frames[release.manifest.tables[0].name].height
        used = sum(sum(nodes.values()) for _, nodes in groups)
        wide = sum(range_loss(target, nodes) * sum(nodes.values()) for target, nodes in groups)
        exact = sum(
            many
            for target, nodes in groups
            for node, many in nodes.items()
            if target.tree.end[node] == node + 1
        )
        moved = max(
            total_variation(published_shares(target, nodes), target_shares(target))
            for target, nodes in groups
        )
        more: dict[str, float | None] = {
            "groups": len(groups),
            "fakes": used - people,
            "exact": exact / used,
        }
        risk = max(moved, _by_minimality(release, self.order, policy))
        return Measured(wide / used, risk, people, self.order.table.height - people, more)


def _by_minimality(release: Release, order: Order, policy: Policy) -> float:
    from papilio.attack.minimality import minimality

    results = minimality(release, order.table, policy)
    return max(float(each.figures.get("largest_shift", 0.0)) for each in results)
