"""Reading YAML with the line of every key, and with duplicate keys as faults.

How large YAML may be, counted from its events before anything is built.

A few hundred bytes of YAML can stand for billions of nodes, because an alias (``*``) stands for all
that its anchor (``&``) holds, and a short text can be nested deeper than any program can follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

from papilio.errors import Fault, PolicyError

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


KeyPath = tuple[str | int, ...]


#: Keys whose lists hold values of the data.
_LISTS_OF_VALUES = ("domain", "null")


_TAGS = {
    f"tag:yaml.org,2002:{name}"
    for name in ("bool", "float", "int", "map", "merge", "null", "seq", "str", "value")
}


#: Characters up to which a text is read a second time, slowly, for the sake of its complaint.
_QUICKLY_READ = 100_000


#: Longest number, as it is written; to work out a longer one could take for ever.
_LONGEST_NUMBER = 100


_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


#: Halves of characters, which only escapes such as "\\ud800" can write; no data can hold them.
_HALF = re.compile("[\ud800-\udfff]")


_HALVES = "half a character (U+D800 to U+DFFF); whole characters are accepted"


#: Where messages of the YAML reader repeat text of the file.
_REPEATED = re.compile(r"(alias|anchor|handle|tag) (?:'[^']*'|\"[^\"]*\")")


@dataclass(frozen=True)
class YamlFile:
    """A YAML mapping and where its keys stand.

    Attributes
    ----------
    data
        The content.
    lines
        Line of each key or list entry, by its path.
    file
        Where it was read from, if from a file.
    base
        Folder that relative file names refer to.
    allowed
        Files and folders besides ``base`` that the owner lets the policy name.
    """

    data: Mapping[str, Any]
    lines: Mapping[KeyPath, int]
    file: Path | None
    base: Path
    allowed: tuple[Path, ...] = ()

    def line_of(self, path: KeyPath) -> int | None:
        """Line of the key at ``path``, or of the nearest key above it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return None


