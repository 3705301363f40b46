"""The families of releases: one folder each, with all that is special about it.

:data:`FAMILIES` is the only list of them. Verbs, pages and documentation ask it; nothing else
names a family, a kind of release or a method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.errors import ReleaseError
from papilio.families.disguise.family import DISGUISE
from papilio.families.family import Choice, Family, Method
from papilio.families.graph.family import GRAPH
from papilio.families.linked.family import LINKED
from papilio.families.one_table.family import ONE_TABLE
from papilio.families.permutation.family import PERMUTATION
from papilio.families.projections.family import PROJECTIONS
from papilio.families.recipients.family import RECIPIENTS

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.release.layout import Layout
    from papilio.release.manifest import Manifest

__all__ = ["AUTO", "choose", "families", "family_of", "family_of_release", "method_of", "register"]

#: What a policy calls the method if Papilio shall choose it.
AUTO = "auto"

#: In the order in which they are offered.
_FAMILIES: list[Family] = [
    ONE_TABLE,
    RECIPIENTS,
    PROJECTIONS,
    PERMUTATION,
    DISGUISE,
    LINKED,
    GRAPH,
]


def families() -> tuple[Family, ...]:
    """All families, in the order in which they are offered."""
    return tuple(_FAMILIES)


def register(family: Family) -> None:
    """Add a family that Papilio does not have by itself.

    Raises
    ------
    ValueError
        If another one has its name or one of its methods.
    """
    names = {method.name for known in _FAMILIES for method in known.methods}
    mine = {method.name for method in family.methods}
    if any(known.name == family.name for known in _FAMILIES) or names & mine:
        raise ValueError(f"there is a family or a method called as those of '{family.name}'")
    _FAMILIES.append(family)


def forget(family: Family) -> None:
    """Take a family away that was registered."""
    _FAMILIES.remove(family)


def family_of(policy: Policy) -> Family:
    """Say what a policy orders: by its data, else by its method, else by what it demands."""
    fitting = (family for family in _FAMILIES if family.why(policy) is not None)
    wanted = max(fitting, key=lambda family: family.rank)
    named = family_named(policy.method)
    if named is None or named.data is not None or wanted.data is not None:
        return wanted
    return wanted if named.name in wanted.over else named


def family_named(method: str | None) -> Family | None:
    """Family that has a method of this name."""
    return next((family for family in _FAMILIES if family.method(method or "")), None)


def method_of(choice: Choice) -> tuple[Family, Method]:
    """Family and method that were chosen."""
    for family in _FAMILIES:
        method = family.method(choice.method)
        if method is not None:
            return family, method
    raise LookupError(choice.method)


def method_names() -> tuple[str, ...]:
    """Everything that a policy may say under ``method``."""
    return (AUTO, *(method.name for family in _FAMILIES for method in family.methods))


def building_methods() -> dict[str, tuple[str, ...]]:
    """What a policy may say under the keys for methods that others build on."""
    general = tuple(method.name for method in ONE_TABLE.methods)
    cutting = tuple(method.name for method in ONE_TABLE.methods if method.wings)
    return {"generalise": general, "wings": cutting}


def family_of_release(manifest: Manifest) -> Family:
    """Say what family a release is of.

    Raises
    ------
    ReleaseError
        If none knows it.
    """
    for family in _FAMILIES:
        if family.owns(manifest):
            return family
    kinds = ", ".join(dict.fromkeys(family.kind for family in _FAMILIES))
    raise ReleaseError(
        f"the release is of a kind that this version of Papilio does not know; it knows {kinds}",
        reason="unknown-kind",
    )


def layout_of(kind: str) -> Layout | None:
    """What releases of a kind may consist of; ``None`` if no family has it."""
    return next((family.layout() for family in _FAMILIES if family.kind == kind), None)


def choose(policy: Policy, people: int) -> Choice:
    """Take the method the policy names, or the one that fits it and its size best."""
    if policy.method not in (None, AUTO):
        return Choice(policy.method, "the policy names it")
    return family_of(policy).choose(policy, people)
