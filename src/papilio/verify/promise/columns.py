"""How the columns of a policy must appear in a release."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from papilio.release.manifest import Claim, Manifest
from papilio.verify.follows import image_check
from papilio.verify.promise.check import (
    EVERYONE,
    TOGETHER,
    claims_on,
    demands_of,
    unit_of,
)
from papilio.verify.promise.promise import (
    Check,
    Facts,
    OwnedTree,
    Promise,
    PromisedColumn,
    PromisedTable,
    TableFacts,
)

if TYPE_CHECKING:
    from pathlib import Path

    from papilio.policy.column_policy import ColumnPolicy, HierarchyPolicy
    from papilio.policy.policy import Policy


#: Cells that are the values themselves.
AS_IT_WAS = frozenset({"value"})
#: How a quasi-identifier without a hierarchy is generalised, by its type.
_WITHOUT_TREE = {"numeric": "range", "date": "range", "category": "set", "boolean": "set"}
#: The tree of a column without one, where all rows are published at one level.
_FLAT = OwnedTree({"automatic": True, "flat": True})


def promised_columns(
    policy: Policy, facts: TableFacts, several: Mapping[str, tuple[str, ...]]
) -> Iterator[PromisedColumn]:
    """Columns of a policy for one table, quasi-identifiers generalised."""
    for name, said in policy.columns.items():
        if said.role.value == "identifier":
            continue
        for column in several.get(name, (name,)):
            kind = facts.types[column]
            if said.role.value == "quasi":
                yield generalised_column(policy, name, said, kind)
            else:
                tree = _measured_in(policy, name, said)
                yield PromisedColumn(column, said.role.value, kind, AS_IT_WAS, tree=tree)


def generalised_column(policy: Policy, name: str, said: ColumnPolicy, kind: str) -> PromisedColumn:
    """A quasi-identifier; labels of one level where the whole column is on one."""
    if said.hierarchy is not None:
        tree = owned_tree(said.hierarchy, policy.base)
        return PromisedColumn(name, "quasi", kind, frozenset({"node"}), tree=tree)
    if is_full_domain(policy) and said.follows is None:
        return PromisedColumn(name, "quasi", kind, frozenset({"node"}), tree=_FLAT)
    cells = frozenset({_WITHOUT_TREE[kind]})
    return PromisedColumn(name, "quasi", kind, cells, text=policy.text_cells)


def as_they_are(policy: Policy, facts: TableFacts, *roles: str) -> tuple[PromisedColumn, ...]:
    """Columns of some roles whose values are published unchanged."""
    return tuple(
        PromisedColumn(name, said.role.value, facts.types[name], AS_IT_WAS)
        for name, said in policy.columns.items()
        if said.role.value in roles
    )


def is_full_domain(policy: Policy) -> bool:
    """Whether the method keeps one level per column, which only incognito does."""
    if "incognito" in (policy.method, policy.generalise):
        return True
    chosen = policy.method in (None, "auto") and policy.generalise is None
    one_table = not (policy.recipients or policy.tables or policy.graph)
    return chosen and one_table and bool(policy.privacy.suppress)


def owned_tree(hierarchy: HierarchyPolicy, base: Path) -> OwnedTree:
    """What the owner says of a hierarchy, as a manifest would."""
    if hierarchy.file is not None:
        return OwnedTree(file=base / hierarchy.file)
    reading: dict[str, Any] = {}
    if hierarchy.prefix is not None:
        reading = {"prefix": list(hierarchy.prefix)}
    elif hierarchy.intervals is not None:
        reading = {"intervals": list(hierarchy.intervals), "origin": hierarchy.origin}
    elif hierarchy.dates is not None:
        reading = {"dates": list(hierarchy.dates)}
    elif hierarchy.automatic:
        reading = {"automatic": True}
    return OwnedTree(reading)


def _measured_in(policy: Policy, name: str, said: ColumnPolicy) -> OwnedTree | None:
    """Tree in which the distances of a sensitive column are measured, if a demand needs one."""
    demands = (*policy.privacy.t.get(name, ()), *policy.privacy.t.get("*", ()))
    if said.hierarchy is None or said.role.value != "sensitive":
        return None
    if any(demand.distance in (None, "hierarchical") for demand in demands):
        return owned_tree(said.hierarchy, policy.base)
    return None


def promise_generalised(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """One table: every demand for every recipient, on all columns that they may know."""
    name = facts.table.name or next((table.name for table in manifest.tables), "")
    table = PromisedTable(
        name,
        tuple(promised_columns(policy, facts.table, facts.several)),
        rows_between(policy.privacy.suppress, facts.table.rows),
        left_out_at_most=policy.privacy.suppress,
    )
    checks = tuple(images_of(name, policy.columns, lambda original, _: original))
    return Promise("generalised", (table,), tuple(_claims(policy, facts, name)), checks)


def images_of(
    table: str, columns: Mapping[str, ColumnPolicy], view: Callable[[str, str], str]
) -> Iterator[Check]:
    """What only the original can show of the columns of a table that follow others."""
    for name, said in columns.items():
        if said.follows is not None:
            yield image_check(table, name, said.follows, view)


def followers_on(
    table: str, columns: Mapping[str, ColumnPolicy], recipient: str, known: Iterable[str]
) -> Iterator[Claim]:
    """Columns that follow others, as claims for a recipient who knows some columns."""
    for name, said in columns.items():
        if said.follows is not None and said.follows in known:
            parameters = {"column": name, "leader": said.follows}
            yield Claim("follows", table, recipient, (said.follows, name), parameters)


def rows_between(left_out: float, rows: int) -> tuple[int, int]:
    """Fewest and most rows of a table of which a share may be left out."""
    return rows - math.floor(Fraction(str(left_out)) * rows), rows


def _claims(policy: Policy, facts: Facts, name: str) -> Iterator[Claim]:
    quasi = [c for c, said in policy.columns.items() if said.role.value == "quasi"]
    known = policy.known
    yield from safe_cells_on(policy, name, quasi)
    if not known:
        demands = demands_of(policy, facts.table.types, facts.several)
        yield from claims_on(demands, name, quasi, EVERYONE)
        yield from followers_on(name, policy.columns, EVERYONE, quasi)
    for recipient, columns in known.items():
        demands = demands_of(policy, facts.table.types, facts.several, recipient)
        yield from claims_on(demands, name, columns, recipient)
        yield from followers_on(name, policy.columns, recipient, columns)
    for names, k in _coalitions(policy):
        # Everything that any of them may know.
        union = tuple(dict.fromkeys(column for each in names for column in known[each]))
        called = TOGETHER if len(names) == len(known) else " and ".join(names) + " together"
        yield Claim("k-anonymity", name, called, union, {"k": k, **unit_of(policy)})


def safe_cells_on(policy: Policy, name: str, quasi: Iterable[str]) -> Iterator[Claim]:
    """What cells of one table must keep to themselves, whoever reads them."""
    if policy.cells in ("safe", "safe-text"):
        sizes = [each.k for each in policy.recipients.values()] or [policy.privacy.k]
        k = max(each or policy.privacy.k or 1 for each in sizes)
        among = [column for column in quasi if policy.columns[column].follows is None]
        recipient = TOGETHER if policy.recipients else EVERYONE
        yield Claim("safe-cells", name, recipient, tuple(quasi), {"k": k, "among": among})


def _coalitions(policy: Policy) -> Iterator[tuple[tuple[str, ...], int]]:
    """Recipients who may put together what they know, in the policy's order, and their k."""
    every, said = tuple(policy.recipients), policy.privacy.collusion
    if policy.privacy.collusion_k is not None:
        yield every, policy.privacy.collusion_k
    if said is None:
        return
    if said.all is not None:
        yield every, said.all
    if said.any_two is not None:
        yield from ((two, said.any_two) for two in combinations(every, 2))
    for named in said.named:
        yield tuple(name for name in every if name in named.who), named.k