class _Loader(yaml.SafeLoader):
    """Leaves names and values of the data as they are written.

    Columns may be called ``2020``, ``yes`` or ``null``, and a domain may list ``007`` and ``no``.
    Nothing in a policy is a date, so what looks like one is text.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML has it so
        sign: [(tag, form) for tag, form in resolvers if not tag.endswith(":timestamp")]
        for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        self.flatten_mapping(node)
        return {key.value: self._value(key.value, value, deep) for key, value in node.value}

    def _value(self, key: str, node: yaml.Node, deep: bool) -> Any:
        if key not in _LISTS_OF_VALUES or not isinstance(node, yaml.SequenceNode):
            return self.construct_object(node, deep=deep)
        return [
            entry.value if isinstance(entry, yaml.ScalarNode) else self.construct_object(entry)
            for entry in node.value
        ]


_FastLoader: Any = None


if yaml.__with_libyaml__:

    class _FastLoader(yaml.CSafeLoader):  # type: ignore[no-redef]
        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


@dataclass
class _Walk:
    file: Path | None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    above: list[yaml.Node] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_yaml(
    source: Path | str, *, base: Path | None = None, allow: Iterable[str | Path] = ()
) -> YamlFile:
    """Read a YAML file (a :class:`~pathlib.Path`) or YAML text (a string).

    Raises
    ------
    PolicyError
        If it cannot be read, is not YAML, is not a mapping, or names a key twice.
    """
    file = source if isinstance(source, Path) else None
    text = _text(source) if isinstance(source, Path) else source
    with _yaml_faults(text, file):
        root = composed(text)
    if not isinstance(root, yaml.MappingNode):
        raise PolicyError([Fault("expected a mapping with keys such as 'columns'", file=file)])
    walk = _Walk(file)
    _visit(root, (), walk)
    if walk.faults:
        raise PolicyError(walk.faults)
    with _yaml_faults(text, file):
        data = _Loader("").construct_document(root)
    folder = file.parent if file is not None else (base or Path())
    return YamlFile(data, walk.lines, file, folder, tuple(map(Path, allow)))


def composed(text: str) -> yaml.Node | None:
    """Nodes of a YAML text, with the place of each.

    libyaml is many times as fast, but words its complaints in another way: what it does not
    take is read again without it, unless that would take long.

    Raises
    ------
    TooLargeError
        If it is longer, deeper or more than a policy ever is; nothing is built then.
    yaml.YAMLError, ValueError
        If it is not YAML.
    """
    if _FastLoader is not None:
        try:
            return _composed(text, _FastLoader)
        except (yaml.YAMLError, ValueError):
            if len(text) > _QUICKLY_READ:
                raise
    return _composed(text, _Loader)


def _composed(text: str, loader: Any) -> yaml.Node | None:
    check_size(text, loader)
    return cast("yaml.Node | None", yaml.compose(text, Loader=loader))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            # A character takes at most four bytes; what is longer is refused without its rest.
            content = file.read(4 * LONGEST + 1)
        if len(content) > 4 * LONGEST:
            raise PolicyError([Fault(TOO_LONG, file=path)])
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise PolicyError([Fault("no such file", file=path)]) from None
    except UnicodeDecodeError:
        raise PolicyError([Fault("not UTF-8 text", file=path)]) from None
    except OSError as error:
        raise PolicyError([Fault(f"cannot be read ({error.strerror})", file=path)]) from None


@contextmanager
def _yaml_faults(text: str, file: Path | None) -> Iterator[None]:
    """Say what YAML refuses, with its line, but without the text at fault."""
    try:
        yield
    except TooLargeError as error:
        raise PolicyError([Fault(error.problem, file=file, line=error.line)]) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = f"the character U+{error.character:04X} is not allowed"
        raise _not_yaml(problem, file, line) from None
    except yaml.MarkedYAMLError as error:
        said = ", ".join(part for part in (error.context, error.problem) if part)
        mark = error.problem_mark
        raise _not_yaml(
            _REPEATED.sub(r"\1", said), file, None if mark is None else mark.line + 1
        ) from None
    except ValueError:
        raise _not_yaml("something is tagged as a number, but is none", file, None) from None


def _not_yaml(problem: str, file: Path | None, line: int | None) -> PolicyError:
    return PolicyError([Fault(f"not valid YAML: {problem}", file=file, line=line)])


def _visit(node: yaml.Node, path: KeyPath, walk: _Walk) -> None:
    """Note the lines of all keys below a node, and what YAML allows but a policy does not."""
    line = node.start_mark.line + 1
    if node in walk.above:
        walk.faults.append(
            Fault("an alias (*) inside what it stands for", file=walk.file, line=line)
        )
        return
    if node.tag not in _TAGS:
        walk.faults.append(Fault("tags (!) are not accepted", file=walk.file, line=line))
    if node.tag in _NUMBERS and len(node.value) > _LONGEST_NUMBER:
        message = f"a number of more than {_LONGEST_NUMBER} signs; a shorter one is accepted"
        walk.faults.append(Fault(message, file=walk.file, line=line))
    if isinstance(node, yaml.ScalarNode) and _HALF.search(node.value):
        walk.faults.append(Fault(_HALVES, file=walk.file, line=line))
    walk.above.append(node)
    if isinstance(node, yaml.MappingNode):
        _visit_mapping(node, path, walk)
    elif isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            walk.lines[(*path, index)] = child.start_mark.line + 1
            _visit(child, (*path, index), walk)
    walk.above.pop()


def _visit_mapping(node: yaml.MappingNode, path: KeyPath, walk: _Walk) -> None:
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            walk.faults.append(Fault("a key must be plain text", file=walk.file, line=line))
            continue
        here = (*path, key.value)
        if _HALF.search(key.value):
            walk.faults.append(Fault(_HALVES, file=walk.file, line=line))
            continue
        if here in walk.lines:
            walk.faults.append(_twice(here, line, walk))
            continue
        walk.lines[here] = line
        _visit(value, here, walk)


def _twice(path: KeyPath, line: int, walk: _Walk) -> Fault:
    first = walk.lines[path]
    if len(path) == 2 and path[0] == "columns":
        message = f"column '{path[1]}' has two roles (first on line {first}); give it one"
    else:
        message = f"key '{path[-1]}' stands twice (first on line {first}); keep one"
    return Fault(message, ".".join(map(str, path[:-1])), walk.file, line)
