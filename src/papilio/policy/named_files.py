"""Which files a policy names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from papilio.data.io.sql import file_names
from papilio.errors import DataError

Use = Literal["data", "hierarchy", "target", "list"]


@dataclass(frozen=True)
class NamedFile:
    """A file or folder as a policy names it.

    Attributes
    ----------
    name
        The text in the policy, with ``/`` between folders.
    use
        What it is for: rows, a hierarchy, a target distribution, or a list that a recipient has.
    """

    name: str
    use: Use

    @property
    def relative(self) -> bool:
        """Whether it lies beside the policy or in a folder there."""
        path = Path(self.name)
        return not path.is_absolute() and ".." not in path.parts


def named_files(tree: Mapping[str, Any]) -> tuple[NamedFile, ...]:
    """All files a policy names, each once, in the order of the text.

    Parameters
    ----------
    tree
        The policy as plain data; it may have faults.
    """
    return tuple(dict.fromkeys(_below(tree, "")))


def _below(value: Any, key: str) -> Iterator[NamedFile]:
    if key in ("source", "database"):
        yield from _source(value)
    elif key == "hierarchy":
        yield from _file(value, "hierarchy", not_files=("automatic",))
    elif key == "knows" and isinstance(value, str):
        yield NamedFile(value, "list")
    elif key == "file" and isinstance(value, str):
        yield NamedFile(value, "target")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            # A column may be called source; what a column is stands below it.
            yield from _below(inner, "" if key in ("columns", "tables") else name)


def _source(value: Any) -> Iterator[NamedFile]:
    if isinstance(value, Mapping) and isinstance(value.get("sql"), str):
        try:
            yield from (NamedFile(name, "data") for name in file_names(value["sql"]))
        except DataError:
            return
    yield from _file(value, "data")


def _file(value: Any, use: Use, not_files: tuple[str, ...] = ()) -> Iterator[NamedFile]:
    name = value.get("file") if isinstance(value, Mapping) else value
    if isinstance(name, str) and "://" not in name and name not in not_files:
        yield NamedFile(name, use)
