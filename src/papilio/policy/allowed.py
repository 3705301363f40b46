"""What policies of each family may say; anything else is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from papilio.data.roles import Role
from papilio.policy.family import FAMILY_OF_METHOD, Family


@dataclass(frozen=True)
class Allowed:
    """What goes with a family.

    Attributes
    ----------
    name
        What makes a policy one of the family, as messages say it.
    keys
        Top-level keys.
    demands
        Keys under ``privacy``.
    columns
        Keys of a column, by its role; roles that are not there have none but the role itself.
    methods
        Methods that make such releases.
    """

    name: str
    keys: frozenset[str]
    demands: frozenset[str]
    columns: Mapping[Role, frozenset[str]]
    methods: tuple[str, ...]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ONE_SOURCE = "papilio source columns privacy method"
_GENERALISED = {
    Role.IDENTIFIER: _words("role"),
    Role.QUASI: _words("role type hierarchy domain"),
    Role.SENSITIVE: _words("role type hierarchy domain"),
    Role.PLAIN: _words("role type"),
}
_AS_THEY_ARE = {role: _words("role type") for role in Role} | {Role.IDENTIFIER: _words("role")}
_METHODS = {
    family: tuple(method for method, made in FAMILY_OF_METHOD.items() if made is family)
    for family in Family
}

ALLOWED: Mapping[Family, Allowed] = {
    Family.ONE_TABLE: Allowed(
        "one generalised table",
        _words(f"{_ONE_SOURCE} metric objective improve cells"),
        _words("k l t suppress"),
        _GENERALISED,
        _METHODS[Family.ONE_TABLE],
    ),
    Family.RECIPIENTS: Allowed(
        "recipients",
        _words(f"{_ONE_SOURCE} recipients generalise wings metric objective improve cells"),
        _words("k l t suppress collusion_k"),
        _GENERALISED,
        _METHODS[Family.RECIPIENTS],
    ),
    Family.PROJECTIONS: Allowed(
        "projections",
        _words(f"{_ONE_SOURCE} generalise plan metric objective improve cells"),
        _words("k l t suppress association_loss exposure generalisation_loss"),
        {
            **_GENERALISED,
            Role.SENSITIVE: _words(
                "role type hierarchy domain harmless values separator source key value"
            ),
        },
        _METHODS[Family.PROJECTIONS],
    ),
    Family.PERMUTATION: Allowed(
        "permutation",
        _words(f"{_ONE_SOURCE} minimise"),
        _words("k e"),
        _AS_THEY_ARE,
        _METHODS[Family.PERMUTATION],
    ),
    Family.DISGUISE: Allowed(
        "target",
        _words(_ONE_SOURCE),
        _words("target shift fakes personal"),
        {**_AS_THEY_ARE, Role.SENSITIVE: _words("role type hierarchy domain")},
        _METHODS[Family.DISGUISE],
    ),
    Family.LINKED: Allowed(
        "tables",
        _words("papilio tables person database privacy method pairing skeleton cells"),
        _words("k l suppress"),
        {**_GENERALISED, Role.SENSITIVE: _words("role type")},
        ("miracle",),
    ),
    Family.GRAPH: Allowed(
        "graph",
        _words("papilio graph privacy method"),
        _words("k l"),
        {},
        ("grouping",),
    ),
}
