"""Pydantic's errors, said in Papilio's words with file and line, without any value."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from papilio.errors import Fault
from papilio.policy.files import YamlFile

#: Bounds of numbers, as fields name them, in words.
BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
#: What is accepted, by the beginning of pydantic's code for the fault.
_MESSAGES = {
    "missing": "this key is required",
    "int_": "must be a whole number",
    "float_": "must be a number",
    "string_pattern": "may have letters from A to Z, digits, '_' and '-' only",
    "string_": "must be text",
    "bool_": "must be true or false",
    "tuple_": "must be a list, such as [a, b]",
}


def faults_of(
    error: ValidationError, model: type[BaseModel], document: YamlFile | None = None
) -> list[Fault]:
    """Translate every error of a validation into a fault."""
    return [_fault(each, model, document) for each in error.errors(include_url=False)]


def _fault(details: Mapping[str, Any], model: type[BaseModel], document: YamlFile | None) -> Fault:
    path = _as_written(tuple(details["loc"]), document)
    file = None if document is None else document.file
    line = None if document is None else document.line_of(path)
    return Fault(_message(details, model), ".".join(map(str, path)), file, line)


def _as_written(path: tuple[str | int, ...], document: YamlFile | None) -> tuple[str | int, ...]:
    """Leave out places in lists that the file does not have: one thing may stand for a list."""
    found: tuple[str | int, ...] = ()
    for step in path:
        if document is None or isinstance(step, str) or (*found, step) in document.lines:
            found = (*found, step)
    return found


def _message(details: Mapping[str, Any], model: type[BaseModel]) -> str:
    kind = details["type"]
    context = details.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(details, model)
    if kind in ("enum", "literal_error"):
        hint = _hint(str(details["input"]), re.findall("'([^']*)'", context["expected"]))
        return f"not accepted{hint} (accepted: {context['expected']})"
    if kind == "value_error":
        return str(context["error"])
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        return _no_mapping(details["loc"], model)
    if kind.startswith(("greater_than", "less_than")):
        ((bound, number),) = context.items()
        return out_of_range(bound, number)
    for beginning, message in _MESSAGES.items():
        if kind.startswith(beginning):
            return message
    text = str(details["msg"])
    return text[:1].lower() + text[1:]


def out_of_range(bound: str, number: float) -> str:
    """What is said of a number beyond a bound of its field."""
    return f"must be {BOUNDS[bound]} {number:.10g}"


def _unknown_key(details: Mapping[str, Any], model: type[BaseModel]) -> str:
    known = _known_keys(details["loc"][:-1], model)
    hint = _hint(str(details["loc"][-1]), known)
    return f"unknown key{hint} (known here: {', '.join(known)})"


def _no_mapping(path: tuple[str | int, ...], model: type[BaseModel]) -> str:
    known = _known_keys(path, model)
    if not known:
        return "must be a mapping, one 'name: ...' a line"
    return f"must be a mapping with keys out of {', '.join(known)}"


def _hint(given: str, known: Sequence[str]) -> str:
    begun = [each for each in known if given.startswith(each)]
    close = begun or difflib.get_close_matches(given, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _known_keys(path: tuple[str | int, ...], model: type[BaseModel]) -> list[str]:
    """Keys accepted at ``path``; none where names of the data stand."""
    current: Any = model
    for step in path:
        if isinstance(current, type) and issubclass(current, BaseModel):
            current = _without_none(current.model_fields[str(step)].annotation)
        else:
            # What a mapping or a list of any length holds.
            current = [part for part in get_args(current) if part is not ...][-1]
    return list(current.model_fields) if hasattr(current, "model_fields") else []


def _without_none(annotation: Any) -> Any:
    """``Model`` out of ``Model | None``."""
    parts = [part for part in get_args(annotation) if part is not NoneType]
    return parts[0] if isinstance(annotation, UnionType) else annotation


def pick_one(model: BaseModel, keys: Sequence[str]) -> str:
    """Return the one key out of ``keys`` that is set.

    Raises
    ------
    ValueError
        If none or more than one is set; pydantic turns it into a fault of the policy.
    """
    given = [key for key in keys if getattr(model, key) not in (None, False)]
    if len(given) != 1:
        raise ValueError(f"give exactly one of {', '.join(keys)}")
    return given[0]
