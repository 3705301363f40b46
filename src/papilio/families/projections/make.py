"""Several tables of one recipient, each with some of the sensitive columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from papilio.data.encode import EncodedTable, encode
from papilio.data.io.frames import Kind
from papilio.data.table import Role, Table
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.family import Choice
from papilio.families.generalising.grouping import Grouping, group
from papilio.families.generalising.names import HYBRID
from papilio.families.generalising.publish import claims_for_everyone, generalised_release
from papilio.families.generalising.safe_cells import (
    Lines,
    check_can_vary,
    claim_of_safe_cells,
    lines_of,
)
from papilio.families.projections.methods.codip import codip
from papilio.families.projections.methods.exact_plan import MOST_COLUMNS, exact_plans
from papilio.families.projections.methods.plan import (
    TOLERANCE,
    Feasible,
    Limits,
    PlanPoint,
    Weights,
    always,
    weigh,
)
from papilio.measure.dependencies import Dependencies, dependencies
from papilio.measure.losses import association_loss, exposure, ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.policy.several import harmless_values
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, demand_of
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


def projected(table: Table, number: int, sensitive: Sequence[str], plain: Sequence[str]) -> Table:
    """The quasi-identifiers of a table with some of its other columns, as a table of its own.

    It is called after the table and its number, counted from 1.
    """
    wanted = {*sensitive, *plain}
    columns = tuple(c for c in table.columns if c.role is Role.QUASI or c.name in wanted)
    frame = table.frame.select([column.name for column in columns])
    return Table(f"{table.name}_{number}", frame, columns)


def projected_release(parts: Sequence[Made], method: str) -> Made:
    """Put releases of one projected table each into one.

    Each was shuffled by itself, so that neither the order of rows nor the order of classes links
    two of them. Trees of quasi-identifiers are the same in all of them; trees of sensitive columns
    get the name of their table in front.
    """
    releases = [part.release for part in parts]
    described = projected_manifest([(each.manifest, each.hierarchies) for each in releases], method)
    frames = {name: frame for release in releases for name, frame in release.frames.items()}
    witness = {name: rows for part in parts for name, rows in part.witness.items()}
    return Made(Release(described[0], frames, described[1], releases[0].kind), witness)


def projected_manifest(
    parts: Sequence[tuple[Manifest, Mapping[str, str]]], method: str
) -> tuple[Manifest, dict[str, str]]:
    """Put manifests of one projected table each, and their files, into one."""
    renamed = [_with_own_files(*part) for part in parts]
    manifest = Manifest(
        kind="projected",
        method=method,
        claims=tuple(claim for part, _ in renamed for claim in part.claims),
        tables=tuple(table for part, _ in renamed for table in part.tables),
        seeded=any(part.seeded for part, _ in renamed),
    )
    return manifest, {name: text for _, files in renamed for name, text in files.items()}


def _with_own_files(
    manifest: Manifest, hierarchies: Mapping[str, str]
) -> tuple[Manifest, dict[str, str]]:
    (table,) = manifest.tables
    files = {
        column.hierarchy["paths"]: f"{table.name}_{column.hierarchy['paths']}"
        for column in table.columns
        if column.role == Role.SENSITIVE and column.hierarchy is not None
    }
    columns = tuple(_renamed(column, files) for column in table.columns)
    tables: tuple[PublishedTable, ...] = (replace(table, columns=columns),)
    own = {files.get(name, name): text for name, text in hierarchies.items()}
    return replace(manifest, tables=tables), own


def _renamed(column: PublishedColumn, files: dict[str, str]) -> PublishedColumn:
    if column.role != Role.SENSITIVE or column.hierarchy is None:
        return column
    return replace(column, hierarchy={"paths": files[column.hierarchy["paths"]]})


#: The claim that all tables are divided into the same classes.
SHARED_CLASSES = "shared-classes"
#: Limits that can be met are told in parts of this many, rounded up.
_PARTS = 10_000


@dataclass(frozen=True, eq=False)
class Planned:
    """A plan and what it was chosen from.

    Attributes
    ----------
    names
        The sensitive columns.
    known
        How they depend on each other.
    best
        The plan.
    how
        ``exact`` or ``greedy``.
    """

    names: tuple[str, ...]
    known: Dependencies
    best: PlanPoint
    how: str

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Names of the sensitive columns of each table."""
        return tuple(tuple(self.names[column] for column in table) for table in self.best.plan)


