"""A table and its classes to a release: cells, shuffled rows, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.hierarchy.build import build, leaf_codes
from papilio.data.hierarchy.paths import paths_text
from papilio.data.hierarchy.published_labels import measuring_leaves
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.io.frames import Kind
from papilio.data.table import Column, Described, Role, Table
from papilio.data.types import plain_text
from papilio.families.classes import Classes, shuffle
from papilio.families.generalising.cells import Cells, cells_of
from papilio.families.generalising.full_domain import full_domain_cells
from papilio.families.generalising.safe_cells import Lines
from papilio.kernels.codes import Codes
from papilio.policy.recipients import EVERYONE
from papilio.privacy.requirement import Requirement, settled
from papilio.privacy.t_closeness import Distance, TCloseness
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.read_table import as_it_was
from papilio.release.release import Release

#: Per quasi-identifier, its cells, and which of them each published row has.
PlacedCells: TypeAlias = Mapping[str, tuple[Cells, NDArray[np.integer[Any]]]]


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
    lines: Lines | None = None,
) -> Made:
    """Publish a table whose rows are divided into classes.

    Every class gets, on each quasi-identifier, the smallest cell that covers it, or, with
    ``levels``, the label on that level of the column's hierarchy; sensitive and plain columns
    stay with their row. Rows are shuffled; see :func:`papilio.families.classes.shuffle`. Without
    ``claims``, each requirement is claimed for whoever knows all quasi-identifiers. With ``lines``
    cells cover these, which are the rows of the classes and some more.
    """
    cells, rows = generalised_cells(encoded, classes, text, randomness, levels, lines=lines)
    made = assembled_release(
        table,
        cells,
        rows,
        requirements,
        claims_for_everyone(requirements, table) if claims is None else claims,
        method=method,
        randomness=randomness,
        kind=kind,
        suppress=suppress,
    )
    return made if lines is None else replace(made, notes=(*made.notes, lines.note))


def generalised_cells(
    encoded: EncodedTable,
    classes: Classes,
    text: bool,
    randomness: Randomness,
    levels: Sequence[int] | None = None,
    published: Sequence[Codes] | None = None,
    lines: Lines | None = None,
) -> tuple[PlacedCells, NDArray[np.int32]]:
    """Cells of all classes, and the source rows in the order in which they are published.

    ``published`` is as for
    :func:`papilio.families.generalising.full_domain.full_domain_cells`, ``lines`` as for
    :func:`generalised_release`.

    Classes with equal cells are one class to whoever reads them, so they are shuffled as one;
    apart, they would tell which of the rows with these cells belong together.
    """
    cells = (
        _all_cells(encoded, classes, text, lines)
        if levels is None
        else full_domain_cells(encoded, levels, classes, published)
    )
    rows = shuffle(_with_equal_cells(classes, cells), randomness).rows
    class_of_row = np.empty(encoded.height, np.int32)
    class_of_row[classes.rows] = classes.class_of_position
    which = class_of_row[rows]
    return {name: (each, which) for name, each in cells.items()}, rows


def _with_equal_cells(classes: Classes, cells: Mapping[str, Cells]) -> Classes:
    """Put classes with equal cells together."""
    series = [
        each.alias(str(number))
        for number, each in enumerate(s for found in cells.values() for s in found.series)
    ]
    keys = pl.DataFrame(series).hash_rows().to_numpy()
    order = np.argsort(keys, kind="stable")
    begins = np.append(True, keys[order][1:] != keys[order][:-1])
    if begins.all():
        return classes
    sizes = classes.sizes[order]
    starts = np.cumsum(sizes) - sizes
    places = np.repeat(classes.starts[order] - starts, sizes) + np.arange(len(classes.rows))
    ends = np.append(starts[begins], len(classes.rows)).astype(np.int64)
    return Classes(classes.rows[places], ends)


def assembled_release(
    table: Table,
    cells: PlacedCells,
    rows: NDArray[np.int32],
    requirements: tuple[Requirement, ...],
    claims: tuple[Claim, ...],
    *,
    method: str,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
    suppress: float = 0.0,
) -> Made:
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
    frame = published_rows(table.columns, table.frame, cells, rows)
    columns, hierarchies = described({name: each for name, (each, _) in cells.items()}, table)
    columns, more = _with_hierarchies(columns, settled(requirements, table), table, rows)
    manifest = Manifest(
        kind="generalised",
        method=method,
        claims=claims,
        tables=(PublishedTable(table.name, columns, frame.height, suppress),),
        seeded=randomness.seeded,
    )
    release = Release(manifest, {table.name: frame}, {**hierarchies, **more}, kind)
    return Made(release, {table.name: rows})


def _all_cells(
    encoded: EncodedTable, classes: Classes, text: bool, lines: Lines | None
) -> dict[str, Cells]:
    grouped = encoded.codes[classes.rows] if lines is None else lines.codes
    starts = classes.starts if lines is None else lines.starts
    # Rows may be left out, and labels must not tell of them.
    complete = len(classes.rows) == encoded.height
    return {
        each.column.name: cells_of(each, grouped, attribute, starts, text=text, complete=complete)
        for attribute, each in enumerate(encoded.columns)
    }


def published_rows(
    columns: tuple[Column, ...], frame: pl.DataFrame, cells: PlacedCells, rows: NDArray[np.int32]
) -> pl.DataFrame:
    """Published rows: cells of the quasi-identifiers, everything else from ``frame``.

    Parameters
    ----------
    columns
        What is published, in order.
    frame
        The sensitive and plain columns of the source; others are not looked at.
    cells, rows
        As for :func:`assembled_release`.
    """
    series: list[pl.Series] = []
    for column in columns:
        if column.role is Role.QUASI:
            found, which = cells[column.name]
            series += [each.gather(which) for each in found.series]
        else:
            series.append(plain_text(frame.get_column(column.name).gather(rows)))
    return pl.DataFrame(series)


def described(
    cells: Mapping[str, Cells], table: Described
) -> tuple[tuple[PublishedColumn, ...], dict[str, str]]:
    """How a stranger reads the published columns, and the path files needed for that."""
    columns = tuple(
        cells[column.name].column if column.role is Role.QUASI else as_it_was(column)
        for column in table.columns
    )
    return columns, {k: v for each in cells.values() for k, v in each.hierarchy_file.items()}


def _with_hierarchies(
    columns: tuple[PublishedColumn, ...],
    requirements: tuple[Requirement, ...],
    table: Table,
    rows: NDArray[np.int32],
) -> tuple[tuple[PublishedColumn, ...], dict[str, str]]:
    """Publish the hierarchies of sensitive columns whose claims cannot be checked without them."""
    needed = {
        each.column
        for each in requirements
        if isinstance(each, TCloseness) and each.distance is Distance.HIERARCHICAL
    }
    trees = {
        column.name: build(
            column.hierarchy, table.frame.get_column(column.name), column.type, column.name
        )
        for column in table.columns
        if column.name in needed and column.hierarchy is not None
    }
    leaves = {
        name: leaf_codes(tree, table.frame.get_column(name).gather(rows))
        for name, tree in trees.items()
    }
    return with_trees(columns, trees, leaves, table)


def with_trees(
    columns: tuple[PublishedColumn, ...],
    trees: Mapping[str, Hierarchy],
    leaves: Mapping[str, NDArray[np.integer]],
    table: Described,
) -> tuple[tuple[PublishedColumn, ...], dict[str, str]]:
    """Publish the hierarchies of sensitive columns: a file each, which their description names.

    A file has the leaves of published rows, which ``leaves`` gives by their ranks, and what is
    needed besides to measure their distances.
    """
    found, files = list(columns), {}
    for place, column in enumerate(table.columns):
        if column.name in trees:
            file = f"hierarchy_of_column_{place + 1}.csv"
            tree = trees[column.name]
            files[file] = paths_text(tree, measuring_leaves(tree, leaves[column.name]).tolist())
            found[place] = replace(found[place], hierarchy={"paths": file})
    return tuple(found), files


def claims_for_everyone(
    requirements: tuple[Requirement, ...], table: Described
) -> tuple[Claim, ...]:
    """Each requirement, claimed for whoever knows all quasi-identifiers."""
    names = tuple(each.name for each in table.columns if each.role is Role.QUASI)
    return tuple(
        Claim(each.name, table.name, EVERYONE, names, each.parameters())
        for each in settled(requirements, table)
    )
