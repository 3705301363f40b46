"""Change keys of a policy text and leave the rest, comments too, as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

import yaml

from papilio.errors import PolicyError
from papilio.policy.files import DEEPEST, composed, read_yaml

KeyPath = tuple[str, ...]
_Entry = tuple[yaml.Node, yaml.Node]

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_ONE_LINE = 1 << 30


def with_value(text: str, path: KeyPath, value: Any) -> str:
    """Set a key, and make the keys above it if need be.

    The result reads back as the same policy but for this key. Comments and layout stay where
    they are; where they cannot, the text is written anew without them.

    Parameters
    ----------
    text
        A policy that can be read.
    path
        Keys from the top, at least one. Where a column is given by its role alone and a key
        of it is set, the role becomes a key too.
    value
        A text, number or truth value, or lists and dictionaries of them.

    Raises
    ------
    PolicyError
        If the text cannot be read.
    """
    before = read_yaml(text).data
    plain = read_yaml(dump({path[-1]: value})).data[path[-1]]
    return _edited(text, before, _put(before, path, plain))


def without(text: str, path: KeyPath) -> str:
    """Remove a key; nothing happens if it is not there. Otherwise as :func:`with_value`."""
    before = read_yaml(text).data
    wanted = above = _copied(before)
    for key in path[:-1]:
        above = above.get(key) if isinstance(above, dict) else None
    if isinstance(above, dict):
        above.pop(path[-1], None)
    return _edited(text, before, wanted)


def dump(tree: Mapping[str, Any]) -> str:
    """Write a policy from plain data: a key a line, what is deeper than two levels in braces."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            lines.append(f"{_flow(key)}:")
            lines += [f"  {_flow(inner)}: {_flow(below)}" for inner, below in value.items()]
        else:
            lines.append(f"{_flow(key)}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def _edited(text: str, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Change the text where its content differs, if it then reads as wanted.

    Anchors and odd layouts may make it read otherwise. Then whole keys of the top level are
    written, and all of it if that does not help.
    """
    if wanted == before:
        return text
    root = composed(text)
    for levels in (DEEPEST, 1) if before.keys() & wanted.keys() else ():
        # Text that shall not be there is not valid, or there is no text where it is expected.
        with suppress(PolicyError, LookupError, ValueError):
            changes = sorted(_changes(text, cast("yaml.MappingNode", root), before, wanted, levels))
            edited = _applied(text, changes)
            if read_yaml(edited).data == wanted:
                return edited
    return dump(wanted)


#: What stands from one place to another gives way to a text.
_Change = tuple[int, int, str]


def _applied(text: str, changes: Iterable[_Change]) -> str:
    parts, place = [], 0
    for start, end, new in changes:
        parts += [text[place:start], new]
        place = end
    return "".join(parts) + text[place:]


def _changes(
    text: str,
    node: yaml.MappingNode,
    before: Mapping[str, Any],
    wanted: Mapping[str, Any],
    levels: int,
    depth: int = 1,
) -> Iterator[_Change]:
    """Changes of a mapping that has some keys before and after, key by key."""
    last = max(place for place, (key, _) in enumerate(node.value) if key.value in wanted)
    for place, (key, value) in enumerate(node.value):
        if key.value not in wanted:
            yield _removal(text, node, place, last)
            continue
        old, new = before[key.value], wanted[key.value]
        same_keys = isinstance(old, dict) and isinstance(new, dict) and old.keys() & new.keys()
        if same_keys and isinstance(value, yaml.MappingNode) and depth < levels and old != new:
            yield from _changes(text, value, old, new, levels, depth + 1)
        elif old != new:
            yield _replacement(text, node, (key, value), new, depth)
    names = {key.value for key, _ in node.value}
    added = {key: value for key, value in wanted.items() if key not in names}
    if added:
        yield _insertion(text, node, added, depth)


def _removal(text: str, node: yaml.MappingNode, place: int, last: int) -> _Change:
    """Take an entry away: in braces with one comma, else with its lines."""
    start, end = node.value[place][0].start_mark.index, _end(text, node.value[place])
    if node.flow_style and place < last:
        return start, node.value[place + 1][0].start_mark.index, ""
    if node.flow_style:
        return _end(text, node.value[place - 1]), end, ""
    line = text.rfind("\n", 0, start)
    return (line, _line_end(text, end), "") if line >= 0 else (0, _line_end(text, end) + 1, "")


def _replacement(
    text: str, node: yaml.MappingNode, entry: _Entry, value: Any, depth: int
) -> _Change:
    key, old = entry
    start = text.index(":", key.end_mark.index) + 1
    in_braces = node.flow_style or (isinstance(old, yaml.MappingNode) and old.flow_style)
    rendered = _rendered(value, key.start_mark.column, 2 if in_braces else depth)
    if not rendered.startswith("\n") and old.start_mark.line == key.start_mark.line:
        # Values that stand below each other stay so.
        rendered = (text[start : old.start_mark.index] or " ") + rendered[1:]
    return start, max(_end(text, entry), start), rendered


def _insertion(text: str, node: yaml.MappingNode, added: Mapping[str, Any], depth: int) -> _Change:
    """Put keys behind the last one."""
    end = _end(text, node.value[-1])
    if node.flow_style:
        return end, end, "".join(f", {_flow(key)}: {_flow(added[key])}" for key in added)
    column = node.value[0][0].start_mark.column
    indent, end = "\n" + " " * column, _line_end(text, end)
    lines = (f"{indent}{_flow(key)}:{_rendered(added[key], column, depth)}" for key in added)
    return end, end, "".join(lines)


def _end(text: str, entry: _Entry) -> int:
    """Where an entry's own text ends; what YAML counts to it after that is space and comments."""
    key, value = entry
    if isinstance(value, yaml.CollectionNode) and not value.flow_style and value.value:
        last = value.value[-1]
        return _end(text, last if isinstance(last, tuple) else (last, last))
    start, end = value.start_mark.index, value.end_mark.index
    return max(int(start + len(text[start:end].rstrip())), int(key.end_mark.index))


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def _rendered(value: Any, indent: int, depth: int) -> str:
    """Value as it stands after the colon of a block mapping's key at this depth."""
    if not isinstance(value, dict) or not value or depth > 1:
        return f" {_flow(value)}"
    inner = " " * (indent + 2)
    return "".join(f"\n{inner}{_flow(key)}: {_flow(below)}" for key, below in value.items())


def _put(tree: Mapping[str, Any], path: KeyPath, value: Any) -> dict[str, Any]:
    made: dict[str, Any] = _copied(tree)
    here = made
    for depth, key in enumerate(path[:-1]):
        inner = here.get(key)
        if isinstance(inner, str) and depth and path[depth - 1] == "columns":
            inner = {"role": inner}
        here[key] = inner if isinstance(inner, dict) else {}
        here = here[key]
    here[path[-1]] = value
    return made


def _copied(value: Any) -> Any:
    """Plain data again, with nothing in it twice, as aliases would have it."""
    if isinstance(value, Mapping):
        return {key: _copied(below) for key, below in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def _flow(value: Any) -> str:
    text: str = yaml.dump(
        value,
        Dumper=_DUMPER,
        default_flow_style=True,
        allow_unicode=True,
        sort_keys=False,
        width=_ONE_LINE,
    )
    return text.removesuffix("...\n").rstrip("\n")
