"""How large YAML may be, counted from its events before anything is built.

A few hundred bytes of YAML can stand for billions of nodes, because an alias (``*``) stands for all
that its anchor (``&``) holds, and a short text can be nested deeper than any program can follow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

#: Most characters of a text.
LONGEST = 1_000_000
TOO_LONG = f"longer than {LONGEST:,} characters, which is the limit"
#: Most levels below each other, aliases followed.
DEEPEST = 30
#: Most keys and values, those that aliases stand for counted each time.
MOST = 100_000


class TooLargeError(Exception):
    """YAML is too large; ``problem`` says how, and ``line`` where that shows, if anywhere."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


@dataclass(frozen=True)
class _Extent:
    """Number of nodes of a part, and of lists and mappings in each other; a value has none."""

    nodes: int = 1
    levels: int = 0


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    anchor: str | None
    nodes: int = 1
    levels: int = 1

    def take(self, part: _Extent) -> None:
        self.nodes += part.nodes
        self.levels = max(self.levels, part.levels + 1)


@dataclass
class _Count:
    above: list[_Open] = field(default_factory=list)
    anchored: dict[str, _Extent] = field(default_factory=dict)
    nodes: int = 0
    deepest: int = 0


def check_size(text: str, loader: Any) -> None:
    """Refuse YAML that is too long, too deep, or too much once its aliases are followed.

    An alias of something that is not complete yet, as one inside its own anchor, counts as one
    node: it cannot be built in any case.

    Parameters
    ----------
    text
        What is to be read.
    loader
        PyYAML's loader whose parser gives the events.

    Raises
    ------
    TooLargeError
        If a limit is exceeded.
    yaml.YAMLError
        If it is not YAML.

    Notes
    -----
    Cost: one pass over the text, up to the event that exceeds a limit.
    """
    if len(text) > LONGEST:
        raise TooLargeError(TOO_LONG)
    count = _Count()
    for event in yaml.parse(text, Loader=loader):
        _take(event, count)
        line = None if event.start_mark is None else event.start_mark.line + 1
        if count.deepest > DEEPEST:
            raise TooLargeError(
                f"more than {DEEPEST} levels, aliases (*) followed, which is the limit", line
            )
        if count.nodes > MOST:
            raise TooLargeError(
                f"more than {MOST:,} keys and values, aliases (*) followed, which is the limit",
                line,
            )


def _take(event: yaml.Event, count: _Count) -> None:
    if isinstance(event, yaml.CollectionStartEvent):
        count.above.append(_Open(event.anchor))
        count.deepest = max(count.deepest, len(count.above))
        count.nodes += 1
    elif isinstance(event, yaml.CollectionEndEvent):
        ended = count.above.pop()
        _closed(_Extent(ended.nodes, ended.levels), ended.anchor, count)
    elif isinstance(event, yaml.ScalarEvent):
        count.nodes += 1
        _closed(_Extent(), event.anchor, count)
    elif isinstance(event, yaml.AliasEvent):
        stands_for = count.anchored.get(event.anchor or "", _Extent())
        count.nodes += stands_for.nodes
        count.deepest = max(count.deepest, len(count.above) + stands_for.levels)
        _closed(stands_for, None, count)


def _closed(part: _Extent, anchor: str | None, count: _Count) -> None:
    if anchor is not None:
        count.anchored[anchor] = part
    if count.above:
        count.above[-1].take(part)
