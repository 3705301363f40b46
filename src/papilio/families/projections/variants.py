"""Variants of a policy for projections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from papilio.data.table import Role, Table
from papilio.families.choices import Choices, Line, Measure, Measured, Varied, sizes
from papilio.families.generalising.bench import CERTAIN, certain_share
from papilio.families.generalising.facts import found_alone
from papilio.families.generalising.variants import CELLS
from papilio.measure.dependencies import Dependencies, dependencies
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.several import harmless_values
from papilio.release.release import Release

_LOSS = Measure(
    "loss",
    "NCP",
    "Normalised certainty penalty: the share of its column’s domain that an average cell of a "
    "quasi-identifier leaves open, the mean over the tables.",
    share=True,
)
_RISK = Measure(
    "risk",
    "Risk",
    "Highest chance to find the row of a person whose quasi-identifiers one knows in one of the "
    "tables: one in the rows of the smallest class.",
    share=True,
)
_MEASURES = (
    Measure("tables", "tables", "How many tables there are."),
    Measure(
        "exposure",
        "exposed",
        "Exposure: the share of what sensitive columns say of each other that stands in one table.",
        share=True,
        drawn=True,
    ),
    Measure(
        "association_loss",
        "apart",
        "Association loss: the share of the dependency between sensitive columns that is lost, "
        "because they stand in different tables.",
        share=True,
        drawn=True,
    ),
    CERTAIN,
)
_SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


def variants(policy: Policy) -> Choices:
    """Class sizes, and what may be lost and exposed between sensitive columns."""
    return Choices(
        (Line("projections"),),
        ("projections",),
        tuple(_varied(policy)),
        _LOSS,
        _RISK,
        ProjectionBench.of,
    )


def _varied(policy: Policy) -> Iterator[Varied]:
    yield sizes(policy.privacy.k, (3, 5, 10, 20), (2, 50, 100))
    exposed = "exposure: what columns of one table say of each other"
    yield Varied("privacy.exposure", exposed, _SHARES)
    yield Varied("privacy.association_loss", "association_loss: dependency that is lost", _SHARES)
    yield Varied("privacy.t", "t: distance from the whole table", (0.1, 0.2, 0.3, 0.5, 0.9))
    yield CELLS
    yield Varied("plan", "plan: how tables are looked for", ("greedy", "exact"))


@dataclass(frozen=True, eq=False)
class ProjectionBench:
    """The table that is divided, and how its sensitive columns depend on each other."""

    table: Table
    known: Dependencies

    @classmethod
    def of(cls, order: Order, policy: Policy) -> ProjectionBench:
        """Measure the dependencies, once for all variants."""
        names = [column.name for column in order.table.with_role(Role.SENSITIVE)]
        harmless = harmless_values(policy, order.several)
        return cls(order.table, dependencies(order.table.frame, names, harmless, policy.bins))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures about which columns went together."""
        return _MEASURES

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure each table by itself, and the plan."""
        from papilio.families.projections.facts import average_loss, projected_tables
        from papilio.measure.losses import association_loss, exposure

        tables = projected_tables(release, self.table)
        plan = [[self.known.names.index(name) for name in each.sensitive] for each in tables]
        more: dict[str, float | None] = {
            "tables": len(plan),
            "exposure": exposure(self.known, plan),
            "association_loss": association_loss(self.known, plan),
            "certain": certain_share(found_alone(release, self.table, policy)),
        }
        rows = min(each.sizes.rows for each in tables)
        risk = 1 / min(each.sizes.smallest for each in tables)
        return Measured(average_loss(tables), risk, rows, self.table.height - rows, more)
