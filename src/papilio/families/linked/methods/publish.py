"""Linked tables and what gets the same label to a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.snowflake import LinkedTable, Snowflake
from papilio.data.types import plain_text
from papilio.families.linked.methods.forest import Forest
from papilio.families.linked.methods.miracle import Stamped
from papilio.families.one_table.methods.cells import Cells, cells_of
from papilio.policy.recipients import EVERYONE
from papilio.privacy.entity_k import EntityDiversity, EntityK
from papilio.randomness import Randomness
from papilio.release.as_it_was import as_it_was
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release

#: What the manifest says of a table of which any number of rows may be missing.
NO_LIMIT = 1.0

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Kept:
    """Rows of a table that are published.

    Attributes
    ----------
    rows, starts
        Rows, group after group, and where each group begins.
    order
        Published order: places in ``rows``.
    key
        New key of each row of the table; 0 for rows that are removed.
    """

    rows: Ints
    starts: Ints
    order: Ints
    key: Ints


def linked_release(
    snowflake: Snowflake,
    forest: Forest,
    stamped: Stamped,
    demands: Sequence[EntityK | EntityDiversity],
    *,
    method: str,
    text: bool,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
    suppress: float | None = None,
) -> Made:
    """Publish the rows that are left, each with the cells of its group.

    Rows of each table stand in random order, and keys are drawn at random, so neither says
    anything about the source or about which rows were removed. Sensitive and plain values stay
    with their row, and rows with the rows above them.

    Parameters
    ----------
    suppress
        Share of the rows of each table but the person table that may be missing, as the policy
        states it; ``None``: none is stated.
    """
    kept = [
        _keep(stamped.group[forest.row_base[i] : forest.row_base[i + 1]], randomness)
        for i in range(len(snowflake.tables))
    ]
    frames, tables, files = {}, [], {}
    for place, each in enumerate(snowflake.tables):
        above = None if place == 0 else kept[snowflake.above(place)]
        cells = _cells(each, forest.tables[place], kept[place], text)
        files.update({f: t for one in cells.values() for f, t in one.hierarchy_file.items()})
        frame, columns = _assemble(each, cells, kept[place], above)
        frames[each.name] = frame
        missing = 0.0 if place == 0 else NO_LIMIT if suppress is None else suppress
        parent = None if each.parent is None else {each.parent: str(each.foreign_key)}
        tables.append(
            PublishedTable(each.name, columns, frame.height, missing, key=each.key, parent=parent)
        )
    manifest = Manifest(
        kind="linked",
        method=method,
        claims=tuple(_claim(snowflake, demand) for demand in demands),
        tables=tuple(tables),
        seeded=randomness.seeded,
    )
    witness = {
        each.name: mine.rows[mine.order] for each, mine in zip(snowflake.tables, kept, strict=True)
    }
    return Made(Release(manifest, frames, files, kind), witness)


def _keep(group: Ints, randomness: Randomness) -> _Kept:
    order = np.argsort(group, kind="stable")
    rows = order[np.searchsorted(group[order], 0) :]
    starts = np.flatnonzero(np.diff(group[rows], prepend=-1))
    key = np.zeros(len(group), np.int64)
    key[rows] = randomness.permutation(len(rows)) + 1
    ends = np.concatenate([starts, [len(rows)]]).astype(np.int64)
    return _Kept(rows, ends, randomness.permutation(len(rows)), key)


def _cells(each: LinkedTable, encoded: EncodedTable, kept: _Kept, text: bool) -> dict[str, Cells]:
    rows, starts = kept.rows, kept.starts
    if not len(rows):
        # Without rows only the types of the cells are published.
        rows, starts = np.zeros(1, np.int64), np.array([0, 1], np.int64)
    grouped = encoded.codes[rows]
    return {
        column.column.name: _named(
            cells_of(column, grouped, index, starts, text=text, complete=False), each.name, index
        )
        for index, column in enumerate(encoded.columns)
    }


def _named(cells: Cells, table: str, index: int) -> Cells:
    """Give the file of paths a name of its own among all tables."""
    if not cells.hierarchy_file:
        return cells
    file = f"hierarchy_{table}_{index + 1}.csv"
    (text,) = cells.hierarchy_file.values()
    column = replace(cells.column, hierarchy={"paths": file})
    return replace(cells, column=column, hierarchy_file={file: text})


def _assemble(
    each: LinkedTable, cells: dict[str, Cells], kept: _Kept, above: _Kept | None
) -> tuple[pl.DataFrame, tuple[PublishedColumn, ...]]:
    sizes = np.diff(kept.starts)
    group = np.repeat(np.arange(len(sizes)), sizes)[kept.order]
    rows = kept.rows[kept.order]
    series: list[pl.Series] = []
    columns: list[PublishedColumn] = []
    if each.key is not None:
        columns.append(_key(each.key, "key"))
        series.append(pl.Series(each.key, kept.key[rows]))
    if above is not None and each.foreign_key is not None:
        columns.append(_key(each.foreign_key, "parent"))
        series.append(pl.Series(each.foreign_key, above.key[each.up[rows]]))
    for column in each.table.columns:
        if column.role is Role.QUASI:
            columns.append(cells[column.name].column)
            series += [one.gather(group) for one in cells[column.name].series]
        else:
            columns.append(as_it_was(column))
            series.append(plain_text(each.table.frame.get_column(column.name).gather(rows)))
    return pl.DataFrame(series), tuple(columns)


def _key(name: str, role: str) -> PublishedColumn:
    return PublishedColumn(name, role, "numeric", "value", (name,))


def _claim(snowflake: Snowflake, demand: EntityK | EntityDiversity) -> Claim:
    known = tuple(
        f"{each.name}.{column.name}"
        for each in snowflake.tables
        for column in each.table.with_role(Role.QUASI)
    )
    table = demand.table if isinstance(demand, EntityDiversity) else snowflake.person.name
    return Claim(demand.name, table, EVERYONE, known, demand.parameters())
