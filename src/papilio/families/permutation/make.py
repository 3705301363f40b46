"""Exact quasi-identifiers, the sensitive column permuted inside groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from papilio.data.io.frames import Kind
from papilio.data.table import Column, Role, Table
from papilio.data.types import as_text
from papilio.errors import InternalError
from papilio.families.classes import Classes
from papilio.families.family import Choice
from papilio.families.grouped.help_table import AGGREGATES, group_name, help_table, permuted_names
from papilio.families.permutation.methods.partition import ke_partition
from papilio.families.permutation.methods.struck import settled_on
from papilio.families.permutation.methods.value_counts import SortedValues, sort_values
from papilio.kernels.draw_groups import shuffle_classes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.read_table import as_it_was
from papilio.release.release import Release


@dataclass(frozen=True, eq=False)
class Permutation:
    """The same groups twice, in the same order, their rows in two independent random orders.

    Attributes
    ----------
    people
        Rows whose quasi-identifiers are published, group after group.
    values
        Rows whose sensitive values are published, group after group.
    """

    people: Classes
    values: Classes


def permutation(
    column: SortedValues, requirement: KeAnonymity, minimise: str, randomness: Randomness
) -> Permutation:
    """Divide rows into (k,e)-anonymous groups and permute values inside them.

    Groups stand in random order. Given the groups, every order of the rows of a group is equally
    likely (Fisher and Yates, with keys of the operating system's generator), in both tables, so
    their order says nothing about which value is whose, nor about the order of the source.

    Notes
    -----
    Cost: the partition and O(n). On ten million rows about twice one stable sort of the column.
    """
    classes = ke_partition(column, requirement, minimise, randomness)
    order = randomness.permutation(classes.count)
    people, values = (
        Classes(*shuffle_classes(classes.rows, classes.starts, order, randomness.keys(rows)))
        for rows in (len(classes.rows), len(classes.rows))
    )
    return Permutation(people, values)


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


def make_permuted(
    order: Order,
    policy: Policy,
    choice: Choice,  # noqa: ARG001 - every maker is told
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows into groups and permute."""
    demanded = [each for each in policy.requirements if isinstance(each, KeAnonymity)]
    if len(demanded) != 1:
        raise InternalError("a policy for permutation demands something else", reason="demand")
    tell("sorting", 0.2)
    column = sort_values(order.table.frame.get_column(demanded[0].column))
    tell("dividing", 0.35)
    settled = settled_on(demanded[0], column)
    permuted = permutation(column, settled, policy.minimise or "sum", randomness)
    tell("permuting", 0.5)
    return permuted_release(order.table, permuted, settled, randomness=randomness, kind=kind)
