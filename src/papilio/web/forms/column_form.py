"""One column as a form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from papilio.web.forms.edits import ABSENT
from papilio.web.forms.hierarchy_form import (
    HierarchyForm,
    read_hierarchy,
    written_hierarchy,
)

#: Keys of a column that the form shows.
_SHOWN = ("role", "type", "hierarchy", "domain", "harmless", "values", "separator")
_LINKED = ("source", "key", "value")


@dataclass(frozen=True)
class ColumnForm:
    """What a policy says of one column.

    Attributes
    ----------
    name
        Its name.
    role
        ``identifier``, ``quasi``, ``sensitive`` or ``plain``; ``None`` if the policy does not
        mention the column, which is then not published.
    type
        The declared type, if any.
    hierarchy
        How its values generalise.
    domain
        All values that may occur, in order; none: not declared.
    harmless
        Values that need no protection; ``None`` among them is a missing value.
    several
        Whether a cell holds several values.
    separator
        What stands between them, if the policy says so.
    linked
        Linked table with the values: ``source``, ``key`` and ``value``; empty if there is none.
    others
        Keys that the form does not show, as they are.
    strange
        Whether the policy says something that is no column; it is then left alone.
    """

    name: str
    role: str | None = None
    type: str | None = None
    hierarchy: HierarchyForm = field(default_factory=HierarchyForm)
    domain: tuple[Any, ...] = ()
    harmless: tuple[Any, ...] = ()
    several: bool = False
    separator: str | None = None
    linked: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)
    strange: bool = False


def read_column(name: str, said: Any = ABSENT) -> ColumnForm:
    """Read what a policy says of a column; nothing means that it is not published."""
    if said is ABSENT:
        return ColumnForm(name)
    if isinstance(said, str):
        return ColumnForm(name, said)
    if not isinstance(said, Mapping):
        return ColumnForm(name, strange=True, others={"": said})
    several = said.get("values") == "several"
    lists = {key: _several(said.get(key)) for key in ("domain", "harmless")}
    return ColumnForm(
        name=name,
        role=said.get("role"),
        type=said.get("type"),
        hierarchy=read_hierarchy(said.get("hierarchy")),
        domain=lists["domain"],
        harmless=lists["harmless"],
        several=several,
        separator=said.get("separator"),
        linked={key: said[key] for key in _LINKED if key in said},
        others={key: value for key, value in said.items() if _unshown(key, said, several)},
    )


def _unshown(key: str, said: Mapping[str, Any], several: bool) -> bool:
    """Whether the form cannot show a key, or what stands there."""
    if key in ("domain", "harmless"):
        return not isinstance(said[key], list | tuple)
    if key == "values":
        return not several
    return key not in (*_SHOWN, *_LINKED)


def _several(said: Any) -> tuple[Any, ...]:
    return tuple(said) if isinstance(said, list | tuple) else ()


def written_column(form: ColumnForm) -> Any:
    """What the policy shall say of the column: a bare role if that is all there is.

    :data:`~papilio.web.forms.edits.ABSENT` if it is not published.
    """
    if form.strange:
        return form.others[""]
    said = {
        "role": form.role,
        "type": form.type,
        "hierarchy": written_hierarchy(form.hierarchy),
        "domain": list(form.domain) or None,
        "harmless": list(form.harmless) or None,
        "values": "several" if form.several else None,
        "separator": form.separator,
        **form.linked,
        **form.others,
    }
    kept = {key: value for key, value in said.items() if value is not None and value is not ABSENT}
    if set(kept) == {"role"}:
        return form.role
    return kept or ABSENT


def with_role(form: ColumnForm, role: str | None) -> ColumnForm:
    """Give a column a role; what does not go with it is dropped.

    Only quasi and sensitive columns have a hierarchy or a domain, only sensitive ones harmless or
    several values. A column that is not published says nothing.
    """
    if role is None:
        return ColumnForm(form.name)
    changed = replace(form, role=role, strange=False, others={} if form.strange else form.others)
    if role not in ("quasi", "sensitive"):
        changed = replace(changed, hierarchy=HierarchyForm(), domain=())
    if role != "sensitive":
        changed = replace(changed, harmless=(), several=False, separator=None, linked={})
    return changed


def with_hierarchy(form: ColumnForm, hierarchy: HierarchyForm) -> ColumnForm:
    """Give a column a hierarchy; a domain does not go with one."""
    domain = form.domain if hierarchy.kind == "none" else ()
    # Read as numbers, codes would lose their leading zeros.
    kind = "category" if hierarchy.kind == "prefix" and form.type is None else form.type
    return replace(form, hierarchy=hierarchy, domain=domain, type=kind)


def with_several(form: ColumnForm, several: bool) -> ColumnForm:
    """Say whether cells hold several values; type and hierarchy do not go with that."""
    if not several:
        return replace(form, several=False, separator=None, linked={})
    return replace(form, several=True, type=None, hierarchy=HierarchyForm(), domain=())
