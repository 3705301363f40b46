"""What the lines and keys of linked tables could follow, from the release alone.

Lines of each table stand in random order, and keys are numbers drawn by chance. So neither line nor
key goes with anything else, nor do lines and keys of one table go with those of another.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papilio.verify.line_chance import Ints
from papilio.verify.line_order import Sequence
from papilio.verify.lines import Lines, read_lines
from papilio.verify.opened import Opened


def linked_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences by line and by key, table by table, and lines by those of the table above."""
    for table in opened.manifest.tables:
        lines = read_lines(opened, table.name)
        yield from _by_line(lines)
        if table.key is not None:
            yield from _by_key(lines, table.key)
        if table.parent is not None:
            ((above, column),) = table.parent.items()
            yield from _by_parent(lines, column, read_lines(opened, above))


def _by_line(lines: Lines) -> Iterator[Sequence]:
    for column in lines.table.columns:
        about = f"'{column.name}' of '{lines.table.name}'"
        yield Sequence(about, lines.none, lines.place, lines.ranks(column.published[0]))


def _by_key(lines: Lines, key: str) -> Iterator[Sequence]:
    numbers = lines.ranks(key)
    for column in lines.table.columns:
        if column.role != "key":
            about = f"'{column.name}' by the keys of '{lines.table.name}'"
            yield Sequence(about, lines.none, numbers, lines.ranks(column.published[0]))


def _by_parent(lines: Lines, column: str, above: Lines) -> Iterator[Sequence]:
    """Lines by the lines above them, as far as those are among the first."""
    if above.table.key is None:
        return
    line = _line_of(above.frame.get_column(above.table.key).to_numpy().astype(np.int64))
    parent = lines.frame.get_column(column).to_numpy().astype(np.int64)
    place = line[np.minimum(parent, len(line) - 1)]
    known = np.flatnonzero(place >= 0)
    about = f"lines of '{above.table.name}' in '{lines.table.name}'"
    yield Sequence(about, lines.none[known], lines.place[known], place[known])


def _line_of(keys: Ints) -> Ints:
    """Line of each key; -1 for keys that are not there, the last number among them."""
    found = np.full(int(keys.max(initial=0)) + 2, -1, np.int64)
    found[keys] = np.arange(len(keys))
    return found