def limits_of(policy: Policy) -> Limits:
    """Limits of a policy on a plan."""
    return Limits(policy.privacy.association_loss, policy.privacy.exposure)


def dependencies_of(order: Order, policy: Policy) -> Dependencies:
    """How the sensitive columns of a table depend on each other."""
    names = [column.name for column in order.table.with_role(Role.SENSITIVE)]
    harmless = harmless_values(policy, order.several)
    return dependencies(order.table.frame, names, harmless, policy.bins)


def plan_projections(order: Order, policy: Policy, feasible: Feasible = always) -> Planned:
    """Find the plan a policy asks for; see :func:`plan_from`."""
    return plan_from(dependencies_of(order, policy), policy, feasible)


def plan_from(known: Dependencies, policy: Policy, feasible: Feasible = always) -> Planned:
    """Find the plan a policy asks for.

    Parameters
    ----------
    known
        How the sensitive columns depend on each other.
    policy
        What is demanded.
    feasible
        Whether columns, by their numbers, can be published together.

    Raises
    ------
    InfeasibleError
        If no plan keeps to the limits; says which limits could be met.
    PolicyError
        If an exact plan is asked for and there are too many columns.
    """
    how = _how(policy, len(known.names))
    weights = weigh(known.information, known.exposable)
    search = exact_plans if how == "exact" else codip
    limits = limits_of(policy)
    found = search(weights, limits, feasible)
    if not found:
        if policy.classes is not None:
            raise InfeasibleError(
                "classes that all tables share lose more than the generalisation_loss",
                reason="too-much-loss",
                nearest="a larger generalisation_loss, or tables without classes: shared, are "
                "accepted",
            )
        raise InfeasibleError(
            "a sensitive column cannot be published within the generalisation_loss, not even in a "
            "table of its own",
            reason="too-much-loss",
            nearest="a larger generalisation_loss, or weaker requirements, are accepted",
        )
    best = found[-1]
    if best.association_loss > limits.most_lost + TOLERANCE:
        raise _out_of_reach(weights, limits, best, search, feasible)
    return Planned(known.names, known, best, how)


def _how(policy: Policy, columns: int) -> str:
    if policy.plan == "exact" and columns > MOST_COLUMNS:
        message = (
            f"an exact plan is for at most {MOST_COLUMNS} sensitive columns, counting one per "
            f"value of a column with several values, and there are {columns}; use greedy"
        )
        raise PolicyError([policy.fault(message, "plan")])
    return policy.plan or ("exact" if columns <= MOST_COLUMNS else "greedy")


def _out_of_reach(
    weights: Weights,
    limits: Limits,
    best: PlanPoint,
    search: Callable[[Weights, Limits, Feasible], list[PlanPoint]],
    feasible: Feasible,
) -> InfeasibleError:
    """Say which limit would have to give way, and how far."""
    nearest = f"an association_loss of {_rounded_up(best.association_loss)} is accepted"
    other = search(weights, Limits(association_loss=limits.association_loss), feasible)[-1]
    if limits.exposure is not None and other.association_loss <= limits.most_lost + TOLERANCE:
        nearest = (
            f"with this exposure {nearest}, with this association_loss an exposure of "
            f"{_rounded_up(other.exposure)}"
        )
    return InfeasibleError(
        "no plan keeps to the limits on association_loss and exposure",
        reason="no-plan",
        nearest=nearest,
    )


