"""The hierarchy of a column as a form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
