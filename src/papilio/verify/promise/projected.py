"""The promise of several tables, each with some of the sensitive columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from papilio.release.manifest import Claim, Manifest, PublishedTable
from papilio.verify.dependence import Allowed, check_dependence
from papilio.verify.opened import Opened
from papilio.verify.promise.columns import promised_columns
from papilio.verify.promise.demands import claims_on, demands_of
from papilio.verify.promise.generalised import rows_between
from papilio.verify.promise.promise import Facts, Promise, PromisedColumn, PromisedTable
from papilio.verify.verdict import Finding

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def promise_projected(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """All quasi-identifiers in every table, every other column in one of them.

    Which columns go together is the method's to choose; what it loses and exposes is recomputed in
    :mod:`papilio.verify.dependence`. A column that no table has is promised in the first.
    """
    columns = tuple(promised_columns(policy, facts.table, facts.several))
    demands = demands_of(policy, facts.table.types, facts.several)
    quasi = [column.name for column in columns if column.role == "quasi"]
    rows = rows_between(policy.privacy.suppress, facts.table.rows)
    tables, claims = [], list[Claim]()
    for name, own in _divided(facts, manifest, columns).items():
        sensitive = {column.name for column in own if column.role == "sensitive"}
        tables.append(PromisedTable(name, own, rows, left_out_at_most=policy.privacy.suppress))
        about = [d for d in demands if d[1].get("column") in {None, *sensitive}]
        claims += claims_on(about, name, quasi)
    limits = partial(_check_limits, limits_of(policy, facts.several))
    return Promise("projected", tuple(tables), tuple(claims), (limits,))


def limits_of(policy: Policy, several: Mapping[str, tuple[str, ...]]) -> Allowed:
    """What a policy allows projections to lose and to expose.

    Of a column with several values, a harmless value is one whose boolean column says nothing that
    needs protection, neither by true nor by false.
    """
    privacy = policy.privacy
    harmless: dict[str, tuple[str | None, ...]] = {}
    for name, said in policy.columns.items():
        flags = several.get(name)
        if flags is None:
            harmless[name] = said.harmless
            continue
        safe = {f"{name}={value}" for value in said.harmless if value is not None}
        harmless |= {flag: ("true", "false") for flag in flags if flag in safe}
    return Allowed(
        1.0 if privacy.association_loss is None else privacy.association_loss,
        1.0 if privacy.exposure is None else privacy.exposure,
        {name: values for name, values in harmless.items() if values},
    )


def _check_limits(allowed: Allowed, opened: Opened, original: str) -> Iterable[Finding]:
    return check_dependence(opened, original, allowed)


def _divided(
    facts: Facts, manifest: Manifest, columns: tuple[PromisedColumn, ...]
) -> dict[str, tuple[PromisedColumn, ...]]:
    """Columns of each table, which are named after the original and numbered from 1."""
    first = manifest.tables[0].name if manifest.tables else "_1"
    stem = facts.table.name or first.rpartition("_")[0]
    names = [f"{stem}_{number}" for number in range(1, len(manifest.tables) + 1)] or [first]
    places = dict(zip(names, manifest.tables, strict=False))
    placed = {c.name: _place(c, places) or names[0] for c in columns if c.role != "quasi"}
    return {name: tuple(c for c in columns if placed.get(c.name, name) == name) for name in names}


def _place(column: PromisedColumn, places: dict[str, PublishedTable]) -> str | None:
    """First table that has a column."""
    holding = (
        name for name, table in places.items() if column.name in {c.name for c in table.columns}
    )
    return next(holding, None)
