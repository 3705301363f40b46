"""Change one key of a policy text and leave the rest, comments too, as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import yaml

from papilio.errors import PolicyError
from papilio.policy.files import composed, read_yaml
from papilio.policy.yaml_size import TooLargeError

KeyPath = tuple[str, ...]

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_ONE_LINE = 1 << 30


class _CannotError(Exception):
    """The text cannot be edited in place."""


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
    wanted = _put(before, path, plain)
    return text if wanted == before else _edited(wanted, lambda: _set(text, path, wanted))


def without(text: str, path: KeyPath) -> str:
    """Remove a key; nothing happens if it is not there. Otherwise as :func:`with_value`."""
    wanted = _copied(read_yaml(text).data)
    above = _at(wanted, path[:-1])
    if not isinstance(above, dict) or path[-1] not in above:
        return text
    del above[path[-1]]
    return _edited(wanted, lambda: _removed(text, path))


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


def _edited(wanted: Mapping[str, Any], edit: Callable[[], str]) -> str:
    """Edit in place if that reads as wanted; anchors and odd layouts may make it read otherwise."""
    try:
        edited = edit()
        if _reads_as(edited, wanted):
            return edited
    except (_CannotError, TooLargeError):
        pass
    return dump(wanted)


def _reads_as(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return read_yaml(text).data == wanted
    except PolicyError:
        return False


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


def _at(tree: Any, path: KeyPath) -> Any:
    for key in path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def _set(text: str, path: KeyPath, wanted: Mapping[str, Any]) -> str:
    """Replace the value at the path, or the nearest value above it that has to change."""
    above, entry = _find(text, path)
    depth = len(above)
    here = path[: depth + 1]
    value = _at(wanted, here)
    mapping = _mapping(text, above)
    if entry is None:
        return _inserted(text, mapping, here, value)
    old = entry[1]
    if isinstance(old, yaml.MappingNode) and isinstance(value, dict) and old.value and value:
        return _merged(text, here, old, value)
    return _replaced(text, mapping, entry, here, value)


def _merged(text: str, path: KeyPath, old: yaml.MappingNode, value: dict[str, Any]) -> str:
    """Bring a mapping to its new content key by key, so that its comments stay."""
    for key, _ in old.value:
        if key.value not in value:
            text = _removed(text, (*path, key.value))
    for key, below in value.items():
        if _at(read_yaml(text).data, (*path, key)) != below:
            wanted = _put(read_yaml(text).data, (*path, key), below)
            text = _set(text, (*path, key), wanted)
    return text


Entry = tuple[yaml.Node, yaml.Node]


def _find(text: str, path: KeyPath) -> tuple[KeyPath, Entry | None]:
    """Path of the innermost mapping on the way, and the entry in it on the way, if any."""
    node: yaml.Node | None = composed(text)
    for depth, name in enumerate(path):
        if not isinstance(node, yaml.MappingNode):
            raise _CannotError
        entry = next((each for each in node.value if each[0].value == name), None)
        last = depth == len(path) - 1
        if entry is None or last or not isinstance(entry[1], yaml.MappingNode):
            return path[:depth], entry
        node = entry[1]
    raise _CannotError


def _mapping(text: str, path: KeyPath) -> yaml.MappingNode:
    node: Any = composed(text)
    for name in path:
        node = next(value for key, value in node.value if key.value == name)
    if not isinstance(node, yaml.MappingNode):
        raise _CannotError
    return node


def _inserted(text: str, mapping: yaml.MappingNode, path: KeyPath, value: Any) -> str:
    if mapping.flow_style:
        place = mapping.end_mark.index - 1
        comma = ", " if mapping.value else ""
        return f"{text[:place].rstrip()}{comma}{_flow(path[-1])}: {_flow(value)}{text[place:]}"
    if not mapping.value:
        raise _CannotError
    indent = mapping.value[0][0].start_mark.column
    place = _line_end(text, _end(text, mapping))
    line = f"{' ' * indent}{_flow(path[-1])}:{_rendered(value, indent, len(path))}"
    return f"{text[:place]}\n{line}{text[place:]}"


def _replaced(text: str, mapping: yaml.MappingNode, entry: Entry, path: KeyPath, value: Any) -> str:
    key, old = entry
    colon = text.index(":", key.end_mark.index)
    if mapping.flow_style:
        return f"{text[: colon + 1]} {_flow(value)}{text[_end(text, old) :]}"
    rendered = _rendered(value, key.start_mark.column, len(path))
    if not rendered.startswith("\n") and old.start_mark.line == key.start_mark.line:
        # Values that stand below each other stay so.
        rendered = (text[colon + 1 : old.start_mark.index] or " ") + rendered[1:]
    end = max(_end(text, old), colon + 1)
    return f"{text[: colon + 1]}{rendered}{text[end:]}"


def _removed(text: str, path: KeyPath) -> str:
    mapping = _mapping(text, path[:-1])
    names = [key.value for key, _ in mapping.value]
    position = names.index(path[-1])
    if len(names) == 1:
        if len(path) == 1:
            raise _CannotError
        entry = _find(text, path[:-1])[1]
        if entry is None:
            raise _CannotError
        return _replaced(text, _mapping(text, path[:-2]), entry, path[:-1], {})
    if mapping.flow_style:
        return _removed_in_flow(text, mapping, position)
    key, value = mapping.value[position]
    start = text.rfind("\n", 0, key.start_mark.index) + 1
    end = _line_end(text, max(_end(text, value), text.index(":", key.end_mark.index)))
    return text[:start] + text[end + 1 :]


def _removed_in_flow(text: str, mapping: yaml.MappingNode, position: int) -> str:
    key, value = mapping.value[position]
    if position + 1 < len(mapping.value):
        following = mapping.value[position + 1][0].start_mark.index
        return text[: key.start_mark.index] + text[following:]
    before = _end(text, mapping.value[position - 1][1])
    return text[:before] + text[_end(text, value) :]


def _end(text: str, node: yaml.Node) -> int:
    """Where a node's own text ends; what YAML counts to it after that is space and comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        key = last[0] if isinstance(last, tuple) else last
        inner = last[1] if isinstance(last, tuple) else last
        return max(_end(text, inner), int(key.end_mark.index))
    start, end = node.start_mark.index, node.end_mark.index
    return int(start + len(text[start:end].rstrip()))


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def _rendered(value: Any, indent: int, depth: int) -> str:
    """Value as it stands after the colon of a block mapping's key at this depth."""
    if not isinstance(value, dict) or not value or depth > 1:
        return f" {_flow(value)}"
    inner = " " * (indent + 2)
    return "".join(f"\n{inner}{_flow(key)}: {_flow(below)}" for key, below in value.items())


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
