"""The promises of releases that keep quasi-identifiers and publish the sensitive column apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from papilio.release.manifest import Claim, Manifest
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.promise.check import EVERYONE
from papilio.verify.promise.columns import AS_IT_WAS, as_they_are
from papilio.verify.promise.promise import Facts, Promise, PromisedColumn, PromisedTable
from papilio.verify.promise.target import check_target
from papilio.verify.verdict import Finding, finding

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

_GROUP = frozenset({"group"})
_HELP = frozenset({"group", "hits", "bounds"})


def promise_permuted(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """People and values in groups, the values as they are: (k,e)-anonymity."""
    (sensitive,) = (c.name for c in as_they_are(policy, facts.table, "sensitive"))
    privacy, rows = policy.privacy, facts.table.rows
    e, shares = _distance(USUAL_E if privacy.e is None else privacy.e, "e")
    parameters: dict[str, Any] = {"column": sensitive, "k": privacy.k or 1, "e": e}
    if privacy.known:
        parameters["known"] = privacy.known
    if privacy.near is not None:
        width, of_range = _distance(privacy.near.width, "width")
        parameters["near"] = {"width": width, "at_most": privacy.near.at_most}
        shares |= of_range
    cell = PromisedColumn(sensitive, "sensitive", "numeric", AS_IT_WAS)
    tables = _tables(policy, facts, manifest, cell, (rows, rows), helped=True)
    claim = Claim("ke-anonymity", tables[0].name, EVERYONE, _quasi(policy), parameters)
    checks = (partial(check_shares_of_range, tables[1].name, sensitive, shares),) if shares else ()
    return Promise("permuted", tables, (claim,), released=checks)


#: What e is if a policy does not say it.
USUAL_E = "5%"


def _distance(said: float | str, name: str) -> tuple[int | float, dict[str, Fraction]]:
    """What a claim has at least, and, of a share of the range, which share that is."""
    if not isinstance(said, str):
        return said, {}
    return 0, {name: Fraction(said.removesuffix("%")) / 100}


def check_shares_of_range(
    values: str, sensitive: str, shares: Mapping[str, Fraction], opened: Opened
) -> Iterator[Finding]:
    """Check that e, or the width of a window, is as large a share of the range as is promised.

    The range is that of the published values; that these are those of the original is for
    truthfulness to say.

    Parameters
    ----------
    values, sensitive
        Table and column of the values.
    shares
        ``e`` and ``width``, as far as the policy has them as shares.
    opened
        The release.
    """
    number = sql.name(sensitive)
    known = f"CASE WHEN {sql.is_finite(number)} THEN {number} END"
    low, high = opened.row(f"SELECT min({known}), max({known}) FROM {sql.name(values)}")
    span = Fraction(0) if low is None else Fraction(high) - Fraction(low)
    claims = [claim for claim in opened.manifest.claims if claim.claim == "ke-anonymity"]
    faults = [
        f"no claim has {share * 100}% as {name}"
        for name, share in shares.items()
        if not any(_claimed(claim, name) >= share * span for claim in claims)
    ]
    demanded = "of the range of the column as much as the policy says"
    yield finding("promised distances", demanded, "; ".join(faults) or "as promised", not faults)


def _claimed(claim: Claim, name: str) -> Fraction:
    """A distance that a claim states; -1 if it states none."""
    near = claim.parameters.get("near")
    inside = claim.parameters if name == "e" else near if isinstance(near, dict) else {}
    said = inside.get(name)
    known = isinstance(said, int | float) and not isinstance(said, bool) and math.isfinite(said)
    return Fraction(str(said)) if known else Fraction(-1)


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
