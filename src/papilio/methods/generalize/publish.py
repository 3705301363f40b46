"""A table and its classes to a release: cells, shuffled rows, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.paths_text import paths_text
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.data.types import plain_text
from papilio.methods.classes import Classes, shuffle
from papilio.methods.generalize.cells import Cells, cells_of
from papilio.methods.generalize.full_domain import full_domain_cells
from papilio.policy.recipients import EVERYONE
from papilio.privacy.requirement import Requirement, settled
from papilio.privacy.t_closeness import Distance, TCloseness
from papilio.randomness import Randomness
from papilio.release.as_it_was import as_it_was
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


def generalised_release(
    table: Table,
    encoded: EncodedTable,
    classes: Classes,
    requirements: tuple[Requirement, ...],
    *,
    method: str,
    text: bool,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
    levels: Sequence[int] | None = None,
    suppress: float = 0.0,
    claims: tuple[Claim, ...] | None = None,
) -> Release:
    """Publish a table whose rows are divided into classes.

    Every class gets, on each quasi-identifier, the smallest cell that covers it, or, with
    ``levels``, the label on that level of the column's hierarchy; sensitive and plain columns
    stay with their row. Rows are shuffled; see :func:`papilio.methods.classes.shuffle`. Without
    ``claims``, each requirement is claimed for whoever knows all quasi-identifiers.
    """
    shuffled = shuffle(classes, randomness)
    cells = (
        _all_cells(encoded, shuffled, text)
        if levels is None
        else full_domain_cells(encoded, levels, shuffled)
    )
    which = shuffled.class_of_position
    return assembled_release(
        table,
        {name: (each, which) for name, each in cells.items()},
        shuffled.rows,
        requirements,
        _claims_for_everyone(requirements, table, encoded) if claims is None else claims,
        method=method,
        randomness=randomness,
        kind=kind,
        suppress=suppress,
    )


def assembled_release(
    table: Table,
    cells: Mapping[str, tuple[Cells, NDArray[np.integer[Any]]]],
    rows: NDArray[np.int32],
    requirements: tuple[Requirement, ...],
    claims: tuple[Claim, ...],
    *,
    method: str,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
    suppress: float = 0.0,
) -> Release:
    """Put cells and rows together to a release.

    Parameters
    ----------
    table
        The table.
    cells
        Per quasi-identifier, its cells, and which of them each published row has.
    rows
        Source row of each published row, in an order that says nothing about that of the source.
    requirements, claims
        What is demanded, and what is promised to whom.
    method, randomness, kind, suppress
        As for :func:`generalised_release`.
    """
    frame, columns = _assemble(table, cells, rows)
    hierarchies = {
        file: paths for each, _ in cells.values() for file, paths in each.hierarchy_file.items()
    }
    columns, more = _with_hierarchies(columns, settled(requirements, table), table)
    manifest = Manifest(
        kind="generalised",
        method=method,
        claims=claims,
        tables=(PublishedTable(table.name, columns, frame.height, suppress),),
        seeded=randomness.seeded,
    )
    return Release(manifest, {table.name: frame}, {**hierarchies, **more}, kind)


def _all_cells(encoded: EncodedTable, classes: Classes, text: bool) -> dict[str, Cells]:
    grouped = encoded.codes[classes.rows]
    return {
        each.column.name: cells_of(each, grouped, attribute, classes.starts, text=text)
        for attribute, each in enumerate(encoded.columns)
    }


def _assemble(
    table: Table,
    cells: Mapping[str, tuple[Cells, NDArray[np.integer[Any]]]],
    rows: NDArray[np.int32],
) -> tuple[pl.DataFrame, tuple[PublishedColumn, ...]]:
    series: list[pl.Series] = []
    columns: list[PublishedColumn] = []
    for column in table.columns:
        if column.role is Role.QUASI:
            found, which = cells[column.name]
            columns.append(found.column)
            series += [each.gather(which) for each in found.series]
        else:
            columns.append(as_it_was(column))
            series.append(plain_text(table.frame.get_column(column.name).gather(rows)))
    return pl.DataFrame(series), tuple(columns)


def _with_hierarchies(
    columns: tuple[PublishedColumn, ...], requirements: tuple[Requirement, ...], table: Table
) -> tuple[tuple[PublishedColumn, ...], dict[str, str]]:
    """Publish the hierarchies of sensitive columns whose claims cannot be checked without them."""
    needed = {
        each.column
        for each in requirements
        if isinstance(each, TCloseness) and each.distance is Distance.HIERARCHICAL
    }
    described, files = list(columns), {}
    for place, column in enumerate(table.columns):
        if column.name in needed and column.hierarchy is not None:
            series = table.frame.get_column(column.name)
            tree = build(column.hierarchy, series, column.type, column.name)
            file = f"hierarchy_of_column_{place + 1}.csv"
            files[file] = paths_text(tree)
            described[place] = replace(described[place], hierarchy={"paths": file})
    return tuple(described), files


def _claims_for_everyone(
    requirements: tuple[Requirement, ...], table: Table, encoded: EncodedTable
) -> tuple[Claim, ...]:
    names = tuple(each.column.name for each in encoded.columns)
    return tuple(
        Claim(each.name, table.name, EVERYONE, names, each.parameters())
        for each in settled(requirements, table)
    )
