"""Small linked tables for tests: random ones, and those of the paper."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.data.hierarchy.rules import PathsRule
from papilio.data.link import Part, link
from papilio.data.table import Column, ColumnType, Role, Table

TREE_PATHS = ["a,ab,*", "b,ab,*", "c,cde,*", "d,de,cde,*", "e,de,cde,*", "f,*"]


def paths_file(folder, name, lines):
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def random_snowflake(generator, folder, *, people=4, most=3, shape=((0, 1), (1, 2), (0, 3))):
    """A person table (numbers), then tables hanging off others by ``shape``."""
    file = folder / "letters.csv"
    if not file.exists():
        paths_file(folder, "letters.csv", TREE_PATHS)
    heights = {0: people}
    parts = [_part(generator, 0, people, None, 0, file)]
    for above, place in shape:
        counts = generator.integers(0, most + 1, heights[above])
        heights[place] = int(counts.sum())
        if heights[place] == 0:
            counts[0] = heights[place] = 1
        up = np.repeat(np.arange(heights[above]), counts)
        parts.append(_part(generator, place, heights[place], up, above, file))
    return link(parts)


def _part(generator, place, height, up, above, file):
    columns, series = [], []
    kinds = [("n", ColumnType.NUMERIC, None), ("s", ColumnType.CATEGORY, None)]
    kinds.append(("t", ColumnType.CATEGORY, PathsRule(file)))
    for letter, kind, rule in kinds[place % 3 :] or kinds:
        values = (
            generator.integers(0, 5, height)
            if kind is ColumnType.NUMERIC
            else [("abcdef")[i] for i in generator.integers(0, 6, height)]
        )
        columns.append(Column(f"{letter}{place}", Role.QUASI, kind, rule))
        series.append(pl.Series(f"{letter}{place}", values))
    secret = Column(f"x{place}", Role.SENSITIVE, ColumnType.NUMERIC)
    columns.append(secret)
    series.append(pl.Series(secret.name, generator.integers(0, 4, height)))
    table = Table(f"t{place}", pl.DataFrame(series), tuple(columns))
    keys = pl.Series("id", np.arange(height))
    if up is None:
        return Part(table, "id", keys)
    return Part(table, "id", keys, f"t{above}", "up", pl.Series("up", up))


def quasi(snowflake, place):
    return [c.name for c in snowflake.tables[place].table.columns if c.role is Role.QUASI]


def tree(snowflake, place, row):
    """The tree below a row: (table, label, children)."""
    frame = snowflake.tables[place].table.frame
    label = tuple(frame.get_column(name)[int(row)] for name in quasi(snowflake, place))
    children = [
        tree(snowflake, below, child)
        for below, table in enumerate(snowflake.tables)
        if below and snowflake.above(below) == place
        for child in np.flatnonzero(table.up == row)
    ]
    return place, label, children


def published_trees(release, columns=None):
    """Trees of a release: labels are the published cells of quasi-identifiers."""
    tables = {table.name: table for table in release.manifest.tables}
    person = next(name for name, table in tables.items() if table.parent is None)
    return [_published(release, tables, person, row) for row in _rows(release, person)]


def _rows(release, name):
    return release.frames[name].to_dicts()


def _published(release, tables, name, row):
    cells = [n for c in tables[name].columns if c.role == "quasi" for n in c.published]
    children = []
    for below, table in tables.items():
        if table.parent is not None and name in table.parent:
            up = table.parent[name]
            children += [
                _published(release, tables, below, child)
                for child in _rows(release, below)
                if child[up] == row[tables[name].key]
            ]
    return name, tuple(row[cell] for cell in cells), children


PATHS = {line.split(",")[0]: line.split(",") for line in TREE_PATHS}


def losses(snowflake):
    """The loss of two labels, from the definition and the values that occur."""
    frames = [each.table.frame for each in snowflake.tables]

    def loss(table, one, other):
        total = 0.0
        for name, x, y in zip(quasi(snowflake, table), one, other, strict=True):
            column = frames[table].get_column(name)
            if name[0] == "n":
                total += abs(x - y) / ((column.max() - column.min()) or 1)
            elif name[0] == "s":
                total += (x != y) / max(column.n_unique() - 1, 1)
            elif x != y:
                above = next(label for label in PATHS[x] if label in PATHS[y])
                total += (sum(above in path for path in PATHS.values()) - 1) / (len(PATHS) - 1)
        return total

    return loss
