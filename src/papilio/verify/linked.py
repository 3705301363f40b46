"""The verdict on linked tables: keys, cells, people that cannot be told apart, and the original.

Definition 4 of Nergiz, Clifton, Nergiz (ICDE 2007), with entity trees in place of the join, which
would drop rows that nothing refers to.

Which people have the same tree, and which rows stand at the same place of it, in SQL.

Bottom-up, rows of a table get the same number (``tree``) exactly if their cells are the same and,
for each table below, the sorted lists of the numbers of the rows that refer to them. Rows that
nothing refers to have no list. Top-down, rows stand at the same ``place`` if their trees are the
same and the rows they refer to stand at the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify import sql
from papilio.verify.cells import check_cells
from papilio.verify.follows import FOLLOWS, check_follows
from papilio.verify.l_diversity import (
    check_distinct_diversity,
    check_entropy_diversity,
    check_recursive_diversity,
)
from papilio.verify.linked_links import check_keys, check_shape, ordered
from papilio.verify.linked_truth import check_entities, check_paths, column_faults
from papilio.verify.opened import WORK, Opened, open_frames
from papilio.verify.verdict import Finding, Status, finding

#: Number of a row; a blank in it keeps it apart from published columns.
_ID = '"papilio id"'


def number_trees(opened: Opened) -> dict[str, str]:
    """Number trees and places of all rows.

    Returns, by table, a table in the work schema with a line per row: ``id``, ``key`` and ``up``
    (NULL where there is none), ``tree`` and ``place``. Its ``id`` is the number of the row in the
    order in which DuckDB reads the table.
    """
    tables = ordered(opened)
    names = {table.name: f"{WORK}.linked{place}" for place, table in enumerate(tables)}
    for table in reversed(tables):
        _number(opened, table, tables, names)
    for table in tables:
        above = None if table.parent is None else names[next(iter(table.parent))]
        _place(opened, names[table.name], above)
    return names


def quasi_cells(table: PublishedTable) -> list[str]:
    """Published columns that carry the quasi-identifiers of a table."""
    return [cell for c in table.columns if c.role == "quasi" for cell in c.published]


def _number(
    opened: Opened, table: PublishedTable, tables: list[PublishedTable], names: dict[str, str]
) -> None:
    below = [t for t in tables if t.parent is not None and table.name in t.parent]
    key = "NULL" if table.key is None else f"r.{sql.name(table.key)}"
    up = "NULL" if table.parent is None else f"r.{sql.name(next(iter(table.parent.values())))}"
    joins = " ".join(
        f"LEFT JOIN (SELECT up, list(tree ORDER BY tree) AS trees FROM {names[t.name]} "
        f"GROUP BY up) AS b{i} ON b{i}.up = {key}"
        for i, t in enumerate(below)
    )
    parts = [f"r.{sql.name(cell)}" for cell in quasi_cells(table)]
    parts += [f"b{i}.trees" for i in range(len(below))]
    listed = ", ".join(f"{part} AS part{i}" for i, part in enumerate(parts))
    kept = ", ".join(f"part{i}" for i in range(len(parts)))
    opened.execute(
        "CREATE OR REPLACE TEMP TABLE papilio_parts AS "
        f"SELECT r.{_ID} AS id, {key} AS key, {up} AS up"
        f"{', ' if parts else ''}{listed} FROM (SELECT row_number() OVER () AS {_ID}, * "
        f"FROM {sql.name(table.name)}) AS r {joins}"
    )
    if not parts:
        source = "SELECT id, key, up, 1 AS tree FROM papilio_parts"
    else:
        same = " AND ".join(f"p.part{i} IS NOT DISTINCT FROM f.part{i}" for i in range(len(parts)))
        source = (
            "SELECT p.id, p.key, p.up, f.tree FROM papilio_parts AS p JOIN ("
            f"SELECT row_number() OVER () AS tree, {kept} FROM "
            f"(SELECT DISTINCT {kept} FROM papilio_parts)) AS f ON {same}"
        )
    opened.execute(f"CREATE OR REPLACE TABLE {names[table.name]} AS {source}")
    opened.execute("DROP TABLE papilio_parts")


def _place(opened: Opened, name: str, above: str | None) -> None:
    if above is None:
        opened.execute(f"ALTER TABLE {name} ADD COLUMN place BIGINT")
        opened.execute(f"UPDATE {name} SET place = tree")
        return
    opened.execute(
        f"CREATE OR REPLACE TABLE {name} AS SELECT t.*, "
        f"dense_rank() OVER (ORDER BY p.place, t.tree) AS place "
        f"FROM {name} AS t LEFT JOIN {above} AS p ON t.up = p.key"
    )


def people_per_class(release: Release) -> NDArray[np.int64]:
    """Number of people of each class, as the verifier counts them."""
    frames: dict[str, Any] = {
        name: frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).to_arrow()
        for name, frame in release.frames.items()
    }
    with open_frames(release.manifest, frames, release.hierarchies) as opened:
        name = number_trees(opened)[ordered(opened)[0].name]
        (sizes,) = opened.arrays(f"SELECT count(*) AS n FROM {name} GROUP BY tree")
    return np.asarray(sizes, np.int64)


#: Number of a row; a blank in it keeps it apart from published columns.
_ID = '"papilio id"'
_ENTITY_K = "entity-k-anonymity"
_DIVERSITY: Mapping[str, Callable[[Opened, Claim], Finding]] = {
    "entity-distinct-l-diversity": check_distinct_diversity,
    "entity-entropy-l-diversity": check_entropy_diversity,
    "entity-recursive-l-diversity": check_recursive_diversity,
}


def judge_linked(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge the content of linked tables.

    Parameters
    ----------
    opened
        The release.
    original
        Beginning of the names of views with the original tables; a blank and the table's name
        follow. Each has the columns the policy publishes, ``papilio_row`` and, but for people,
        ``papilio_up``: the row of the table above.
    """
    shape = check_shape(opened)
    yield shape
    if shape.status is not Status.HOLDS:
        yield from map(_not_checked, opened.manifest.claims)
        return
    keys = list(check_keys(opened))
    yield from keys
    rows = [_check_rows(opened, table) for table in opened.manifest.tables]
    yield from rows
    for table in opened.manifest.tables:
        yield from check_cells(opened, table)
    yield _check_claimed(opened)
    if any(each.status is not Status.HOLDS for each in [*keys, *rows]):
        # Without keys, references and rows that are counted right there are no trees.
        yield from map(_not_checked, opened.manifest.claims)
        return
    names = number_trees(opened)
    for claim in opened.manifest.claims:
        yield _check(opened, claim, names)
    if original is not None:
        yield from check_paths(opened, original)
        alike = not column_faults(opened, list(opened.manifest.tables), original)
        if alike and all(each.status is Status.HOLDS for each in rows):
            yield from check_entities(opened, original)


