"""Which family of releases a draft is of, and which keys the forms ask for then."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from pydantic import BaseModel

from papilio import families
from papilio.families import family_named
from papilio.families.family import Family
from papilio.families.keys import Key, key_at, keys_of
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.web.forms.edits import mapping_at, value_at
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


def demand_keys(family: Family) -> tuple[Key, ...]:
    """Keys of ``privacy`` that a family takes and forms ask for, with its own words for them."""
    own, every = family.words.demands, keys_of("privacy")
    asked = (key for key in every if family in key.families and not key.words.elsewhere)
    return tuple(key.said_by(own) for key in asked)


def demand_key(family: Family, name: str) -> Key:
    """One key of ``privacy`` in the words of a family."""
    return key_at("privacy", name).said_by(family.words.demands)


def asked_together(keys: Iterable[Key]) -> list[tuple[Key, ...]]:
    """Keys in groups: those that make one requirement stand together."""
    groups: list[tuple[Key, ...]] = []
    for key in keys:
        meaning = key.words.meaning
        if groups and meaning is not None and groups[-1][0].words.meaning is meaning:
            groups[-1] = (*groups[-1], key)
        else:
            groups.append((key,))
    return groups


def methods_of(family: Family) -> dict[str, str]:
    """Methods that make releases of a family, and what forms call them."""
    return {method.name: method.text for method in family.methods}


@cache
def options() -> tuple[Key, ...]:
    """Every option besides the method, of all families."""
    apart = (key_at("method"), key_at("privacy"))
    return tuple(_asked(key for key in keys_of() if key not in apart))


def _asked(keys: Iterable[Key]) -> Iterator[Key]:
    """Keys with a control of their own; of a mapping without one, its keys."""
    for key in keys:
        if key.words.elsewhere:
            continue
        if key.widget is None:
            yield from _asked(keys_of(*key.path))
        else:
            yield key


def options_for(tree: Mapping[str, Any], family: Family) -> tuple[Key, ...]:
    """Options that go with the family and its method, and all that the policy mentions."""
    policy = loose_policy(tree)
    inner = family.generalising(policy)
    pairs = [(family, policy.method), (family_named(inner), inner)]
    return tuple(
        key
        for key in options()
        if value_at(tree, key.path) is not None
        or (family in key.families and all(_has(key, *pair) for pair in pairs))
    )


def _has(key: Key, family: Family | None, name: str | None) -> bool:
    """Whether a method has an option; one that is not named yet may have any of its family."""
    if family is None or not any(key.path[-1] in each.options for each in family.methods):
        return True
    method = family.method(name or "")
    return method is None or key.path[-1] in method.options


def option_text(value: Any) -> str:
    """What a policy says, as a value to choose; what cannot be chosen is shown in words."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{number} {key}" for key, number in value.items())
    return str(value)


def percent_text(share: float) -> str | float:
    """0.02 as ``2%``; what is no share of 1 stays a number, which the policy then refuses."""
    percent = Decimal(repr(float(share))) * 100
    return share if share < 0 else f"{percent.normalize():f}%"
