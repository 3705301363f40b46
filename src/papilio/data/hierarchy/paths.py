"""Hierarchies from a file of paths, the format the ARX tool also uses."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from io import StringIO
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, NoReturn

import polars as pl

from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.data.types import normalise_nulls
from papilio.errors import DataError


def paths_text(tree: Hierarchy, ranks: Iterable[int] | None = None) -> str:
    """Write one line per leaf: its value, then the labels above it up to the root.

    The NULL leaf has no line: in a release NULL stands for itself.

    Parameters
    ----------
    tree
        The hierarchy.
    ranks
        The leaves to write, ascending; left out, all.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for rank in range(len(tree.leaves)) if ranks is None else ranks:
        leaf = tree.leaf_node[rank]
        path, node = [], int(leaf)
        while node >= 0:
            path.append(tree.labels[node])
            node = int(tree.parent[node])
        if path[0] is not None:
            writer.writerow(path)
    return text.getvalue()


def comparable(series: pl.Series) -> pl.Series:
    """Bring a column into one of the few types hierarchies know.

    Moments become their dates, categories text (an ordered enumeration stays one), NaN NULL.

    Returns
    -------
    polars.Series
        Text, an enumeration, booleans, whole, decimal or floating numbers, or dates.

    Raises
    ------
    DataError
        If the column has another type, or holds an infinite number.
    """
    dtype = series.dtype
    if isinstance(dtype, pl.Datetime):
        return series.dt.date()
    if isinstance(dtype, pl.Categorical) or dtype == pl.Null:
        return series.cast(pl.String)
    if dtype.is_numeric():
        return normalise_nulls(series)
    if dtype in (pl.String, pl.Boolean, pl.Date) or isinstance(dtype, pl.Enum):
        return series
    raise DataError(
        f"column '{series.name}': a hierarchy needs text, numbers, dates or booleans, "
        f"not {dtype.base_type()}",
        reason="no-hierarchy-for-type",
    )


def canonical_text(series: pl.Series) -> pl.Series:
    """Write each value in the one way by which leaves are matched.

    Whole numbers as ``17``, booleans as ``true`` and ``false``, dates as ``2020-03-01``, floating
    numbers as ``17.0`` (the shortest text that reads back as the same number), decimal numbers
    without zeros at their end. Zero has no sign. NULL stays NULL. Moments, which only the flat
    hierarchy knows, are written as ``2020-03-01 08:30:00``, in UTC and with a ``Z`` if they have a
    time zone.

    Parameters
    ----------
    series
        A column as :func:`comparable` returns it, or moments.
    """
    if isinstance(series.dtype, pl.Datetime):
        return _moment_text(series, series.dtype.time_zone)
    text = series.cast(pl.String)
    if series.dtype.is_float():
        return text.replace({"-0.0": "0.0"})
    if series.dtype.is_decimal():
        return text.str.replace(r"(\.\d*?)0+$", "$1").str.strip_chars_end(".")
    return text


def _moment_text(moments: pl.Series, zone: str | None) -> pl.Series:
    if zone is None:
        return moments.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
    return moments.dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%d %H:%M:%S%.fZ")


SEPARATORS = (";", ",")


class _Line(NamedTuple):
    """One path of the file and the line it starts on."""

    number: int
    cells: tuple[str, ...]


def read_paths(file: Path) -> Hierarchy:
    """Read a hierarchy from a file with one path a line, leaf first, root last.

    Cells are separated by commas or semicolons, whichever makes the more regular table, and may be
    quoted. The file is UTF-8, with or without a byte order mark. Blank lines do not count, nor do
    blanks after a separator or around the label of a group; a value with blanks in front is quoted.

    If the paths end in different labels, or a line has no other cell than its value, a root ``*``
    is added. A label repeated in a row (``X;X;*``) is one node that stands for itself on two
    levels. A path shorter than the longest keeps its highest node below the root until the top
    level. A line may be repeated.

    Parameters
    ----------
    file
        The file; relative names count from the working directory.

    Raises
    ------
    DataError
        If the file cannot be read, holds no path, is not UTF-8, has bad quotes or an empty cell,
        gives a value two paths or a label two meanings, or a group contains itself. The message
        names file and line and holds no value.

    Notes
    -----
    Cost: the size of the file.
    """
    lines = _rooted(_lines(file, _text(file)))
    paths: dict[str, _Line] = {}
    for line in lines:
        _check_line(file, line)
        known = paths.setdefault(line.cells[0], line)
        if _collapse(known.cells) != _collapse(line.cells):
            _refuse(
                file,
                line.number,
                f"this value has another path on line {known.number}; one path for each value is "
                "accepted",
                reason="value-twice",
            )
    _check_labels(file, paths.values())
    return from_leaf_paths([line.cells for line in paths.values()], {"paths": True})


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise DataError(f"hierarchy file {file} does not exist", reason="missing-file") from None
    except OSError as error:
        raise DataError(
            f"hierarchy file {file} cannot be read: {error.strerror}", reason="unreadable-file"
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{file}:{line}: this is not UTF-8 text; UTF-8 is accepted", reason="not-utf8"
        ) from None


