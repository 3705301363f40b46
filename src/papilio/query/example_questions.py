"""Questions that may fit a release, for people who ask one for the first time.

They name columns of the manifest and round numbers of the published tables, so they tell nothing
that the release does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import polars as pl

from papilio.engines.names import quoted
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = re.compile(
    "all|and|as|asc|between|by|case|desc|distinct|else|end|from|group|having|in|is|left|like|limit|"
    "not|null|on|or|order|right|select|table|then|to|union|user|using|when|where",
    re.IGNORECASE,
)


def table_questions(release: Release, *, first: bool = False) -> Iterator[str]:
    """Queries about a release of one table; ``first`` asks for columns of its first table alone."""
    table = release.manifest.tables[0]
    tables = release.manifest.tables[:1] if first else release.manifest.tables
    name, columns = _name(table.name), _columns(tables)
    where = next(iter(_conditions(release, table)), "")
    numbers = [c for c in columns if c.role == "sensitive" and c.type == "numeric"]
    labels = [c for c in columns if c.type in ("category", "boolean") and c.cells == "value"]
    for number in numbers[:1]:
        yield f"SELECT avg({_name(number.name)}), count(*) FROM {name}{where}"
        for label in labels[:1]:
            key = _name(label.name)
            yield (
                f"SELECT {key}, avg({_name(number.name)}), count(*) FROM {name} GROUP BY {key} "
                f"ORDER BY {key}"
            )
    yield f"SELECT count(*) FROM {name}{where}"
    for label in [c for c in labels if c.role == "sensitive"] or labels[:1]:
        key = _name(label.name)
        yield f"SELECT {key}, count(*) FROM {name}{where} GROUP BY {key} ORDER BY {key}"
    for column in columns:
        if column.type == "numeric":
            said = _name(column.name)
            yield f"SELECT min({said}), max({said}), avg({said}) FROM {name}"


def linked_questions(release: Release) -> Iterator[str]:
    """Queries about linked tables."""
    for table in release.manifest.tables:
        for column in table.columns:
            if column.role == "sensitive" and column.type == "numeric":
                yield f"SELECT avg({_name(column.name)}) FROM {_name(table.name)}"
    for table in release.manifest.tables:
        for parent, key in (table.parent or {}).items():
            child, above = _name(table.name), _name(parent)
            yield (
                f"SELECT count(*) FROM {above} JOIN {child} ON {child}.{_name(key)} = "
                f"{above}.{_name(key)}"
            )
        yield f"SELECT count(*) FROM {_name(table.name)}"


def graph_questions(release: Release) -> Iterator[str]:
    """Queries about a bipartite graph."""
    left, right, edges = release.manifest.tables[:3]
    (near,) = (c.name for c in left.columns if c.cells == "group")
    (far,) = (c.name for c in right.columns if c.cells == "group")
    one, other, between = _name(left.name), _name(right.name), _name(edges.name)
    where = next(iter(_conditions(release, left)), "")
    yield f"SELECT count(*) FROM {between}"
    yield f"SELECT avg(degree({one})), max(degree({one})) FROM {one}{where}"
    yield (
        f"SELECT count(*), count(DISTINCT {other}.{_name(far)}) FROM {one} "
        f"JOIN {between} ON {one}.{_name(near)} = {between}.{_name(near)} "
        f"JOIN {other} ON {between}.{_name(far)} = {other}.{_name(far)}{where}"
    )


def _columns(tables: Iterable[PublishedTable]) -> list[PublishedColumn]:
    """Columns of the source, once each, without what the release adds."""
    found = {c.name: c for t in tables for c in t.columns if c.cells not in _ADDED}
    return list(found.values())


#: Kinds of cells that no column of the source has.
_ADDED = ("group", "hits", "bounds")


def _conditions(release: Release, table: PublishedTable) -> Iterator[str]:
    """Conditions that about half of the rows meet, on numbers people may know."""
    frame = release.frames[table.name]
    for column in table.columns:
        if column.type == "numeric" and column.role in ("quasi", "plain"):
            series = _middles(frame, column)
            if series.dtype.is_numeric():
                yield f" WHERE {_name(column.name)} >= {_round(series)}"


def _middles(frame: pl.DataFrame, column: PublishedColumn) -> pl.Series:
    """Values, or the middles of ranges, so that some rows are in doubt."""
    series = frame.get_column(column.published[0])
    if column.cells != "range" or column.text:
        return series
    return (series + frame.get_column(column.published[1])) / 2


def _round(series: pl.Series) -> str:
    """The median, rounded to two digits."""
    middle = float(series.drop_nulls().median() or 0)  # type: ignore[arg-type]
    return f"{float(f'{middle:.2g}'):.10g}"


def _name(name: str) -> str:
    bare = _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name)
    return name if bare else quoted(name)