def _not_checked(claim: Claim) -> Finding:
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )


def _check_rows(opened: Opened, table: PublishedTable) -> Finding:
    """Check the number of rows, and that nobody is said to be missing."""
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    claim, demanded = f"rows of {table.name}", str(table.rows)
    most = 0 if table.parent is None else 1
    if not 0 <= table.left_out_at_most <= most:
        return finding(claim, demanded, f"the share left out is not from 0 to {most}", holds=False)
    return finding(claim, demanded, str(count), count == table.rows)


def _check_claimed(opened: Opened) -> Finding:
    """Check that one claim about people covers every quasi-identifier of every table."""
    quasi = {
        f"{table.name}.{column.name}"
        for table in opened.manifest.tables
        for column in table.columns
        if column.role == "quasi"
    }
    person = ordered(opened)[0].name
    covering = [
        claim
        for claim in opened.manifest.claims
        if claim.claim == _ENTITY_K and claim.table == person and quasi <= set(claim.columns)
    ]
    hidden = [
        f"'{table.name}.{column.name}' is generalised but not a quasi-identifier"
        for table in opened.manifest.tables
        for column in table.columns
        if column.role != "quasi" and column.cells != "value"
    ]
    faults = hidden + ([] if covering else ["no claim about all of them"])
    faults += [] if quasi else ["no quasi-identifier"]
    demanded = "every quasi-identifier of every table is part of one claim about people"
    return finding("claims", demanded, "; ".join(faults) or "all claimed for", not faults)


def _check(opened: Opened, claim: Claim, names: dict[str, str]) -> Finding:
    if claim.table not in names:
        about = f"about '{claim.table}', which is not described"
        return finding(claim.claim, "a described table", about, False, recipient=claim.recipient)
    if claim.claim == _ENTITY_K:
        return _check_entity_k(opened, claim, names)
    if claim.claim == FOLLOWS:
        return check_follows(opened, claim)
    check = _DIVERSITY.get(claim.claim)
    return _not_checked(claim) if check is None else _check_places(opened, claim, names, check)


def _check_entity_k(opened: Opened, claim: Claim, names: dict[str, str]) -> Finding:
    """Check that every tree of a person is that of k people, and every place has k rows."""
    k = claim.parameters.get("k")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        return finding(
            claim.claim, "k >= 1", "the claim has no k", False, recipient=claim.recipient
        )
    least, classes, short, people = opened.row(
        f"SELECT min(n), count(*), count(*) FILTER (n < {k}), "
        f"coalesce(sum(n) FILTER (n < {k}), 0) FROM "
        f"(SELECT count(*) AS n FROM {names[claim.table]} GROUP BY tree)"
    )
    rows = [
        opened.row(f"SELECT min(n) FROM (SELECT count(*) AS n FROM {name} GROUP BY place)")[0]
        for name in names.values()
    ]
    fewest = min(count for count in [*rows, least or 0] if count is not None)
    measured = f"k = {least or 0} people over {classes} classes, {fewest} rows at every place"
    if short:
        measured += f"; {people} people in {short} classes fall short"
    holds = least is not None and least >= k and fewest >= k
    return finding(claim.claim, f"k >= {k}", measured, holds, recipient=claim.recipient)


def _check_places(
    opened: Opened,
    claim: Claim,
    names: dict[str, str],
    check: Callable[[Opened, Claim], Finding],
) -> Finding:
    """Check l-diversity with the rows at one place as a class."""
    table = opened.manifest.table(claim.table)
    view = f"papilio places of {table.name}"
    opened.execute(
        f"CREATE OR REPLACE TEMP VIEW {sql.name(view)} AS SELECT r.*, t.place AS papilio_place "
        f"FROM (SELECT row_number() OVER () AS {_ID}, * FROM {sql.name(table.name)}) AS r "
        f"JOIN {names[table.name]} AS t ON r.{_ID} = t.id"
    )
    place = PublishedColumn("place", "quasi", "numeric", "value", ("papilio_place",))
    sensitive = tuple(column for column in table.columns if column.role == "sensitive")
    described = PublishedTable(view, (place, *sensitive), table.rows)
    about = replace(claim, table=view, columns=("place",))
    manifest = Manifest("linked", "none", (about,), (described,))
    found = check(opened.described_by(manifest), about)
    return replace(found, claim=claim.claim)
