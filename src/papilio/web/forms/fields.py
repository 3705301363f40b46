"""Which family of releases a draft is of, and which keys the forms ask for then.

And what is known of the owner's tables: counts and suggestions, no value of a cell.
"""

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


@dataclass(frozen=True)
class ColumnFacts:
    """What a profile says of one column.

    Attributes
    ----------
    name
        Its name.
    type
        ``numeric``, ``category``, ``date`` or ``boolean``.
    role
        The suggested role.
    reason
        Why, in a sentence.
    distinct
        Number of distinct values.
    missing_share, unique_share
        Share of the rows without a value, and with a value no other row has.
    proposed_l
        An l to start with if it is sensitive; ``None`` if none is feasible or nobody counted.
    proposed_near
        What a narrow window may hold of a group, to start with; ``None`` likewise.
    spread
        Largest value minus smallest, of a numeric column whose values were looked at.
    """

    name: str
    type: str
    role: str
    reason: str
    distinct: int
    missing_share: float
    unique_share: float
    proposed_l: int | None = None
    proposed_near: str | None = None
    spread: float | None = None

    @property
    def tells_rows_apart(self) -> bool:
        """Whether every row has a value of its own, as keys do."""
        return self.unique_share == 1 and self.missing_share == 0


@dataclass(frozen=True)
class TableFacts:
    """What a profile says of one table.

    Attributes
    ----------
    name
        Its name: that of its file.
    source
        What a policy says to read it.
    rows
        Number of rows.
    columns
        Its columns.
    person, rows_of_people
        The column that seems to say whose row it is, and how many rows people have; empty if
        nobody seems to have several.
    most_rows
        Rows of the person with the most.
    same_rows
        Which columns are the same in all rows of a person; empty if none is.
    """

    name: str
    source: Any
    rows: int
    columns: tuple[ColumnFacts, ...]
    person: str = ""
    rows_of_people: str = ""
    most_rows: int = 1
    same_rows: str = ""

    def column(self, name: str) -> ColumnFacts | None:
        """Facts about one of its columns, if it has such a column."""
        return next((each for each in self.columns if each.name == name), None)


Facts = tuple[TableFacts, ...]


def facts_of(name: str, source: Any, profile: Mapping[str, Any]) -> TableFacts:
    """Take the facts from a profile as plain data (:meth:`papilio.Profile.to_dict`)."""
    keys = ("name", "type", "role", "reason", "distinct", "missing_share", "unique_share")
    proposals = ("proposed_l", "proposed_near")
    columns = tuple(
        # Profiles that an earlier version stored propose nothing.
        ColumnFacts(**{k: each[k] for k in keys}, **{k: each.get(k) for k in proposals})
        for each in profile["columns"]
    )
    person = profile.get("person") or {"column": "", "text": "", "most": 1, "same": ""}
    return TableFacts(
        name,
        source,
        profile["rows"],
        columns,
        person["column"],
        person["text"],
        person["most"],
        person["same"],
    )


def table_with(facts: Facts, source: Any) -> TableFacts | None:
    """Table that a source of a policy means; ``{file: x}`` and ``x`` are the same."""
    wanted = _file(source)
    return next((each for each in facts if _file(each.source) == wanted), None)


def _file(source: Any) -> Any:
    return source.get("file", source) if isinstance(source, Mapping) else source


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
