"""A policy applied to linked tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from papilio.data.io.database import (
    Database,
    Keys,
    catalog,
    parse_database,
    read_table,
    table_header,
)
from papilio.data.io.frames import choose_columns
from papilio.data.io.read import Raw, header, load_table, read
from papilio.data.link import Part, Snowflake, in_order, link
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.policy.apply import reading_notes
from papilio.policy.policy import Policy
from papilio.policy.tables_policy import TablePolicy


@dataclass(frozen=True, eq=False)
class Flat:
    """One table with several rows per person, before it is taken apart.

    Attributes
    ----------
    table
        All rows with all columns that are published.
    person
        Whose each row is.
    """

    table: Table
    person: pl.Series


@dataclass(frozen=True, eq=False)
class LinkedOrder:
    """Linked tables that are ready to be published under a policy.

    Attributes
    ----------
    snowflake
        People and the tables that hang off them.
    left_out
        Columns of the sources that the policy does not mention, as ``table.column``.
    notes
        What the owner should know about how the data was read.
    flat
        The one table they were, if they were one.
    """

    snowflake: Snowflake
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()
    flat: Flat | None = None


@dataclass(frozen=True)
class _Keyed:
    """A table of the policy with the keys that it or the catalog names."""

    said: TablePolicy
    key: str | None
    parent: str | None
    foreign_key: str | None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(name for name in (self.key, self.foreign_key) if name is not None)


def linked_order(policy: Policy, frames: Mapping[str, pl.DataFrame] | None = None) -> LinkedOrder:
    """Read what the policy names, and only that, from its sources or from frames.

    Parameters
    ----------
    policy
        A policy with tables.
    frames
        The tables by their names in the policy, instead of the sources.

    Raises
    ------
    PolicyError
        If a source, a key or a column is missing.
    DataError
        If keys are missing or not unique, or rows belong to nobody.
    InfeasibleError
        If there are fewer people than k.
    """
    database = None
    if policy.database is not None and frames is None:
        database = parse_database(policy.database, policy.base, policy.allowed)
    tables = _with_keys(policy, {} if database is None else catalog(database))
    parts, left_out = {}, []
    notes: list[str] = []
    for name in in_order({name: each.parent for name, each in tables.items()}):
        raw, names = _raw(policy, name, tables[name], database, frames)
        parts[name] = _part(policy, name, tables[name], raw)
        said = tables[name].said.columns
        undeclared = [column for column, each in said.items() if each.type is None]
        notes += reading_notes(raw, undeclared, parts[name].table.columns)
        known = {*tables[name].keys, *tables[name].said.columns}
        left_out += [f"{name}.{column}" for column in names if column not in known]
    snowflake = link(list(parts.values()))
    check_people(policy, snowflake)
    return LinkedOrder(snowflake, tuple(left_out), tuple(notes))


def _with_keys(policy: Policy, known: Mapping[str, Keys]) -> dict[str, _Keyed]:
    found, faults = {}, []
    for name, said in policy.tables.items():
        try:
            found[name] = _keyed(policy, name, said, known.get(name, Keys()))
        except ValueError as error:
            faults.append(policy.fault(str(error), "tables", name))
    above = {each.parent for each in found.values()}
    faults += [
        policy.fault("other tables hang off it, so it needs a key", "tables", name)
        for name, each in found.items()
        if name in above and each.key is None
    ]
    if faults:
        raise PolicyError(faults)
    return found


def _keyed(policy: Policy, name: str, said: TablePolicy, known: Keys) -> _Keyed:
    key, parent, foreign_key = said.key, said.above, said.foreign_key
    if key is None and known.key:
        referred = any(each.above == name for each in policy.tables.values())
        key = known.key[0] if len(known.key) == 1 else None
        if referred and key is None:
            raise ValueError("its key in the database has several columns; name one with key")
    if parent is None and name != policy.person:
        inside = [each for each in known.references if each[0] in policy.tables]
        if len(inside) != 1:
            raise ValueError(
                f"the database knows {len(inside)} foreign keys to tables of the policy; say which "
                "one it hangs off, as in parent: {student: sid}"
            )
        parent, columns = inside[0]
        if len(columns) != 1:
            raise ValueError(f"its foreign key to '{parent}' has several columns; one is accepted")
        foreign_key = columns[0]
    if key is not None and key == foreign_key:
        key = None
    for each in (key, foreign_key):
        column = None if each is None else said.columns.get(each)
        if column is not None and column.role is not Role.IDENTIFIER:
            raise ValueError(f"'{each}' is a key, which cannot be {column.role}")
    return _Keyed(said, key, parent, foreign_key)


def _raw(
    policy: Policy,
    name: str,
    table: _Keyed,
    database: Database | None,
    frames: Mapping[str, pl.DataFrame] | None,
) -> tuple[Raw, tuple[str, ...]]:
    """Read one table; also the names of all columns of its source."""
    mentioned = tuple(dict.fromkeys((*table.keys, *table.said.columns)))
    wanted = tuple(dict.fromkeys((*table.keys, *table.said.published)))
    if frames is not None:
        if name not in frames:
            raise DataError(f"there is no frame for the table '{name}'", reason="missing-table")
        frame = frames[name]
        choose_columns(frame.columns, mentioned, f"the frame '{name}'")
        return Raw(name, frame.select(wanted), typed=True), tuple(frame.columns)
    if table.said.source is not None:
        source = table.said.source.source(policy.base, policy.allowed)
        names = header(source)
        choose_columns(names, mentioned, f"tables.{name}")
        return read(source, wanted), names
    if database is None:
        fault = policy.fault("this key is required to read the data", "tables", name, "source")
        raise PolicyError([fault])
    names = table_header(database, name)
    choose_columns(names, mentioned, f"tables.{name}")
    return read_table(database, name, wanted), names


def _part(policy: Policy, name: str, table: _Keyed, raw: Raw) -> Part:
    def values(column: str | None) -> pl.Series | None:
        return None if column is None else raw.frame.get_column(column)

    return Part(
        _table(policy, name, table.said, raw),
        table.key,
        values(table.key),
        table.parent,
        table.foreign_key,
        values(table.foreign_key),
    )


def _table(policy: Policy, name: str, said: TablePolicy, raw: Raw) -> Table:
    if raw.frame.height == 0:
        raise DataError(
            f"table '{name}' is empty; leave it out of the policy's tables", reason="empty-table"
        )
    if not said.published:
        # A table of keys alone still says how many rows there are.
        return Table(name, pl.DataFrame(height=raw.frame.height), ())

    def describe(column: str, kind: ColumnType) -> Column:
        each = said.columns[column]
        if each.domain is not None and each.role is Role.QUASI and kind.ordered:
            message = f"a domain is for labels, but the column is {kind}; declare type: category"
            path = ("tables", name, "columns", column, "domain")
            raise PolicyError([policy.fault(message, *path)])
        return each.column(column, kind, policy.base, policy.allowed)

    chosen = Raw(name, raw.frame.select(said.published), raw.typed)
    return load_table(chosen, {n: said.columns[n].type for n in said.published}, describe)


def check_people(policy: Policy, snowflake: Snowflake) -> None:
    """Refuse a k that is larger than the number of people."""
    people, k = snowflake.person.height, policy.privacy.k or 1
    if people < k:
        raise InfeasibleError(
            f"k is {k}, but there are only {people} people",
            reason="k-exceeds-rows",
            nearest=f"a k of at most {people} is accepted",
        )