def _lines(file: Path, text: str) -> list[_Line]:
    """Paths of the file under the separator that makes the more regular table."""
    tables: list[tuple[tuple[int, bool, bool, int], list[_Line]]] = []
    broken: list[int] = []
    for separator in SEPARATORS:
        parsed = _parse(text, separator)
        if isinstance(parsed, int):
            broken.append(parsed)
        else:
            tables.append((_regularity(parsed, separator, text), parsed))
    lines = max(tables, key=itemgetter(0))[1] if tables else []
    # With the wrong separator a file with bad quotes may still parse, as one cell a line.
    if broken and all(len(line.cells) == 1 for line in lines):
        _refuse(file, broken[0], "quotes do not match", reason="bad-quotes")
    if not lines:
        raise DataError(
            f"hierarchy file {file} is empty; one path a line, leaf first, is accepted",
            reason="empty-file",
        )
    return lines


def _parse(text: str, separator: str) -> list[_Line] | int:
    """Paths under a separator, or the line on which quotes do not match."""
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
    )
    lines: list[_Line] = []
    start = 1
    try:
        for row in reader:
            cells = (*row[:1], *(cell.strip() for cell in row[1:]))
            if len(cells) > 1 or "".join(cells).strip():
                lines.append(_Line(start, cells))
            start = reader.line_num + 1
    except csv.Error:
        return start
    return lines


def _regularity(lines: Sequence[_Line], separator: str, text: str) -> tuple[int, bool, bool, int]:
    """Score of a separator: lines it cuts, then equal lengths, one root, being met first."""
    cut = sum(len(line.cells) > 1 for line in lines)
    lengths = {len(line.cells) for line in lines}
    roots = {line.cells[-1] for line in lines}
    met = text.find(separator)
    return cut, len(lengths) == 1, len(roots) == 1, -met if met >= 0 else -len(text)


def _rooted(lines: Sequence[_Line]) -> list[_Line]:
    """Paths that all end in one root, which no path consists of alone."""
    roots = {line.cells[-1] for line in lines}
    if len(roots) == 1 and all(len(_collapse(line.cells)) > 1 for line in lines):
        return list(lines)
    return [
        line if line.cells[-1] == ROOT and len(line.cells) > 1 else _add_root(line)
        for line in lines
    ]


def _add_root(line: _Line) -> _Line:
    return line._replace(cells=(*line.cells, ROOT))


def _collapse(cells: Iterable[str]) -> tuple[str, ...]:
    """Drop the repetitions of labels repeated in a row."""
    return tuple(label for label, _ in groupby(cells))


def _check_line(file: Path, line: _Line) -> None:
    """Check that a path has no empty cell and does not come back to where it was."""
    if "" in line.cells:
        _refuse(
            file,
            line.number,
            f"cell {line.cells.index('') + 1} is empty; a shorter path simply has fewer cells",
            reason="empty-cell",
        )
    path = _collapse(line.cells)
    if len(set(path)) < len(path):
        _refuse_loop(file, line.number)


def _check_labels(file: Path, lines: Collection[_Line]) -> None:
    """Check that each label, of a value or a group, stands for one node."""
    parents: dict[str, tuple[str, int]] = {}
    for number, cells in lines:
        for label, above in pairwise(_collapse(cells)):
            known, first_number = parents.setdefault(label, (above, number))
            if known == above:
                continue
            if _leads_to(above, label, parents):
                _refuse_loop(file, number)
            _refuse_label(file, number, cells.index(label), first_number)
    groups = {
        label: number for number, cells in lines for label in (*_collapse(cells)[1:], cells[-1])
    }
    for number, cells in lines:
        if cells[0] in groups:
            _refuse_label(file, number, 0, groups[cells[0]])


def _leads_to(start: str, end: str, parents: Mapping[str, tuple[str, int]]) -> bool:
    """Whether going up from one label comes to another."""
    seen: set[str] = set()
    while start in parents and start != end and start not in seen:
        seen.add(start)
        start = parents[start][0]
    return start == end


def _refuse(file: Path, line: int, message: str, *, reason: str) -> NoReturn:
    raise DataError(f"{file}:{line}: {message}", reason=reason)


def _refuse_loop(file: Path, line: int) -> NoReturn:
    _refuse(
        file,
        line,
        "a group contains itself; each label once on the way from a value to the root is accepted",
        reason="group-in-itself",
    )


def _refuse_label(file: Path, line: int, cell: int, other_line: int) -> NoReturn:
    _refuse(
        file,
        line,
        f"the label in cell {cell + 1} means another group on line {other_line}; a label of its "
        "own for each value and each group is accepted",
        reason="ambiguous-label",
    )
