"""The promise of people with linked tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.release.manifest import Claim, Manifest
from papilio.verify.linked_division import check_division
from papilio.verify.promise.check import EVERYONE, diversity
from papilio.verify.promise.columns import (
    AS_IT_WAS,
    followers_on,
    generalised_column,
    images_of,
    rows_between,
)
from papilio.verify.promise.promise import (
    Facts,
    Promise,
    PromisedColumn,
    PromisedTable,
    TableFacts,
)

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def promise_linked(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:  # noqa: ARG001
    """Every person is published; rows below may be missing as far as the policy allows."""
    tables = tuple(_table(policy, table) for table in facts.tables)
    divided = (check_division,) if facts.divided else ()
    images = (
        check
        for name, said in policy.tables.items()
        for check in images_of(name, said.columns, lambda original, table: f"{original} {table}")
    )
    checks = (*divided, *images)
    return Promise("linked", tables, tuple(_claims(policy, facts)), checks)


def _table(policy: Policy, facts: TableFacts) -> PromisedTable:
    # Without a limit any number of rows below people may be removed, which the manifest says by 1.
    limit = 0.0 if facts.parent is None else policy.privacy.suppress or 1.0
    said = policy.tables[str(facts.name)]
    return PromisedTable(
        str(facts.name),
        tuple(_columns(policy, facts)),
        rows_between(limit, facts.rows),
        left_out_at_most=limit,
        key=facts.key,
        parent=facts.parent,
        at_most=said.at_most,
    )


def _columns(policy: Policy, facts: TableFacts) -> Iterator[PromisedColumn]:
    if facts.key is not None:
        yield PromisedColumn(facts.key, "key", "numeric", AS_IT_WAS)
    if facts.parent is not None:
        (column,) = facts.parent.values()
        yield PromisedColumn(column, "parent", "numeric", AS_IT_WAS)
    for name, said in policy.tables[str(facts.name)].columns.items():
        if said.role.value == "quasi":
            yield generalised_column(policy, name, said, facts.types[name])
        elif said.role.value in ("sensitive", "plain"):
            yield PromisedColumn(name, said.role.value, facts.types[name], AS_IT_WAS)


def _claims(policy: Policy, facts: Facts) -> Iterator[Claim]:
    known = tuple(
        f"{table}.{name}"
        for table, said in policy.tables.items()
        for name, column in said.columns.items()
        if column.role.value == "quasi"
    )
    people = str(facts.table.name)
    yield Claim("entity-k-anonymity", people, EVERYONE, known, {"k": policy.privacy.k or 1})
    for key, demands in policy.privacy.l.items():
        table, column = _meant(policy, key)
        for demand in demands:
            name, parameters = diversity(column, demand)
            yield Claim(f"entity-{name}", table, EVERYONE, known, parameters)
    for name, said in policy.tables.items():
        yield from followers_on(name, said.columns, EVERYONE, said.columns)


def _meant(policy: Policy, key: str) -> tuple[str, str]:
    """Table and sensitive column that ``column`` or ``table.column`` means."""
    (place,) = (
        (table, name)
        for table, said in policy.tables.items()
        for name, column in said.columns.items()
        if column.role.value == "sensitive" and key in (name, f"{table}.{name}")
    )
    return place
