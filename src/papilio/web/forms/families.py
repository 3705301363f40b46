"""Which family of releases a draft is of, and which ones the data allows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from pydantic import BaseModel

from papilio import families
from papilio.families.family import Family
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.web.forms.edits import mapping_at
from papilio.web.forms.facts import Facts


@dataclass(frozen=True)
class Offer:
    """A family and, if the data does not allow it, what it lacks."""

    family: Family
    lacks: str = ""

    @property
    def possible(self) -> bool:
        """Whether the family can be chosen."""
        return not self.lacks


def loose_policy(tree: Mapping[str, Any]) -> Policy:
    """What a draft says as far as families look at it, whatever is wrong with it.

    It stands for a policy where that must not be refused: what is left out has its default, and
    nothing is checked.
    """
    columns = mapping_at(tree, ("columns",))
    said = _filled(tree, Policy)
    said |= {
        "privacy": SimpleNamespace(**_filled(mapping_at(tree, ("privacy",)), PrivacyPolicy)),
        "columns": {
            name: SimpleNamespace(**_filled(mapping_at(columns, (name,)), ColumnPolicy))
            for name in columns
        },
    }
    for key in ("method", "generalise"):
        said[key] = said[key] if isinstance(said[key], str) else None
    return cast(Policy, SimpleNamespace(**said))


def _filled(said: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    fields = model.model_fields.items()
    return {name: said.get(name, field.get_default()) for name, field in fields}


def family_of(tree: Mapping[str, Any]) -> Family:
    """Family of a policy, by the rules by which Papilio chooses a method."""
    return families.family_of(loose_policy(tree))


def offers(tree: Mapping[str, Any], facts: Facts) -> tuple[Offer, ...]:
    """Say for each family whether the data at hand allows it; the present one always is."""
    present = family_of(tree)
    # How many tables a database has is not known here.
    tables = math.inf if isinstance(tree.get("database"), str) else len(facts)
    widest = max((len(table.columns) for table in facts), default=0)
    types = frozenset(each.type for table in facts for each in table.columns)
    return tuple(
        Offer(each, "" if each is present else each.words.lacks(tables, widest, types))
        for each in families.families()
    )
