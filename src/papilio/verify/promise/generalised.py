"""The promise of one table whose quasi-identifiers are generalised."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from papilio.release.manifest import Claim, Manifest
from papilio.verify.promise.columns import promised_columns
from papilio.verify.promise.demands import EVERYONE, TOGETHER, claims_on, demands_of
from papilio.verify.promise.promise import Facts, Promise, PromisedTable

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def promise_generalised(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """One table: every demand for every recipient, on all columns that they may know."""
    name = facts.table.name or next((table.name for table in manifest.tables), "")
    table = PromisedTable(
        name,
        tuple(promised_columns(policy, facts.table, facts.several)),
        rows_between(policy.privacy.suppress, facts.table.rows),
        left_out_at_most=policy.privacy.suppress,
    )
    return Promise("generalised", (table,), tuple(_claims(policy, facts, name)))


def rows_between(left_out: float, rows: int) -> tuple[int, int]:
    """Fewest and most rows of a table of which a share may be left out."""
    return rows - math.floor(Fraction(str(left_out)) * rows), rows


def _claims(policy: Policy, facts: Facts, name: str) -> Iterator[Claim]:
    demands = demands_of(policy, facts.table.types, facts.several)
    quasi = [c for c, said in policy.columns.items() if said.role.value == "quasi"]
    recipients: Mapping[str, tuple[str, ...]] = policy.recipients or {EVERYONE: tuple(quasi)}
    for recipient, known in recipients.items():
        yield from claims_on(demands, name, known, recipient)
    together = policy.privacy.collusion_k
    if together is not None:
        # Everything that any of them may know.
        union = dict.fromkeys(column for known in recipients.values() for column in known)
        yield Claim("k-anonymity", name, TOGETHER, tuple(union), {"k": together})
