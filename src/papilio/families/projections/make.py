"""Several tables of one recipient, each with some of the sensitive columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from papilio.data.encode import EncodedTable, encode
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.errors import DataError
from papilio.families.family import Choice
from papilio.families.one_table.family import HYBRID
from papilio.families.one_table.grouping import Grouping, group
from papilio.families.one_table.methods.publish import generalised_release
from papilio.families.projections.methods.plan import TOLERANCE, always
from papilio.families.projections.methods.publish import projected, projected_release
from papilio.families.projections.planning import Planned, dependencies_of, plan_projections
from papilio.measure.association_loss import association_loss
from papilio.measure.dependencies import Dependencies, dependencies
from papilio.measure.exposure import exposure
from papilio.measure.ncp import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, demand_of
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Manifest
from papilio.release.release import Release


def make_projected(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Choose which sensitive columns go together, and generalise a table for each.

    Tables are numbered by their first sensitive column, in the order of the policy. A plain column
    goes into one table only, because in two it could be joined on: into the one whose sensitive
    columns it says most about.
    """
    tell("planning", 0.2)
    maker = _TableMaker(order, policy, randomness, kind)
    feasible = always if policy.privacy.generalisation_loss is None else maker.feasible
    planned = plan_projections(order, policy, feasible)
    plain = _places_of_plain(order.table, planned)
    _check_keys(order.table, planned, plain)
    parts = []
    for number, columns in enumerate(planned.tables, 1):
        tell("generalising", 0.2 + 0.4 * number / len(planned.tables))
        mine = [name for name, place in plain.items() if place == number]
        parts.append(maker.made(projected(order.table, number, columns, mine)))
    made = projected_release(parts, f"{choice.method} ({planned.how} plan, {maker.method})")
    return replace(made, notes=projected_notes(made.release, order, policy))


def projected_notes(release: Release, order: Order, policy: Policy) -> tuple[str, ...]:
    """Tell the owner which columns went together; see :func:`plan_notes`."""
    return plan_notes(release.manifest, dependencies_of(order, policy))


def plan_notes(manifest: Manifest, known: Dependencies) -> tuple[str, ...]:
    """Tell the owner which columns went together, and what that loses and exposes."""
    tables = [
        (table.name, [c.name for c in table.columns if c.role == Role.SENSITIVE])
        for table in manifest.tables
    ]
    plan = [[known.names.index(name) for name in names] for _, names in tables]
    listed = "; ".join(f"{name}: {', '.join(names)}" for name, names in tables)
    lost, exposed = association_loss(known, plan), exposure(known, plan)
    return (
        f"Plan: {manifest.method.partition('(')[2].removesuffix(')')}. {listed}.",
        f"Association loss {lost:.4f}, exposure {exposed:.4f}; the release does not tell.",
    )


@dataclass(frozen=True, eq=False)
class _TableMaker:
    """Makes projected tables of one original; what it groups once it remembers."""

    order: Order
    policy: Policy
    randomness: Randomness
    kind: Kind
    encoded: EncodedTable = field(init=False)
    groupings: dict[tuple[str, ...], Grouping] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = self.order.table
        object.__setattr__(self, "encoded", encode(table, table.with_role(Role.QUASI)))

    @property
    def method(self) -> str:
        """The generalising method."""
        return self.policy.generalise or HYBRID

    def feasible(self, columns: tuple[int, ...]) -> bool:
        """Whether a table with these sensitive columns loses no more than the policy allows."""
        table = self.order.table
        sensitive = [column.name for column in table.with_role(Role.SENSITIVE)]
        part = projected(table, 1, [sensitive[column] for column in columns], [])
        loss = ncp(published_classes(self.made(part).release, part)).overall
        return loss <= (self.policy.privacy.generalisation_loss or 0.0) + TOLERANCE

    def made(self, table: Table) -> Made:
        """Generalise a projected table; shuffled anew each time."""
        sensitive = tuple(column.name for column in table.with_role(Role.SENSITIVE))
        requirements = self._requirements(sensitive)
        if sensitive not in self.groupings:
            demand = demand_of(requirements, table)
            self.groupings[sensitive] = group(
                self.encoded, demand, self.method, self.policy, self.randomness
            )
        grouping = self.groupings[sensitive]
        return generalised_release(
            table,
            self.encoded,
            grouping.classes,
            requirements,
            method=self.method,
            text=self.policy.cells == "text",
            randomness=self.randomness,
            kind=self.kind,
            levels=grouping.levels,
            suppress=self.policy.privacy.suppress,
        )

    def _requirements(self, sensitive: tuple[str, ...]) -> tuple[Requirement, ...]:
        return tuple(
            each
            for each in self.order.requirements(self.policy)
            if isinstance(each, KAnonymity) or each.column in sensitive
        )


def _check_keys(table: Table, planned: Planned, plain: dict[str, int]) -> None:
    """Refuse two columns that would number the rows of different tables alike.

    If both hold the same values, none twice, nobody can tell from the release whether equal values
    are the same person's.
    """
    places = {name: place for place, names in enumerate(planned.tables, 1) for name in names}
    values = {name: table.frame.get_column(name) for name in places | plain}
    keys = {
        name: series.sort()
        for name, series in values.items()
        if table.height > 1 and series.n_unique() == table.height and not series.null_count()
    }
    for one, other in combinations(keys, 2):
        apart = (places | plain)[one] != (places | plain)[other]
        if apart and keys[one].dtype == keys[other].dtype and keys[one].equals(keys[other]):
            raise shared_key(one, other)


def shared_key(one: str, other: str) -> DataError:
    """Build the error for two columns that number the rows of different tables alike."""
    return DataError(
        f"columns '{one}' and '{other}' hold the same values, none of them twice; in different "
        "tables they could be joined on, so publish one of them at most",
        reason="shared-key",
    )


def _places_of_plain(table: Table, planned: Planned) -> dict[str, int]:
    """Number of the table each plain column goes into: where it says most about the others."""
    places = {}
    for column in table.with_role(Role.PLAIN):
        known = dependencies(table.frame, [column.name, *planned.names])
        places[column.name] = place_of_plain(known.information[0, 1:].tolist(), planned)
    return places


def place_of_plain(information: Sequence[float], planned: Planned) -> int:
    """Number of the table whose sensitive columns a plain column says most about.

    ``information`` is what it and each sensitive column say of each other.
    """
    said = [sum(information[number] for number in columns) for columns in planned.best.plan]
    return 1 + said.index(max(said))
