"""Variants of a policy for linked tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papilio.families.choices import Choices, Line, Measure, Measured, Varied, sizes
from papilio.policy.apply_tables import LinkedOrder
from papilio.policy.policy import Policy
from papilio.release.release import Release

_LOSS = Measure(
    "loss",
    "Loss",
    "Share of the rows that are removed, and of the domain that an average cell of a "
    "quasi-identifier leaves open in the rows that are not; the mean over the tables.",
    share=True,
)
_RISK = Measure(
    "risk",
    "Risk",
    "Highest chance to pick the right person, whatever rows of theirs one knows: one in the people "
    "of the smallest class.",
    share=True,
)
_MEASURES = (
    Measure("classes", "classes", "How many classes of people there are."),
    Measure(
        "removed",
        "removed",
        "Share of the rows of all tables that are not published.",
        share=True,
        drawn=True,
    ),
)


def variants(policy: Policy) -> Choices:
    """People in a class, and how their rows are paired."""
    people = sizes(policy.privacy.k, (2, 3, 5, 10), (20, 50, 100))
    return Choices(
        (Line("miracle"),),
        ("miracle",),
        (
            replace(people, title="k: people who must look alike"),
            Varied(
                "pairing",
                "pairing: how rows of two people are paired",
                ("optimal", "local"),
                ("optimal", "local"),
            ),
            Varied("skeleton", "skeleton: how people are clustered", ("k-member", "divide")),
            Varied("privacy.suppress", "suppress: people left out", (0.0, 0.02, 0.05, 0.1, 0.2)),
        ),
        _LOSS,
        _RISK,
        TreeBench.of,
    )


@dataclass(frozen=True, eq=False)
class TreeBench:
    """People and the tables that hang off them."""

    order: LinkedOrder

    @classmethod
    def of(cls, order: LinkedOrder, policy: Policy) -> TreeBench:
        """Remember the tables."""
        del policy
        return cls(order)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures about people and rows."""
        return _MEASURES

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure each table, and how many people share a tree."""
        from papilio.measure.linked_loss import linked_loss, overall_loss
        from papilio.verify.linked import people_per_class

        del policy
        snowflake = self.order.snowflake
        losses, classes = linked_loss(snowflake, release), people_per_class(release)
        removed = sum(each.removed for each in losses) / sum(each.rows for each in losses)
        people = release.manifest.table(snowflake.person.name).rows
        return Measured(
            overall_loss(losses),
            1 / int(classes.min()) if len(classes) else 0.0,
            people,
            snowflake.person.height - people,
            {"classes": len(classes), "removed": removed},
        )
