"""One column and its hierarchy as forms show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from papilio.families import families
from papilio.policy.column_policy import ColumnPolicy, HierarchyPolicy
from papilio.policy.words import words_of
from papilio.web.forms.edits import ABSENT

#: No hierarchy, and one that the form cannot show and leaves alone.
NONE, STRANGE = "none", "strange"
_WITH_LEVELS = ("prefix", "intervals", "dates")
#: Kinds that fit values of a type, the best first.
_FITTING: Mapping[str, tuple[str, ...]] = {
    "numeric": (NONE, "intervals", "automatic", "prefix", "file"),
    "date": (NONE, "dates", "automatic", "file"),
    "boolean": (NONE, "file"),
    "category": (NONE, "file", "prefix", "automatic"),
}


def kinds_for(column_type: str, present: str) -> dict[str, str]:
    """Kinds of hierarchies that fit a type, and the one there is, with what each is called."""
    left_out = words_of(ColumnPolicy, "hierarchy")
    texts = {NONE: f"{NONE}: {left_out.usual}"}
    texts |= {kind: words_of(HierarchyPolicy, kind).label for kind in _kinds()}
    fitting = _FITTING.get(column_type, tuple(texts))
    return {kind: texts[kind] for kind in dict.fromkeys((*fitting, present))}


def _kinds() -> list[str]:
    """Keys of a hierarchy of which exactly one is given."""
    return [kind for kind in HierarchyPolicy.model_fields if kind != "origin"]


def meaning_of(kind: str) -> str:
    """What a kind of hierarchy does, in a sentence; nothing of a strange one."""
    if kind == STRANGE:
        return ""
    owner, key = (ColumnPolicy, "hierarchy") if kind == NONE else (HierarchyPolicy, kind)
    return words_of(owner, key).plain


@dataclass(frozen=True)
class HierarchyForm:
    """How the values of a column generalise.

    Attributes
    ----------
    kind
        A key of the policy's hierarchy, ``none`` or ``strange``.
    levels
        Numbers of characters, widths of intervals, or units of the calendar.
    origin
        Where intervals start, if the policy says so.
    file
        The file of paths, relative to the policy.
    raw
        What the policy says, for a strange one.
    """

    kind: str = "none"
    levels: tuple[Any, ...] = ()
    origin: Any = None
    file: str = ""
    raw: Any = None


def read_hierarchy(said: Any) -> HierarchyForm:
    """Read what a policy says under ``hierarchy``; nothing is a form of kind ``none``."""
    if said is None:
        return HierarchyForm()
    if isinstance(said, str):
        return HierarchyForm("automatic") if said == "automatic" else _of_file(said)
    form = _of_mapping(said) if isinstance(said, Mapping) else None
    return HierarchyForm(STRANGE, raw=said) if form is None else form


def _of_file(name: str) -> HierarchyForm:
    return HierarchyForm("file", file=name)


def _of_mapping(said: Mapping[str, Any]) -> HierarchyForm | None:
    keys = set(said)
    if keys == {"file"} and isinstance(said["file"], str):
        return _of_file(said["file"])
    if keys == {"automatic"} and said["automatic"] is True:
        return HierarchyForm("automatic")
    kind = next((each for each in _WITH_LEVELS if each in keys), None)
    extra = keys - {kind} - ({"origin"} if kind == "intervals" else set())
    if kind is None or extra or not isinstance(said[kind], list | tuple):
        return None
    return HierarchyForm(kind, tuple(said[kind]), said.get("origin"))


def written_hierarchy(form: HierarchyForm) -> Any:
    """What the policy shall say; :data:`~papilio.web.forms.edits.ABSENT` for none."""
    match form.kind:
        case "none":
            return ABSENT
        case "automatic":
            return "automatic"
        case "file":
            # A file of this name can only be told from the word in full.
            return {"file": form.file} if form.file == "automatic" else form.file
        case "strange":
            return form.raw
    origin = {} if form.origin is None else {"origin": form.origin}
    return {form.kind: list(form.levels), **origin}


def parse_levels(kind: str, text: str) -> tuple[Any, ...]:
    """Levels as somebody typed them: ``5, 3, 2`` or ``month year``.

    What is no number stays text, so that the policy says what is wrong with it.
    """
    parts = text.replace(";", " ").replace(",", " ").split()
    return tuple(parts) if kind == "dates" else tuple(_number(part) for part in parts)


def _number(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


#: What the role of a column that no policy mentions is called.
NOT_PUBLISHED = "not published"
#: Keys that say which linked table holds the values.
_LINKED = ("source", "key", "value")
#: Keys that the form shows; whatever else a policy says of a column is kept as it is.
_SHOWN = {"role", "type", "hierarchy", "domain", "harmless", "values", "separator", *_LINKED}


def role_texts() -> dict[str, str]:
    """Roles to choose from, each in a few words."""
    choices = words_of(ColumnPolicy, "role").choices
    return {role: f"{role}: {text}" for role, text in choices.items()} | {
        NOT_PUBLISHED: NOT_PUBLISHED
    }


def role_meanings() -> dict[str, str]:
    """What happens to a column of each role."""
    left_out = {NOT_PUBLISHED: "Left out of the policy and of the release."}
    return {**words_of(ColumnPolicy, "role").meanings, **left_out}


def keys_with_role(role: str | None, home: str = "columns") -> frozenset[str]:
    """Keys that some family takes of a column with a role.

    Parameters
    ----------
    role
        The role.
    home
        Where columns stand: ``columns``, or ``tables`` for those of linked tables.
    """
    having = [family.columns for family in families() if home in family.keys]
    return frozenset().union(
        *(keys for columns in having for known, keys in columns.items() if known == role)
    )


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
    return key not in _SHOWN


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

    What goes with it is what some family takes; a column that is not published says nothing.
    """
    if role is None:
        return ColumnForm(form.name)
    changed = replace(form, role=role, strange=False, others={} if form.strange else form.others)
    takes = keys_with_role(role)
    if "hierarchy" not in takes:
        changed = replace(changed, hierarchy=HierarchyForm(), domain=())
    if "values" not in takes:
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
