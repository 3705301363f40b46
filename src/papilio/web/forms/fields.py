"""Which keys the forms ask for: the demands and options that a family allows, from its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from papilio.families import family_named
from papilio.families.family import Family
from papilio.families.keys import Key, key_at, keys_of
from papilio.web.forms.edits import value_at
from papilio.web.forms.families import loose_policy


def demand_keys(family: Family) -> tuple[Key, ...]:
    """Keys of ``privacy`` that a family takes, with its own words for them."""
    own = family.words.demands
    return tuple(key.said_by(own) for key in keys_of("privacy") if family in key.families)


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
