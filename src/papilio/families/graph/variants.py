"""Variants of a policy for a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papilio.families.choices import Choices, Line, Measure, Measured, Varied, sizes
from papilio.policy.apply_graph import GraphOrder
from papilio.policy.policy import Policy
from papilio.release.release import Release

_LOSS = Measure(
    "loss",
    "Doubt",
    "Doubt about an average link: how far from certain the release leaves the links that there "
    "are.",
    share=True,
)
_RISK = Measure(
    "risk",
    "Risk",
    "Strongest belief in a link that there is, from the release alone.",
    share=True,
)
_MEASURES = (
    Measure("left_groups", "left", "Groups of entities on the left."),
    Measure("right_groups", "right", "Groups of entities on the right."),
    Measure("certain", "certain", "Links that are no secret."),
)


def variants(policy: Policy) -> Choices:
    """Entities in a group, on both sides or on the right alone."""
    both = sizes(policy.privacy.k, (3, 5, 10, 20), (2, 50, 100))
    values = both.values
    return Choices(
        (Line("grouping"),),
        ("grouping",),
        (
            replace(both, title="k and l: entities of a group", also=("privacy.l",)),
            Varied("privacy.l", "l alone: entities of a group on the right", values),
        ),
        _LOSS,
        _RISK,
        LinkBench.of,
    )


@dataclass(frozen=True)
class LinkBench:
    """How many entities there are on the left."""

    entities: int

    @classmethod
    def of(cls, order: GraphOrder, policy: Policy) -> LinkBench:
        """Count the entities."""
        del policy
        return cls(order.graph.left.count)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures about the groups."""
        return _MEASURES

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure what the groups leave to believe."""
        from papilio.attack.static_edge import link_beliefs
        from papilio.query.graph.grouped import grouped_graph

        del policy
        graph = grouped_graph(release)
        beliefs = link_beliefs(graph)
        entities = len(graph.left.group_of_node)
        more: dict[str, float | None] = {
            "left_groups": len(graph.left.sizes),
            "right_groups": len(graph.right.sizes),
            "certain": int((beliefs >= 1).sum()),
        }
        return Measured(
            1.0 - (float(beliefs.mean()) if len(beliefs) else 0.0),
            float(beliefs.max(initial=0.0)),
            entities,
            self.entities - entities,
            more,
        )