def _rounded_up(ratio: float) -> float:
    return min(1.0, math.ceil(ratio * _PARTS) / _PARTS)


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
    plain = _places_of_plain(order.table, planned, policy)
    _check_keys(order.table, planned, plain)
    parts = []
    for number, columns in enumerate(planned.tables, 1):
        tell("generalising", 0.2 + 0.4 * number / len(planned.tables))
        mine = [name for name, place in plain.items() if place == number]
        parts.append(maker.made(projected(order.table, number, columns, mine)))
    made = projected_release(parts, f"{choice.method} ({planned.how} plan, {maker.method})")
    notes = [
        f"{part.release.manifest.tables[0].name}: {note}" for part in parts for note in part.notes
    ]
    return replace(made, notes=(*projected_notes(made.release, order, policy), *notes))


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
    lines: list[tuple[Grouping, Lines]] = field(default_factory=list)

    def __post_init__(self) -> None:
        table = self.order.table
        object.__setattr__(self, "encoded", encode(table, table.with_role(Role.QUASI)))
        if self.policy.safe_cells:
            check_can_vary(self.encoded.columns)

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
        grouping = self._shared() if self.policy.classes else self._grouping(table, sensitive)
        return generalised_release(
            table,
            self.encoded,
            grouping.classes,
            requirements,
            claims=self._claims(requirements, table),
            method=self.method,
            text=self.policy.text_cells,
            randomness=self.randomness,
            kind=self.kind,
            levels=grouping.levels,
            suppress=self.policy.privacy.suppress,
            lines=self._lines(grouping),
        )

    def _lines(self, grouping: Grouping) -> Lines | None:
        """Lines that cells are to cover, alike in all tables that have the same classes."""
        kept = next((lines for of, lines in self.lines if of is grouping), None)
        made = kept or lines_of(self.encoded, grouping.classes, self.policy, self.randomness)
        if kept is None and made is not None:
            self.lines.append((grouping, made))
        return made

    def _shared(self) -> Grouping:
        """Classes of all tables: they meet what is demanded of any of them."""
        table = self.order.table
        every = tuple(column.name for column in table.with_role(Role.SENSITIVE))
        return self._grouping(table, every)

    def _grouping(self, table: Table, sensitive: tuple[str, ...]) -> Grouping:
        """Classes that meet the requirements on some sensitive columns of a table."""
        if sensitive not in self.groupings:
            demand = demand_of(self._requirements(sensitive), table)
            self.groupings[sensitive] = group(
                self.encoded, demand, self.method, self.policy, self.randomness
            )
        return self.groupings[sensitive]

    def _claims(self, requirements: tuple[Requirement, ...], table: Table) -> tuple[Claim, ...]:
        claims = list(claims_for_everyone(requirements, table))
        quasi = tuple(column.name for column in table.with_role(Role.QUASI))
        if self.policy.classes is not None:
            claims.append(Claim(SHARED_CLASSES, table.name, EVERYONE, quasi, {}))
        if self.policy.safe_cells:
            claims.append(claim_of_safe_cells(requirements, table, EVERYONE))
        return tuple(claims)

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


def _places_of_plain(table: Table, planned: Planned, policy: Policy) -> dict[str, int]:
    """Number of the table each plain column goes into: where it says most about the others."""
    places = {}
    for column in table.with_role(Role.PLAIN):
        names = [column.name, *planned.names]
        known = dependencies(table.frame, names, bins=policy.bins)
        places[column.name] = place_of_plain(known.information[0, 1:].tolist(), planned)
    return places


def place_of_plain(information: Sequence[float], planned: Planned) -> int:
    """Number of the table whose sensitive columns a plain column says most about.

    ``information`` is what it and each sensitive column say of each other.
    """
    said = [sum(information[number] for number in columns) for columns in planned.best.plan]
    return 1 + said.index(max(said))
