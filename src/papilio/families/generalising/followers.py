"""Columns that follow a quasi-identifier, published as the image of its cells.

A town says its county. If the county of each row were published, whoever knows which town lies
where would look at the rows of one county only; if the counties of a class were, they would see
which of the towns in its cell are there. So a method never sees a column that follows another. When
a release is made, each cell of the follower is what the published cell of its leader may have in
the whole original, rows that were left out included, and so a function of what is published anyway
and of what everybody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import encode_column
from papilio.data.table import Column, Table
from papilio.errors import Fault, PolicyError
from papilio.families.generalising.cells import Cells, cells_of
from papilio.kernels.codes import Codes
from papilio.measure.possible_values import Runs, cell_runs
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.release.made import Made
from papilio.release.manifest import Claim, PublishedColumn, PublishedTable

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

#: What is claimed of a column that follows another.
FOLLOWS = "follows"


def leading(table: Table) -> Table:
    """The table as methods see it: without columns that follow others."""
    columns = tuple(column for column in table.columns if column.follows is None)
    if len(columns) == len(table.columns):
        return table
    return replace(table, columns=columns, frame=table.frame.select(c.name for c in columns))


def leading_policy(policy: Policy) -> Policy:
    """The policy as methods see it: nobody is told of columns that follow others."""
    followers = {name for name, said in policy.columns.items() if said.follows is not None}
    if not followers or not policy.recipients:
        return policy
    known = {
        name: policy.recipients[name].model_copy(
            update={"knows": tuple(c for c in columns if c not in followers), "file": None}
        )
        for name, columns in policy.known.items()
    }
    return policy.model_copy(update={"recipients": known})


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:
    """What a column follows is learnt from the whole table, which engines that plan do not hold."""
    del engine
    for name, said in policy.columns.items():
        if said.follows is not None:
            message = (
                f"what a column follows is learnt from the whole table; {instead}, or give the "
                f"rule as depends: [[{said.follows}], {name}]"
            )
            yield policy.fault(message, "columns", name, FOLLOWS)


def check_leaders(policy: Policy, table: Table) -> None:
    """Refuse a column whose leader is in another of the tables that one table became.

    Raises
    ------
    PolicyError
        Names the column.
    """
    names = {column.name for column in table.columns}
    faults = [
        policy.fault(
            f"within some person it varies and '{column.follows}' does not, or the other way "
            "round, so that they are in two tables; make it quasi",
            "columns",
            column.name,
            FOLLOWS,
        )
        for column in table.columns
        if column.follows is not None and column.follows not in names
    ]
    if faults:
        raise PolicyError(faults)


def followed(made: Made, tables: Sequence[Table], *, text: bool) -> Made:
    """Put the columns that follow others into a release that was made without them.

    Parameters
    ----------
    made
        The release.
    tables
        The tables of the original, whole.
    text
        Whether cells are written as readable text.

    Notes
    -----
    Cost: for each distinct cell of a leader the pairs of values that go together within it.
    """
    for table in tables:
        for column in table.columns:
            if column.follows is not None:
                made = _with(made, table, column, text=text)
    return made


def _with(made: Made, table: Table, column: Column, *, text: bool) -> Made:
    release, manifest = made.release, made.release.manifest
    described = manifest.table(table.name)
    leader = next(each for each in described.columns if each.name == column.follows)
    frame = release.frames[table.name]
    distinct = frame.select(leader.published).unique(maintain_order=True)
    cells = _named(images(table, column, leader, distinct, text=text), table, column)
    named = distinct.with_columns(cells.series)
    joined = frame.join(
        named, on=list(leader.published), how="left", nulls_equal=True, maintain_order="left"
    )
    order = [each.name for each in table.columns]
    columns = (*described.columns, cells.column)
    keys = tuple(each for each in columns if each.name not in order)
    rest = sorted((c for c in columns if c.name in order), key=lambda c: order.index(c.name))
    whole = replace(described, columns=(*keys, *rest))
    names = [name for each in whole.columns for name in each.published]
    tables = tuple(whole if each.name == table.name else each for each in manifest.tables)
    claims = tuple(_claims(manifest.claims, whole, column))
    told = replace(
        release,
        manifest=replace(manifest, tables=tables, claims=claims),
        frames={**release.frames, table.name: joined.select(names)},
        hierarchies={**release.hierarchies, **cells.hierarchy_file},
    )
    return replace(made, release=told)


def images(
    table: Table, column: Column, leader: PublishedColumn, cells: pl.DataFrame, *, text: bool
) -> Cells:
    """The smallest cells that cover all that goes with the values of each cell of a leader.

    Parameters
    ----------
    table
        The original.
    column
        The column that follows.
    leader, cells
        Its leader as the release describes it, and a frame with cells of it, one a line.
    text
        Whether they are written as readable text.
    """
    source = next(each for each in table.columns if each.name == leader.name)
    meaning, codes = encode_column(table.frame.get_column(leader.name), source)
    follower, image = encode_column(table.frame.get_column(column.name), column)
    held = _held(cell_runs(meaning, leader, cells), codes, image)
    starts = np.cumsum([0, *map(len, held)]).astype(np.int64)
    grouped: Codes = np.concatenate(held).astype(np.int32)[:, None]
    return cells_of(follower, grouped, 0, starts, text=text)


def _held(runs: Runs, codes: Codes, image: Codes) -> list[NDArray[np.int64]]:
    """What goes with the codes of each cell, ascending."""
    pairs = np.unique(np.stack([codes.astype(np.int64), image.astype(np.int64)], 1), axis=0)
    low = np.searchsorted(pairs[:, 0], runs.low, "left")
    high = np.searchsorted(pairs[:, 0], runs.high, "right")
    parts = [pairs[begin:end, 1] for begin, end in zip(low, high, strict=True)]
    return [
        np.unique(np.concatenate(parts[begin:end]))
        for begin, end in zip(runs.first[:-1], runs.first[1:], strict=True)
    ]


def _named(cells: Cells, table: Table, column: Column) -> Cells:
    """Give the file of paths a name that no other column has."""
    if not cells.hierarchy_file:
        return cells
    place = [each.name for each in table.columns].index(column.name)
    file = f"hierarchy_{table.name}_following_{place + 1}.csv"
    (content,) = cells.hierarchy_file.values()
    described = replace(cells.column, hierarchy={"paths": file})
    return replace(cells, column=described, hierarchy_file={file: content})


def _claims(claims: Sequence[Claim], table: PublishedTable, column: Column) -> Iterator[Claim]:
    """Whoever knows the leader is taken to know the follower; and that it follows."""
    leader = str(column.follows)
    readers = dict[str, None]()
    for claim in claims:
        far = f"{table.name}.{leader}" in claim.columns
        own = claim.table == table.name and leader in claim.columns
        if claim.claim == FOLLOWS or not (far or own):
            yield claim
            continue
        more = f"{table.name}.{column.name}" if far else column.name
        if claim.recipient != ALL_RECIPIENTS:
            readers[claim.recipient] = None
        yield replace(claim, columns=(*claim.columns, more))
    said = {"column": column.name, "leader": leader}
    for reader in readers:
        yield Claim(FOLLOWS, table.name, reader, (leader, column.name), said)
