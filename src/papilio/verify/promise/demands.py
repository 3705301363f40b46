"""The claims that the ``privacy`` part of a policy demands, read key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from papilio.release.manifest import Claim

if TYPE_CHECKING:
    from papilio.policy.column_policy import ColumnPolicy
    from papilio.policy.policy import Policy
    from papilio.policy.privacy_policy import ClosenessPolicy, DiversityPolicy

#: Recipient of a policy that names none.
EVERYONE = "everyone"
#: For whom a claim about recipients who put together what they know holds.
TOGETHER = "all recipients together"
#: Stands for every sensitive column.
_EVERY = "*"

#: A claim without the table and the recipient it is about.
Demand = tuple[str, dict[str, Any]]


def demands_of(
    policy: Policy, types: Mapping[str, str], several: Mapping[str, tuple[str, ...]]
) -> list[Demand]:
    """What is demanded of every class of one table, for every recipient.

    Parameters
    ----------
    policy
        The order.
    types
        Column -> type.
    several
        Boolean columns that each column with several values became.
    """
    privacy = policy.privacy
    demands: list[Demand] = [] if privacy.k is None else [("k-anonymity", {"k": privacy.k})]
    for column, diverse in _per_column(policy, privacy.l, several):
        demands.append(diversity(column, diverse))
    for name, close in _named(policy, privacy.t):
        demands += [
            _closeness(column, close, policy.columns[name], types[column])
            for column in several.get(name, (name,))
        ]
    return demands


def claims_on(
    demands: Sequence[Demand], table: str, columns: Sequence[str], recipient: str = EVERYONE
) -> Iterator[Claim]:
    """Demands as claims about a table, for a recipient who knows some columns."""
    for name, parameters in demands:
        yield Claim(name, table, recipient, tuple(columns), parameters)


def diversity(column: str, demanded: DiversityPolicy) -> Demand:
    """One demand of ``l``."""
    if demanded.distinct is not None:
        return "distinct-l-diversity", {"column": column, "l": demanded.distinct}
    if demanded.entropy is not None:
        return "entropy-l-diversity", {"column": column, "l": demanded.entropy}
    assert demanded.recursive is not None  # noqa: S101 - the policy has exactly one of the three
    share, place = demanded.recursive
    return "recursive-l-diversity", {"column": column, "c": share, "l": place}


def _closeness(column: str, demanded: ClosenessPolicy, said: ColumnPolicy, kind: str) -> Demand:
    ordered = kind in ("numeric", "date")
    natural = "hierarchical" if said.hierarchy else "ordered" if ordered else "equal"
    parameters: dict[str, Any] = {"column": column, "t": demanded.t}
    parameters["distance"] = demanded.distance or natural
    if parameters["distance"] == "ordered" and not ordered:
        parameters["order"] = list(said.domain or ())
    if demanded.n is None:
        return "t-closeness", parameters
    return "nt-closeness", {**parameters, "n": demanded.n}


def _per_column(
    policy: Policy,
    demanded: Mapping[str, tuple[DiversityPolicy, ...]],
    several: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, DiversityPolicy]]:
    for name, one in _named(policy, demanded):
        yield from ((column, one) for column in several.get(name, (name,)))


def _named(policy: Policy, demanded: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    sensitive = [name for name, said in policy.columns.items() if said.role.value == "sensitive"]
    for key, every in demanded.items():
        for name in sensitive if key == _EVERY else [key]:
            yield from ((name, one) for one in every)
