"""Columns with several values per person, as a policy describes them, and harmless values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import polars as pl

from papilio.data.io.read import Raw, header, read
from papilio.data.several_values import bitmap, bitmap_name, linked_sets, split_cells
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.errors import DataError, InternalError, PolicyError
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement

#: What stands between the values of a cell if the policy does not say.
SEPARATOR = ";"


def several_columns(policy: Policy) -> dict[str, ColumnPolicy]:
    """Columns that hold several values."""
    return {name: each for name, each in policy.columns.items() if each.values is not None}


def linked_columns(policy: Policy) -> frozenset[str]:
    """Columns whose values stand in a linked table instead of the source."""
    return frozenset(n for n, each in several_columns(policy).items() if each.source is not None)


def keys_of(policy: Policy) -> tuple[str, ...]:
    """Identifier columns that linked tables are joined on."""
    keys = (each.key for each in several_columns(policy).values() if each.key is not None)
    return tuple(dict.fromkeys(keys))


def read_sets(policy: Policy, raw: Raw) -> dict[str, pl.Series]:
    """Values of the multi-valued columns, one list per row."""
    return {
        name: _linked(policy, name, each, raw)
        if each.source is not None
        else split_cells(raw.frame.get_column(name), each.separator or SEPARATOR)
        for name, each in several_columns(policy).items()
    }


def _linked(policy: Policy, name: str, said: ColumnPolicy, raw: Raw) -> pl.Series:
    if said.source is None or said.key is None or said.value is None:
        raise InternalError("a linked column without its table", reason="no-linked-table")
    source = said.source.source(policy.base, policy.allowed)
    wanted = {"key": said.key, "value": said.value}
    known = header(source)
    missing = [key for key, column in wanted.items() if column not in known]
    if missing:
        message = f"the linked table has no column '{wanted[missing[0]]}'"
        raise PolicyError([policy.fault(message, "columns", name, missing[0])])
    frame = read(source, tuple(wanted.values())).frame
    return linked_sets(
        raw.frame.get_column(said.key),
        frame.get_column(said.key),
        frame.get_column(said.value),
        name,
    )


def with_bitmaps(
    table: Table, policy: Policy, sets: Mapping[str, pl.Series]
) -> tuple[Table, dict[str, tuple[str, ...]]]:
    """Put the boolean columns of the multi-valued columns into a table, where the policy has them.

    Returns the table, and the names of the boolean columns per multi-valued column.

    Raises
    ------
    DataError
        If a name is taken already.
    """
    series = {each.name: [table.frame.get_column(each.name)] for each in table.columns}
    columns = {each.name: [each] for each in table.columns}
    for name, lists in sets.items():
        series[name] = bitmap(lists, name, policy.columns[name].domain)
        columns[name] = [
            Column(flags.name, Role.SENSITIVE, ColumnType.BOOLEAN) for flags in series[name]
        ]
    order = [name for name in policy.published if name in columns]
    described = tuple(column for name in order for column in columns[name])
    _check_different(described)
    frame = pl.DataFrame([each for name in order for each in series[name]])
    names = {name: tuple(flags.name for flags in series[name]) for name in sets}
    return Table(table.name, frame, described, table.people), names


def _check_different(columns: Iterable[Column]) -> None:
    names = [column.name.casefold() for column in columns]
    if len(set(names)) < len(names):
        raise DataError(
            "a column with several values would be published under the name of another column, or "
            "has two values that differ in letter case only; rename or unify them in the source",
            reason="name-taken",
        )


def expand(
    requirements: Iterable[Requirement], names: Mapping[str, tuple[str, ...]]
) -> tuple[Requirement, ...]:
    """Requirements on a multi-valued column as requirements on each of its boolean columns."""
    expanded: list[Requirement] = []
    for each in requirements:
        if isinstance(each, KAnonymity) or each.column not in names:
            expanded.append(each)
        else:
            expanded += [replace(each, column=name) for name in names[each.column]]
    return tuple(expanded)


def harmless_values(
    policy: Policy, several: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str | None, ...]]:
    """Values that need no protection, per column of the table.

    Of a column with several values, a harmless value is one whose boolean column says nothing that
    needs protection, neither by true nor by false.
    """
    found: dict[str, tuple[str | None, ...]] = {}
    for name, column in policy.columns.items():
        if name not in several:
            found[name] = column.harmless
            continue
        safe = {bitmap_name(name, value) for value in column.harmless if value is not None}
        found |= {flags: ("true", "false") for flags in several[name] if flags in safe}
    return {name: values for name, values in found.items() if values}
