"""Linked tables, read as they are or taken apart from one table, and their releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.frames import Kind, from_native
from papilio.data.io.read import Raw
from papilio.data.link import LinkedTable, Snowflake
from papilio.data.source import safe_name
from papilio.data.table import Role
from papilio.data.types import plain_text
from papilio.errors import DataError, InfeasibleError
from papilio.families.facts import types_of
from papilio.families.family import Original
from papilio.families.generalising.cells import Cells, cells_of
from papilio.families.generalising.followers import check_leaders, followed, leading
from papilio.families.linked.methods.forest import Forest, forest_of
from papilio.families.linked.methods.miracle import Stamped, cluster, diversify
from papilio.families.linked.policy import entities_of
from papilio.measure.linked_loss import rows_over
from papilio.policy.apply_divided import as_tables, divided_order
from papilio.policy.apply_tables import LinkedOrder, check_people, linked_order
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.privacy.entity_k import EntityDiversity, EntityK
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.read_table import as_it_was
from papilio.release.release import Release
from papilio.verify.linked_division import WHOSE
from papilio.verify.promise.promise import Facts, TableFacts
from papilio.verify.witness.held import ORIGINAL
from papilio.verify.witness.linked import ROW, UP

#: What a frame is called that nobody named.
_UNNAMED = "table"


def linked_order_of(data: Any, policy: Policy) -> tuple[LinkedOrder, Kind]:
    """Apply a policy to frames, by the names of its tables, or to its own sources."""
    if data is None:
        return linked_order(policy), Kind.POLARS
    if not isinstance(data, Mapping):
        raise DataError(
            "linked tables are given as a mapping from their names to frames",
            reason="unknown-frame",
        )
    frames = {str(name): from_native(frame) for name, frame in data.items()}
    kinds = [kind for _, kind in frames.values()] or [Kind.POLARS]
    return linked_order(policy, {name: frame for name, (frame, _) in frames.items()}), kinds[0]


def read_linked(data: Any, policy: Policy) -> Original:
    """Read linked tables as what a release is made of."""
    return _original(*linked_order_of(data, policy), policy)


def read_divided(data: Any, policy: Policy, name: str | None) -> Original:
    """Read one table, a frame or the policy's source, as the linked tables that it becomes.

    What is made of it has the policy about these tables.
    """
    if data is None:
        return _original(divided_order(policy), Kind.POLARS, policy)
    frame, kind = from_native(data)
    raw = Raw(safe_name(name or _UNNAMED), frame, typed=True)
    return _original(divided_order(policy, raw), kind, policy)


def _original(order: LinkedOrder, kind: Kind, policy: Policy) -> Original:
    snowflake = order.snowflake

    def under(other: Policy) -> Original:
        check_people(other, snowflake)
        return _original(order, kind, other)

    about = policy if order.flat is None else as_tables(policy, snowflake)
    people, frames = snowflake.person.height, partial(original_tables, order)
    return Original(about, order, snowflake, people, kind, partial(_facts, order), frames, under)


def _facts(order: LinkedOrder) -> Facts:
    return Facts(tuple(_table_facts(order)), divided=order.flat is not None)


def _table_facts(order: LinkedOrder) -> Iterator[TableFacts]:
    for table in order.snowflake.tables:
        parent = None if table.parent is None else {table.parent: str(table.foreign_key)}
        types = types_of(table.table.columns)
        yield TableFacts(table.name, types, table.height, table.key, parent)


def original_tables(order: LinkedOrder) -> dict[str, pl.DataFrame]:
    """Tables of the original for the verifier: rows numbered, with the row above, without keys.

    Beside tables that were one, that one, with whose row each row is.
    """
    tables = {
        each.name: each.table.frame.with_columns(
            pl.Series(ROW, np.arange(each.height)),
            *([pl.Series(UP, each.up)] if each.parent is not None else []),
        )
        for each in order.snowflake.tables
    }
    if order.flat is None:
        return tables
    frame, person = order.flat.table.frame, order.flat.person.alias(WHOSE)
    return {**tables, ORIGINAL: frame.with_columns(person, pl.Series(ROW, np.arange(len(person))))}


def cap(
    snowflake: Snowflake, at_most: Mapping[str, int], randomness: Randomness
) -> tuple[Snowflake, dict[str, NDArray[np.int64]]]:
    """Keep at most a given number of rows below each row; which ones is drawn at random.

    Chance depends on no value, so what is kept is a fair sample of each person's rows.

    Parameters
    ----------
    snowflake
        The tables.
    at_most
        Limits, by table.
    randomness
        Draws the rows that stay.

    Returns
    -------
    tuple
        The tables without the other rows and all that hung off them, and the rows of each table
        that stay.
    """
    if not at_most:
        return snowflake, {each.name: np.arange(each.height) for each in snowflake.tables}
    tables: list[LinkedTable] = []
    kept: list[NDArray[np.int64]] = []
    for place, each in enumerate(snowflake.tables):
        above = snowflake.above(place)
        if above < 0:
            tables.append(each)
            kept.append(np.arange(each.height))
            continue
        new_row = np.full(snowflake.tables[above].height, -1, np.int64)
        new_row[kept[above]] = np.arange(len(kept[above]))
        rows = np.flatnonzero(new_row[each.up] >= 0)
        if each.name in at_most:
            rows = _drawn(rows, each.up, at_most[each.name], randomness)
        kept.append(rows)
        frame = each.table.frame
        fewer = replace(each.table, frame=frame[rows] if frame.width else frame.head(len(rows)))
        tables.append(replace(each, table=fewer, up=new_row[each.up[rows]]))
    stay = {each.name: rows for each, rows in zip(snowflake.tables, kept, strict=True)}
    return Snowflake(tuple(tables)), stay


def _drawn(
    rows: NDArray[np.int64], up: NDArray[np.int64], limit: int, randomness: Randomness
) -> NDArray[np.int64]:
    order = np.lexsort((randomness.keys(len(rows)), up[rows]))
    parents = up[rows][order]
    starts = np.flatnonzero(np.diff(parents, prepend=-1))
    rank = np.arange(len(rows)) - np.repeat(starts, np.diff(starts, append=len(rows)))
    return np.sort(rows[order[rank < limit]])


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


def make_linked(
    order: LinkedOrder, policy: Policy, randomness: Randomness, kind: Kind, tell: Progress
) -> Made:
    """Cluster people, give each cluster one tree, and publish; the release is not verified yet."""
    tell("encoding", 0.2)
    whole = [each.table for each in order.snowflake.tables]
    for table in whole:
        check_leaders(policy, table)
    snowflake, kept = cap(_leading(order.snowflake), limits_of(policy), randomness)
    forest = forest_of(snowflake)
    local = policy.pairing == "local"
    tell("dividing", 0.3)
    clusters = cluster(
        forest, snowflake, policy.privacy.k or 1, skeleton=policy.skeleton, local=local
    )
    tell("generalising", 0.5)
    diverse = [each for each in entities_of(policy) if isinstance(each, EntityDiversity)]
    stamped = diversify(forest, snowflake, clusters, diverse, local=local)
    made = linked_release(
        snowflake,
        forest,
        stamped,
        entities_of(policy),
        method="miracle",
        text=policy.text_cells,
        randomness=randomness,
        kind=kind,
        suppress=policy.privacy.suppress or None,
    )
    made = followed(made, whole, text=policy.text_cells)
    _check_removed(order.snowflake, made.release, policy.privacy.suppress)
    # Rows beyond a limit were taken out before; the witness names the rows of the source.
    witness = {name: kept[name][rows] for name, rows in made.witness.items()}
    return Made(made.release, witness, linked_notes(order, made.release, policy))


def _leading(snowflake: Snowflake) -> Snowflake:
    """The tables without columns that follow others."""
    return Snowflake(tuple(replace(each, table=leading(each.table)) for each in snowflake.tables))


def limits_of(policy: Policy) -> dict[str, int]:
    """Limits of a policy on rows below one row, by table."""
    return {n: t.at_most for n, t in policy.tables.items() if t.at_most is not None}


def linked_notes(order: LinkedOrder, release: Release, policy: Policy) -> tuple[str, ...]:
    """How many rows of each table were removed, and how many for a limit, for the owner."""
    limits = limits_of(policy)
    notes = []
    for each in order.snowflake.tables[1:]:
        gone = each.height - release.manifest.table(each.name).rows
        share = gone / each.height
        over = rows_over(each, limits.get(each.name))
        more = f", {over:,} of them beyond at_most" if over else ""
        notes.append(f"{each.name}: {gone:,} of {each.height:,} rows removed ({share:.1%}){more}")
    return tuple(notes)


def _check_removed(original: Snowflake, release: Release, suppress: float) -> None:
    """Refuse to publish if more rows are gone than the policy allows."""
    if not suppress:
        return
    shares = {
        each.name: 1 - release.manifest.table(each.name).rows / each.height
        for each in original.tables
    }
    worst = max(shares, key=lambda name: shares[name])
    if shares[worst] > suppress:
        needed = -(-shares[worst] * 100 // 1)
        raise InfeasibleError(
            f"table '{worst}': {shares[worst]:.1%} of the rows would have to be removed, more than "
            "suppress allows",
            reason="too-many-removed",
            nearest=f"a suppress of {needed:.0f}% is met",
        )
