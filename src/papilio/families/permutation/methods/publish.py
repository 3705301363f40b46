"""Rows, values and help table of a permutation as a release."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from papilio.data.column import Column
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.data.types import as_text
from papilio.families.permutation.methods.help_table import AGGREGATES, help_table
from papilio.families.permutation.methods.permutation import Permutation
from papilio.policy.recipients import EVERYONE
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness
from papilio.release.as_it_was import as_it_was
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


def permuted_release(
    table: Table,
    permuted: Permutation,
    requirement: KeAnonymity,
    *,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
) -> Made:
    """Publish quasi-identifiers and plain columns as they are, and values apart from them.

    Three tables: people with their group, values with their group, and the help table, which
    follows from the values. See "Permuted releases" in ``docs/release-format.md``.
    """
    group = group_name([column.name for column in table.columns])
    parts = (_people, _values, _help)
    frames = {
        name: part(table, permuted, requirement.column, group)
        for name, part in zip(permuted_names(table.name), parts, strict=True)
    }
    manifest = permuted_manifest(
        table.name, table.columns, requirement, table.height, seeded=randomness.seeded
    )
    people, values, _ = permuted_names(table.name)
    witness = {people: permuted.people.rows, values: permuted.values.rows}
    return Made(Release(manifest, frames, {}, kind), witness)


def permuted_manifest(
    name: str, columns: Sequence[Column], requirement: KeAnonymity, rows: int, *, seeded: bool
) -> Manifest:
    """Describe the tables of a permuted release; each has one row per row of the original."""
    described = _described(columns, requirement.column, group_name([c.name for c in columns]))
    names = permuted_names(name)
    return Manifest(
        kind="permuted",
        method="permutation",
        claims=(_claim(name, columns, requirement),),
        tables=tuple(
            PublishedTable(table, its, rows) for table, its in zip(names, described, strict=True)
        ),
        seeded=seeded,
    )


def permuted_names(name: str) -> tuple[str, str, str]:
    """Names of the tables: people, values and help table."""
    return name, f"{name}_values", f"{name}_help"


def group_name(names: Collection[str]) -> str:
    """Name of the group column: ``group``, with underscores until no column is called so."""
    taken = {name.casefold() for name in names}
    name = "group"
    while name in taken:
        name += "_"
    return name


def _numbers(permuted: Permutation, group: str) -> pl.Series:
    """Number of the group of each row, from 1."""
    return pl.Series(group, permuted.people.class_of_position.astype(np.int64) + 1)


def _people(table: Table, permuted: Permutation, sensitive: str, group: str) -> pl.DataFrame:
    frame = as_text(table.frame.drop(sensitive)[permuted.people.rows])
    return frame.with_columns(_numbers(permuted, group))


def _values(table: Table, permuted: Permutation, sensitive: str, group: str) -> pl.DataFrame:
    values = table.frame.get_column(sensitive).gather(permuted.values.rows)
    return pl.DataFrame([_numbers(permuted, group), values])


def _help(table: Table, permuted: Permutation, sensitive: str, group: str) -> pl.DataFrame:
    values = table.frame.get_column(sensitive).gather(permuted.values.rows)
    sizes = permuted.values.sizes
    return help_table(values, values, np.zeros(len(values)), sizes, sizes, group)


def _described(
    columns: Sequence[Column], sensitive: str, group: str
) -> tuple[tuple[PublishedColumn, ...], tuple[PublishedColumn, ...], tuple[PublishedColumn, ...]]:
    number = _described_number(group, "group")
    others = tuple(as_it_was(column) for column in columns if column.name != sensitive)
    (value,) = (as_it_was(column) for column in columns if column.name == sensitive)
    bounds = tuple(
        PublishedColumn(name, Role.SENSITIVE.value, "numeric", "bounds", published)
        for name, published in AGGREGATES.items()
    )
    return (
        (*others, number),
        (number, value),
        (number, _described_number("hits", "hits"), *bounds),
    )


def _described_number(name: str, cells: str) -> PublishedColumn:
    return PublishedColumn(name, Role.PLAIN.value, "numeric", cells, (name,))


def _claim(name: str, columns: Sequence[Column], requirement: KeAnonymity) -> Claim:
    quasi = tuple(column.name for column in columns if column.role is Role.QUASI)
    return Claim(requirement.name, name, EVERYONE, quasi, requirement.parameters())
