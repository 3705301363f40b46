"""What people are told of a key of the policy, as metadata of the field that reads it.

The workbench, the comments that ``papilio init`` writes and the policy reference are made from
these. Ranges, kinds and choices are those of the field itself; see :mod:`papilio.families.keys`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

#: Kinds of controls. Most follow from the type of the field; the others are named by its words.
Widget = Literal[
    "number",  # any number within the range of the field
    "share",  # a number from 0 to 1
    "percent",  # the same, shown and written as a percentage
    "choice",  # one of a few values
    "method",  # one of the methods that the families have
    "yes/no",
    "text",
    "lines",  # texts, one a line
    "numbers",  # several numbers, or units, in one line
    "column",  # one column of the data
    "columns",  # any of its quasi-identifiers
    "file",  # one of the files at hand
    "duration",  # a time such as 10s
    "demands",  # demands on sensitive columns, one a line
    "tree",  # hierarchy of a column
    "target",  # distribution with its picture
]


@dataclass(frozen=True)
class Meaning:
    """What a requirement protects from, in plain language.

    Attributes
    ----------
    title
        Its name, for a heading.
    stops, does_not_stop
        The attacker it stops, and who is not stopped by it.
    example
        What it means for one person.
    usual
        What to start with.
    """

    title: str
    stops: str
    does_not_stop: str
    example: str
    usual: str


@dataclass(frozen=True)
class Words:
    """How a key is called, explained and asked for.

    Attributes
    ----------
    label
        What a form calls it.
    sentence
        What it does, what it stops or what it costs; Markdown.
    example
        A value, as YAML; empty where the keys below have examples of their own.
    choices
        Text for each value that may be chosen; of a field with a closed list, for all of them.
    meanings
        A sentence about values that need one.
    usual
        What leaving it out means, in a few words.
    widget
        The control, where the type of the field does not tell.
    start
        What a form writes when the key is switched on.
    step
        By how much arrows change a number, where that is not 1, or 0.05 for a share.
    needed
        Whether it cannot be left out.
    meaning
        Whom it stops, if it is a requirement. Keys with the same meaning are asked for together.
    elsewhere
        Why no form of demands, options or columns asks for it or for what is below it, if so.
    """

    label: str
    sentence: str
    example: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    usual: str = ""
    widget: Widget | None = None
    start: Any = None
    step: float | None = None
    needed: bool = False
    meaning: Meaning | None = None
    elsewhere: str = ""

    @property
    def plain(self) -> str:
        """The sentence without the marks of Markdown."""
        return self.sentence.replace("`", "")


@dataclass(frozen=True)
class FamilyWords:
    """How a family of releases is offered.

    Attributes
    ----------
    title
        Its name.
    when
        When to use it, in a sentence.
    icon
        Name of a Material icon.
    demands
        Words for keys of ``privacy`` that mean something else in this family.
    one_secret
        Whether it is about exactly one sensitive column.
    lacks
        What is missing in data for such a release, given the number of tables that are known, the
        most columns that one of them has, and all types of their columns; nothing if it is
        possible.
    """

    title: str
    when: str
    icon: str
    demands: Mapping[str, Words] = field(default_factory=dict)
    one_secret: bool = False
    lacks: Callable[[float, int, frozenset[str]], str] = lambda *_: ""


def words_of(model: type[BaseModel], key: str) -> Words:
    """What is said of a key of a model.

    Raises
    ------
    LookupError
        If its field has no words, which is a defect of Papilio.
    """
    for part in model.model_fields[key].metadata:
        if isinstance(part, Words):
            return part
    raise LookupError(f"{model.__name__}.{key} has no words")
