"""Rows divided attribute by attribute to a release, and what it promises to each recipient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.frames import Kind
from papilio.data.table import Described, Table
from papilio.families.classes import Classes, shuffle
from papilio.families.generalising.cells import Cells, cells_of
from papilio.families.generalising.publish import PlacedCells, assembled_release
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import coalitions, requirements_of
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, over_people, settled
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim

#: Keys are renumbered before they could leave 64 bits.
_LARGEST = 1 << 62


def claims_for(policy: Policy, table: Described, names: Sequence[str]) -> tuple[Claim, ...]:
    """One claim per recipient and requirement, and one per coalition.

    Nothing but a class size is claimed of what recipients know together: diversity and closeness
    for each of them do not carry over.

    Parameters
    ----------
    policy, table
        The order, and the table it is about.
    names
        All quasi-identifiers.
    """
    over = policy.person_column is not None
    known = policy.known
    placed = [
        (place, Claim(each.name, table.name, recipient, columns, each.parameters()))
        for recipient in policy.recipients
        for columns in [_in_order(known[recipient], names)]
        for demanded in [requirements_of(policy, recipient)]
        for place, each in enumerate(settled(over_people(demanded) if over else demanded, table))
    ]
    # What is demanded of several stands together.
    claims = [claim for _, claim in sorted(placed, key=lambda each: each[0])]
    for each in coalitions(policy):
        size = KAnonymity(each.k, people=over)
        columns = _in_order(each.columns(policy), names)
        claims.append(Claim(size.name, table.name, each.called(policy), columns, size.parameters()))
    return tuple(claims)


def _in_order(columns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(columns, key=names.index))


def attribute_wise_release(
    table: Table,
    encoded: EncodedTable,
    classes: Sequence[Classes],
    requirements: tuple[Requirement, ...],
    claims: tuple[Claim, ...],
    *,
    method: str,
    text: bool,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
) -> Made:
    """Publish a table whose rows are divided by each attribute in another way.

    Rows that share a cell get, on that column, the smallest cell that covers them. Published rows
    stand in random order, those with equal cells on all columns next to each other; so the order
    is a function of chance and of the published cells alone.

    Parameters
    ----------
    table, encoded
        The table, and its quasi-identifiers as codes.
    classes
        Per quasi-identifier, the rows that share a cell.
    requirements, claims
        What is demanded, and what is promised to whom.
    method, text, randomness, kind
        As for :func:`papilio.families.generalising.publish.generalised_release`.

    Notes
    -----
    Cost: O(n d) and a few sorts of n numbers.
    """
    cells, rows = attribute_wise_cells(encoded, classes, text, randomness)
    return assembled_release(
        table,
        cells,
        rows,
        requirements,
        claims,
        method=method,
        randomness=randomness,
        kind=kind,
    )


def attribute_wise_cells(
    encoded: EncodedTable, classes: Sequence[Classes], text: bool, randomness: Randomness
) -> tuple[PlacedCells, NDArray[np.int32]]:
    """Cells of all attributes, and the source rows in the order in which they are published."""
    cells: dict[str, tuple[Cells, NDArray[np.int32]]] = {}
    keys = np.zeros(encoded.height, np.int64)
    for attribute, (column, divided) in enumerate(zip(encoded.columns, classes, strict=True)):
        found = cells_of(column, encoded.codes[divided.rows], attribute, divided.starts, text=text)
        which = np.empty(encoded.height, np.int32)
        which[divided.rows] = divided.class_of_position
        cells[column.column.name] = found, which
        keys = _further(keys, _numbered(found)[which])
    rows = shuffle(_equal(keys), randomness).rows
    return {name: (found, which[rows]) for name, (found, which) in cells.items()}, rows


def _numbered(cells: Cells) -> NDArray[np.int64]:
    """Number of each class's cell; equal cells have equal numbers."""
    frame = pl.DataFrame(cells.series)
    numbers = frame.select(pl.struct(pl.all()).rank("dense")).to_series()
    return numbers.to_numpy().astype(np.int64)


def _further(keys: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keys that are equal where both were."""
    size = int(more.max()) + 1
    if int(keys.max()) >= _LARGEST // size:
        keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    return keys * size + more


def _equal(keys: NDArray[np.int64]) -> Classes:
    """Rows with equal keys as classes."""
    order = np.argsort(keys, kind="stable").astype(np.int32)
    ends = np.flatnonzero(np.diff(keys[order])) + 1
    starts = np.concatenate([[0], ends, [len(keys)]]).astype(np.int64)
    return Classes(order, starts)
