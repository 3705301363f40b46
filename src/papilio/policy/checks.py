"""What pydantic cannot see in a policy: misplaced keys, names that collide, options, files."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from papilio.data.io.confine import confined
from papilio.data.source import is_address
from papilio.data.table import Role
from papilio.data.wording import can_be_shown
from papilio.errors import DataError, Fault
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.recipients import EVERY
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.t_closeness import TCloseness

if TYPE_CHECKING:
    from papilio.families.family import Family, Method
    from papilio.policy.policy import Policy
    from papilio.privacy.requirement import Requirement

#: Keys whose values are names of files, wherever they stand in a policy.
_NAMES = ("file", "database")

KeyPath = tuple[str, ...]


def files_elsewhere(policy: Policy) -> Iterator[Fault]:
    """Faults for names that lead out of the policy's folder and what the owner allows.

    Files that an SQL statement names, files of a folder and links are looked at when they are
    read, since they may be others by then.
    """
    if policy.allowed is None:
        return
    for path, name in _names(policy, ()):
        try:
            confined(name, policy.base, policy.allowed)
        except DataError as error:
            yield policy.fault(str(error), *path)


def _names(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
        own = [(key, value[key]) for key in _NAMES if isinstance(value.get(key), str)]
        yield from (((*path, key), name) for key, name in own if not is_address(name))
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _names(inner, (*path, str(key)))


#: Columns that the verifier adds to tables of the owner.
_OWN = ("papilio_row", "papilio_up", "papilio_place", "papilio_person")


def colliding_names(policy: Policy) -> list[Fault]:
    """Find columns whose published names would collide, such as ``age`` and ``age_min``."""
    return [
        policy.fault(
            f"'{name}' may be published under this name; rename one of them in the source",
            "columns",
            f"{name}_{suffix}",
        )
        for name in policy.quasi
        for suffix in ("min", "max", "null")
        if f"{name}_{suffix}" in policy.published and policy.columns[name].hierarchy is None
    ]


def alike_names(policy: Policy) -> list[Fault]:
    """Find columns whose names differ in letter case only, which databases take for one."""
    seen: dict[str, str] = {}
    faults = []
    for name in policy.published:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"differs from '{other}' in letter case only; rename one of them"
            faults.append(policy.fault(message, "columns", name))
    return faults


def unusable_names(policy: Policy) -> list[Fault]:
    """Find columns, of whatever family, whose names no release may have.

    These are names that would do something when printed, such as ending the line, and those of
    columns that the verifier adds.
    """
    faults = []
    for path, name in _columns(policy):
        if not can_be_shown(name):
            message = "a column has a control character in its name; rename it in the source"
            faults.append(policy.fault(message, *path))
        elif name.casefold() in _OWN:
            message = f"the name '{name}' is Papilio's own; rename it in the source"
            faults.append(policy.fault(message, *path))
    return faults


def _columns(policy: Policy) -> Iterator[tuple[tuple[str, ...], str]]:
    """Columns that are published or keys, and the key of the policy each stands below."""
    yield from ((("columns",), name) for name in policy.published)
    if policy.link and policy.person_column is not None:
        yield ("person",), policy.person_column
    for table, said in policy.tables.items():
        named = (*said.published, said.key, said.foreign_key)
        yield from ((("tables", table), name) for name in named if name is not None)
    if policy.graph is not None:
        for side in ("left", "right"):
            entities = getattr(policy.graph, side)
            yield from ((("graph", side), name) for name in (*entities.columns, entities.key))
        edges = policy.graph.edges
        yield from ((("graph", "edges"), name) for name in (edges.left, edges.right))


def misplaced_keys(policy: Policy) -> list[Fault]:
    """Find every key that says something and that the family does not have."""
    from papilio.families import family_of

    family = family_of(policy)
    return [
        *_unknown_methods(policy),
        *_other_methods(policy, family),
        *_faults(policy, (), given_keys(policy), lambda each: _top(each, policy), family),
        *_faults(policy, ("privacy",), given_keys(policy.privacy), lambda e: e.demands, family),
        *_of_columns(policy, family),
    ]


def _top(family: Family, policy: Policy) -> frozenset[str]:
    """Top-level keys of this policy, or of any of another family."""
    return family.keys_of(policy) if family is policy.family else family.keys | family.divided


def _unknown_methods(policy: Policy) -> Iterator[Fault]:
    """Methods that no family has, and such that cannot be built on."""
    from papilio.families import building_methods, method_names

    known = {"method": method_names(), **building_methods()}
    for key, names in known.items():
        named = getattr(policy, key)
        if named is not None and named not in names:
            close = difflib.get_close_matches(named, names, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            yield policy.fault(f"not accepted{hint} (accepted: {', '.join(names)})", key)


def _other_methods(policy: Policy, family: Family) -> Iterator[Fault]:
    """A method of another family than the one that the rest of the policy asks for."""
    from papilio.families import family_named

    other = family_named(policy.method)
    if other is not None and other is not family:
        *first, last = (method.name for method in family.methods)
        names = f"{', '.join(first)} or {last}" if first else last
        needs = f"give the key {other.data}, or name {names}" if other.data else f"name {names}"
        message = (
            f"the method {policy.method} is for {other.called}, and this policy is about "
            f"{family.called_by(policy)}; {needs}, or none"
        )
        yield policy.fault(message, "method")


def given_keys(model: BaseModel) -> list[str]:
    """Keys of a part of a policy that say something else than nothing."""
    return [
        key
        for key, field in type(model).model_fields.items()
        if getattr(model, key) not in (None, (), {}, field.get_default())
    ]


def _of_columns(policy: Policy, family: Family) -> Iterator[Fault]:
    tables: dict[tuple[str, ...], dict[str, ColumnPolicy]] = {("columns",): policy.columns}
    tables |= {("tables", name, "columns"): each.columns for name, each in policy.tables.items()}
    for path, columns in tables.items():
        for name, column in columns.items():
            role = column.role

            def keys_of(each: Family) -> frozenset[str]:
                return each.columns.get(role, frozenset({"role"}))  # noqa: B023 - used at once

            yield from _faults(policy, (*path, name), given_keys(column), keys_of, family)


def _faults(
    policy: Policy,
    path: tuple[str, ...],
    given: Iterable[str],
    keys_of: Callable[[Family], frozenset[str]],
    family: Family,
) -> Iterator[Fault]:
    from papilio.families import families

    accepted = keys_of(family)
    for key in given:
        if key not in accepted:
            owners = [each.called for each in families() if key in keys_of(each)]
            message = (
                f"does not go with {family.called_by(policy)}, where {_listed(accepted)} are "
                f"accepted; it goes with {' or '.join(owners) or 'a column of another role'}"
            )
            yield policy.fault(message, *path, key)


def _listed(keys: frozenset[str]) -> str:
    *first, last = sorted(keys)
    return f"{', '.join(first)} and {last}" if first else last


def misplaced_demands(policy: Policy) -> list[Fault]:
    """Find demands on columns that are not there, not sensitive, or lack what is needed."""
    faults = _about_nothing(policy)
    demanded = policy.privacy.requirements(policy.with_role(Role.SENSITIVE))
    return [*faults, *demand_faults(policy, demanded, "privacy")]


def demand_faults(policy: Policy, demanded: Iterable[Requirement], *path: str) -> list[Fault]:
    """Find demands under a key on columns that are not there, not sensitive, or lack something."""
    faults = []
    for each in demanded:
        if isinstance(each, KAnonymity | KeAnonymity):
            continue
        key = "t" if isinstance(each, TCloseness) else "l"
        column = policy.columns.get(each.column)
        if column is None:
            message = f"columns has no '{each.column}'; name a sensitive column"
        elif column.role is not Role.SENSITIVE:
            message = (
                f"the column is {column.role}, not sensitive; {key} is about sensitive columns"
            )
        elif each.parameters().get("distance") == "hierarchical" and column.hierarchy is None:
            message = "the hierarchical distance needs a hierarchy on the column"
        else:
            continue
        faults.append(policy.fault(message, *path, key, each.column))
    return faults


def _about_nothing(policy: Policy) -> list[Fault]:
    """A bare number is about every sensitive column; without one it would demand nothing."""
    if policy.with_role(Role.SENSITIVE):
        return []
    bare = (("l", EVERY in policy.privacy.l), ("t", EVERY in policy.privacy.t))
    return [
        policy.fault(
            f"{key} is about sensitive columns, and no column is sensitive", "privacy", key
        )
        for key, given in bare
        if given
    ]


def missing_roles(policy: Policy) -> list[Fault]:
    """Find that no column is a quasi-identifier."""
    if policy.quasi:
        return []
    return [policy.fault("no column is quasi; give at least one column this role", "columns")]


#: Option -> what only the methods that have it do with it, and why others do not.
_OPTIONS: Mapping[tuple[str, ...], tuple[str, str]] = {
    ("objective",): ("has an objective", ""),
    ("metric",): ("has a metric", ""),
    ("privacy", "suppress"): ("leaves rows out", ""),
    ("improve",): (
        "can be improved",
        "{} keeps one level per column, so its classes cannot be improved",
    ),
    ("cells",): (
        "has cells of several forms",
        "{} publishes labels of a level, in one column anyway",
    ),
}


def misplaced_options(policy: Policy) -> list[Fault]:
    """Options that the method does not have would be ignored silently otherwise."""
    from papilio.families import family_named, family_of

    method = family_of(policy).generalising(policy)
    family = family_named(method)
    if method is None or family is None:
        return []
    faults = []
    for path, (what, why) in _OPTIONS.items():
        having = [each.name for each in family.methods if path[-1] in each.options]
        if _given(policy, path) and method not in having:
            message = why.format(method) or _only(having, what)
            faults.append(policy.fault(message, *path))
    if policy.metric == "height" and method in _cutting(family.methods):
        cutting = _cutting(family.methods)
        having = [each.name for each in family.methods if "metric" in each.options]
        by_level = [name for name in having if name not in cutting]
        faults.append(policy.fault(f"only {by_level[0]} chooses by height", "metric"))
    return faults


def unsafe_cells(policy: Policy) -> Iterator[Fault]:
    """Find why no complete row could be kept from following, of a policy that asks for that."""
    if not policy.safe_cells:
        return
    family = policy.family
    safe = [each.name for each in family.methods if each.safe]
    known = family.method(policy.method or "")
    name = known.name if known is not None else family.choose(policy, 0).method
    if not safe:
        yield policy.fault(
            f"complete rows may follow from the cells of {family.called}; bounds and text are "
            "accepted, and safe for one table or projections",
            "cells",
        )
    elif name not in safe:
        yield policy.fault(
            f"complete rows may follow from the cells of {name}; bounds and text are accepted, "
            f"and safe with method {' or '.join(safe)}",
            "cells",
        )
    else:
        yield from _one_freedom(policy)


def _one_freedom(policy: Policy) -> Iterator[Fault]:
    """Columns that people know to go together leave as little open as one of them."""
    free = [name for name in policy.quasi if policy.columns[name].follows is None]
    if policy.depends:
        message = (
            "two columns that a rule of depends links say no more together than one of them; "
            "say that one follows the other, or use bounds or text"
        )
        yield policy.fault(message, "cells")
    elif len(free) < 2:
        message = (
            "a row of one quasi-identifier is complete with its value; give another column the "
            "role quasi, or use bounds or text"
        )
        yield policy.fault(message, "cells")


def _cutting(methods: tuple[Method, ...]) -> list[str]:
    """Methods that cut classes, by an objective."""
    return [method.name for method in methods if "objective" in method.options]


def _only(methods: list[str], what: str) -> str:
    if len(methods) == 1:
        return f"only the method {methods[0]} {what}"
    several = what.replace("has ", "have ", 1).replace("leaves ", "leave ", 1)
    return f"only the methods {' and '.join(methods)} {several}"


def _given(policy: Policy, path: tuple[str, ...]) -> bool:
    if path == ("cells",):
        return policy.cells != "bounds"
    return bool(getattr(policy if len(path) == 1 else policy.privacy, path[-1]))
