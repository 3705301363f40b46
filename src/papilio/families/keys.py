"""Every key of a policy: what it accepts, how it is asked for, and which families take it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from papilio.families import AUTO, building_methods, families, method_names
from papilio.families.family import Family
from papilio.policy.faults import BOUNDS
from papilio.policy.policy import Policy
from papilio.policy.words import Widget, Words, words_of

#: Stands in the path of a key for a name that the policy's owner chooses.
NAME = "<name>"


@dataclass(frozen=True)
class Key:
    """A key and the field that reads it.

    Attributes
    ----------
    path
        Where it stands; :data:`NAME` for names of columns, tables and recipients.
    model
        What reads the mapping that it is in.
    words
        What people are told of it.
    """

    path: tuple[str, ...]
    model: type[BaseModel]
    words: Words

    @property
    def field(self) -> FieldInfo:
        """The field that reads it."""
        return self.model.model_fields[self.path[-1]]

    @property
    def dotted(self) -> str:
        """Its path as text."""
        return ".".join(self.path)

    @property
    def type(self) -> Any:
        """What it accepts besides nothing."""
        return without_none(self.field.annotation)

    @property
    def bounds(self) -> dict[str, float]:
        """Range of a number: ``ge``, ``gt``, ``le`` and ``lt`` as far as the field has them."""
        return {
            name: getattr(part, name)
            for part in self.field.metadata
            for name in BOUNDS
            if getattr(part, name, None) is not None
        }

    @property
    def choices(self) -> dict[str, str]:
        """Values to choose from and their texts: those of the type, else those of the words."""
        if self.widget == "method":
            return method_texts(self.path[-1])
        values = closed_list(self.type) or tuple(self.words.choices)
        return {value: self.words.choices[value] for value in _in_order(self.words, values)}

    @property
    def widget(self) -> Widget | None:
        """How it is asked for; ``None`` for a mapping whose keys are asked for each."""
        return self.words.widget or _widget_of(self.type, self.bounds)

    @property
    def step(self) -> float:
        """By how much arrows change it."""
        return self.words.step or (0.05 if self.widget == "share" else 1)

    @property
    def label(self) -> str:
        """What a form calls it; a share with its range, which is not everybody's guess."""
        low, high = self.bounds.get("ge"), self.bounds.get("le")
        if self.widget != "share" or low is None or high is None:
            return self.words.label
        return f"{self.words.label}, from {low:g} to {high:g}"

    @property
    def families(self) -> tuple[Family, ...]:
        """Families that take it, by the tables of what each of them allows."""
        return tuple(family for family in families() if _taken(self.path, family))

    def said_by(self, words: Mapping[str, Words]) -> Key:
        """The same key with the words that a family has for it, if it has any."""
        return replace(self, words=words.get(self.path[-1], self.words))


@cache
def keys() -> Mapping[tuple[str, ...], Key]:
    """Every key by its path, in the order of the models.

    What several places read with the same model, such as a source, is at each of them.
    """
    return {key.path: key for key in _keys((), Policy)}


def keys_of(*path: str) -> tuple[Key, ...]:
    """The keys of a mapping; of the whole policy without a path."""
    return tuple(key for key in keys().values() if key.path[:-1] == path)


def key_at(*path: str) -> Key:
    """The key at a path."""
    return keys()[path]


def _keys(path: tuple[str, ...], model: type[BaseModel]) -> Iterator[Key]:
    for name, field in model.model_fields.items():
        yield Key((*path, name), model, words_of(model, name))
        inner = model_in(field.annotation)
        if inner is not None:
            named = (NAME,) if keyed(field.annotation) else ()
            yield from _keys((*path, name, *named), inner)


def method_texts(key: str) -> dict[str, str]:
    """What a policy may say under a key that names a method, and what forms call it."""
    texts = {method.name: method.text for family in families() for method in family.methods}
    named = method_names() if key == "method" else building_methods()[key]
    return {name: texts.get(name, f"{AUTO}: Papilio chooses") for name in named}


def model_in(annotation: Any) -> type[BaseModel] | None:
    """Find the model in an annotation such as ``dict[str, Model]`` or ``Model | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := model_in(part))), None)


def keyed(annotation: Any) -> bool:
    """Whether a field is a mapping by names, optional or not."""
    return dict in (get_origin(annotation), *map(get_origin, get_args(annotation)))


def without_none(annotation: Any) -> Any:
    """``Type`` out of ``Type | None``."""
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    kinds = [part for part in get_args(annotation) if part is not NoneType]
    return kinds[0] if len(kinds) == 1 else annotation


def closed_list(kind: Any) -> tuple[str, ...]:
    """Values of a type that lists them, as text; none of any other."""
    if get_origin(kind) is Literal:
        return tuple(str(value) for value in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(member.value) for member in kind)
    return ()


def _in_order(words: Words, values: tuple[str, ...]) -> list[str]:
    """The best first, as the words have them."""
    return [value for value in words.choices if value in values]


def _widget_of(kind: Any, bounds: Mapping[str, float]) -> Widget | None:
    if closed_list(kind):
        return "choice"
    if get_origin(kind) is tuple:
        return "numbers"
    bare = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    if bare is bool:
        return "yes/no"
    if bare in (int, float):
        return "share" if (bounds.get("ge"), bounds.get("le")) == (0, 1) else "number"
    return "text" if bare is str else None


def _taken(path: tuple[str, ...], family: Family) -> bool:
    """Whether a family takes a key; what is below a key goes with it."""
    if path[0] not in family.keys | family.divided:
        return False
    match path:
        case ("privacy", demand, *_):
            return demand in family.demands
        case ("columns", _, key, *_) | ("tables", _, "columns", _, key, *_):
            return any(key in accepted for accepted in family.columns.values())
    return True
