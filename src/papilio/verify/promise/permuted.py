"""The promises of releases that keep quasi-identifiers and publish the sensitive column apart."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from papilio.release.manifest import Claim, Manifest
from papilio.verify.promise.check import EVERYONE
from papilio.verify.promise.columns import AS_IT_WAS, as_they_are
from papilio.verify.promise.promise import Facts, Promise, PromisedColumn, PromisedTable
from papilio.verify.promise.target import check_target

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

_GROUP = frozenset({"group"})
_HELP = frozenset({"group", "hits", "bounds"})


def promise_permuted(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """People and values in groups, the values as they are: (k,e)-anonymity."""
    (sensitive,) = (c.name for c in as_they_are(policy, facts.table, "sensitive"))
    privacy, rows = policy.privacy, facts.table.rows
    parameters = {"column": sensitive, "k": privacy.k or 1, "e": privacy.e or 0}
    cell = PromisedColumn(sensitive, "sensitive", "numeric", AS_IT_WAS)
    tables = _tables(policy, facts, manifest, cell, (rows, rows), helped=True)
    claim = Claim("ke-anonymity", tables[0].name, EVERYONE, _quasi(policy), parameters)
    return Promise("permuted", tables, (claim,))


def promise_disguised(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """People and subdomains in groups, which follow the target of the policy."""
    privacy, rows = policy.privacy, facts.table.rows
    ((sensitive, target),) = privacy.target.items()
    kind = facts.table.types[sensitive]
    cell = PromisedColumn(sensitive, "sensitive", kind, frozenset({"range"}), text=False)
    # Fakes are counted group by group; all together they cannot be more.
    most = rows + math.floor(Fraction(str(privacy.fakes)) * rows)
    tables = _tables(policy, facts, manifest, cell, (rows, most), helped=kind == "numeric")
    name, parameters = "personal-levels", dict[str, Any](column=sensitive)
    if privacy.personal is None:
        name = "target-distribution"
        parameters |= {"shift": privacy.shift, "fakes": privacy.fakes}
        parameters["allocation"] = target.allocation
    elif privacy.volunteers is not None:
        parameters["volunteers"] = privacy.volunteers
    about = (tables[0].name, EVERYONE, _quasi(policy))
    claims = [Claim(name, *about, parameters)]
    counted = [each.distinct or 1 for said in privacy.l.values() for each in said]
    if counted or privacy.k is not None or privacy.e is not None:
        floor = {"k": privacy.k or 1, "l": max(counted, default=1), "e": privacy.e or 0}
        claims.append(Claim("group-floor", *about, {"column": sensitive, **floor}))
    return Promise("disguised", tables, tuple(claims), (partial(check_target, policy, facts),))


def _quasi(policy: Policy) -> tuple[str, ...]:
    return tuple(name for name, said in policy.columns.items() if said.role.value == "quasi")


def _tables(
    policy: Policy,
    facts: Facts,
    manifest: Manifest,
    cell: PromisedColumn,
    values: tuple[int, int],
    *,
    helped: bool,
) -> tuple[PromisedTable, ...]:
    name = facts.table.name or next((table.name for table in manifest.tables), "")
    rows = facts.table.rows
    people = PromisedTable(
        name, as_they_are(policy, facts.table, "quasi", "plain"), (rows, rows), _GROUP
    )
    published = PromisedTable(f"{name}_values", (cell,), values, _GROUP)
    # How many rows the help table has is checked with what it says.
    helping = PromisedTable(f"{name}_help", (), None, _HELP)
    return (people, published, helping) if helped else (people, published)
