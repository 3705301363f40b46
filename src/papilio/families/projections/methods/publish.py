"""One generalised release per projected table to one release of them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.release.made import Made
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


def projected(table: Table, number: int, sensitive: Sequence[str], plain: Sequence[str]) -> Table:
    """The quasi-identifiers of a table with some of its other columns, as a table of its own.

    It is called after the table and its number, counted from 1.
    """
    wanted = {*sensitive, *plain}
    columns = tuple(c for c in table.columns if c.role is Role.QUASI or c.name in wanted)
    frame = table.frame.select([column.name for column in columns])
    return Table(f"{table.name}_{number}", frame, columns)


def projected_release(parts: Sequence[Made], method: str) -> Made:
    """Put releases of one projected table each into one.

    Each was shuffled by itself, so that neither the order of rows nor the order of classes links
    two of them. Trees of quasi-identifiers are the same in all of them; trees of sensitive columns
    get the name of their table in front.
    """
    releases = [part.release for part in parts]
    described = projected_manifest([(each.manifest, each.hierarchies) for each in releases], method)
    frames = {name: frame for release in releases for name, frame in release.frames.items()}
    witness = {name: rows for part in parts for name, rows in part.witness.items()}
    return Made(Release(described[0], frames, described[1], releases[0].kind), witness)


def projected_manifest(
    parts: Sequence[tuple[Manifest, Mapping[str, str]]], method: str
) -> tuple[Manifest, dict[str, str]]:
    """Put manifests of one projected table each, and their files, into one."""
    renamed = [_with_own_files(*part) for part in parts]
    manifest = Manifest(
        kind="projected",
        method=method,
        claims=tuple(claim for part, _ in renamed for claim in part.claims),
        tables=tuple(table for part, _ in renamed for table in part.tables),
        seeded=any(part.seeded for part, _ in renamed),
    )
    return manifest, {name: text for _, files in renamed for name, text in files.items()}


def _with_own_files(
    manifest: Manifest, hierarchies: Mapping[str, str]
) -> tuple[Manifest, dict[str, str]]:
    (table,) = manifest.tables
    files = {
        column.hierarchy["paths"]: f"{table.name}_{column.hierarchy['paths']}"
        for column in table.columns
        if column.role == Role.SENSITIVE and column.hierarchy is not None
    }
    columns = tuple(_renamed(column, files) for column in table.columns)
    tables: tuple[PublishedTable, ...] = (replace(table, columns=columns),)
    own = {files.get(name, name): text for name, text in hierarchies.items()}
    return replace(manifest, tables=tables), own


def _renamed(column: PublishedColumn, files: dict[str, str]) -> PublishedColumn:
    if column.role != Role.SENSITIVE or column.hierarchy is None:
        return column
    return replace(column, hierarchy={"paths": files[column.hierarchy["paths"]]})
