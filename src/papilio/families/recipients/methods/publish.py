"""Rows divided attribute by attribute to a release, and what it promises to each recipient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.frames import Kind
from papilio.data.table import Described, Table
from papilio.families.classes import Classes, shuffle
from papilio.families.generalising.cells import Cells, cells_of
from papilio.families.generalising.publish import PlacedCells, assembled_release
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, counts_people, settled
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim

#: Keys are renumbered before they could leave 64 bits.
_LARGEST = 1 << 62


def claims_for(
    recipients: Mapping[str, Sequence[str]],
    together: int | None,
    requirements: tuple[Requirement, ...],
    table: Described,
    names: Sequence[str],
) -> tuple[Claim, ...]:
    """One claim per recipient and requirement, and one on all recipients together.

    Parameters
    ----------
    recipients
        What each recipient knows.
    together
        Least class size on the union of what all know, if one is demanded. Nothing else is
        claimed of the union: diversity and closeness for each recipient do not carry over.
    requirements, table
        What is demanded of each recipient's classes, and the table.
    names
        All quasi-identifiers.
    """
    order = {name: place for place, name in enumerate(names)}
    claims = [
        Claim(each.name, table.name, recipient, tuple(sorted(known, key=order.__getitem__)), values)
        for each in settled(requirements, table)
        for values in [each.parameters()]
        for recipient, known in recipients.items()
    ]
    if together is not None:
        size = KAnonymity(together, people=counts_people(requirements))
        claims.append(Claim(size.name, table.name, ALL_RECIPIENTS, tuple(names), size.parameters()))
    return tuple(claims)


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
