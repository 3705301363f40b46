"""A policy with ``link: yes`` applied to its one table, which becomes linked tables."""

from __future__ import annotations

import re
from typing import Any

from papilio.data.io.read import Raw, load_table
from papilio.data.link import LinkedTable, Snowflake, divide
from papilio.data.people import person_names
from papilio.data.table import Table
from papilio.errors import PolicyError
from papilio.policy.apply import (
    describe_column,
    raw_from_frame,
    raw_from_source,
    reading_notes,
)
from papilio.policy.apply_tables import Flat, LinkedOrder, check_people
from papilio.policy.policy import Policy
from papilio.policy.tables_policy import TablePolicy

_NAME = re.compile(r"[A-Za-z0-9_-]+")


def divided_order(policy: Policy, raw: Raw | None = None) -> LinkedOrder:
    """Read the table once and take it apart.

    Columns that are constant within every person go to a table of people, which has the name of the
    source, all others to a table of their rows; see :func:`papilio.data.link.divide`.

    Parameters
    ----------
    policy
        A policy with a source, the column that says whose row it is, and ``link``.
    raw
        A frame instead of the source.

    Raises
    ------
    PolicyError
        If a column is missing, the name cannot be that of a table, or no column varies.
    DataError
        If somebody is not named.
    InfeasibleError
        If there are fewer people than k.
    """
    chosen, names = raw_from_source(policy) if raw is None else raw_from_frame(policy, raw)
    key = str(policy.person_column)
    flat = _flat(policy, chosen, key)
    _check_name(policy, flat.table.name)
    snowflake = divide(flat.table, flat.person, key)
    _check_varies(policy, snowflake)
    check_people(policy, snowflake)
    used = {*policy.columns, key}
    undeclared = [name for name in policy.published if policy.columns[name].type is None]
    notes = reading_notes(chosen, undeclared, flat.table.columns)
    left_out = tuple(name for name in names if name not in used)
    return LinkedOrder(snowflake, left_out, (*notes, _where(snowflake)), flat)


def as_tables(policy: Policy, snowflake: Snowflake) -> Policy:
    """The policy about the linked tables that its one table became.

    Whatever it says of a column, it says of that column in the table where it is now.
    """
    tables = {each.name: _table_policy(policy, each) for each in snowflake.tables}
    one: dict[str, Any] = {"source": None, "columns": {}, "link": False}
    return policy.model_copy(update={**one, "tables": tables, "person": snowflake.name})


def _table_policy(policy: Policy, table: LinkedTable) -> TablePolicy:
    return TablePolicy(
        key=table.key,
        parent=None if table.parent is None else {table.parent: str(table.foreign_key)},
        columns={column.name: policy.columns[column.name] for column in table.table.columns},
    )


def _flat(policy: Policy, raw: Raw, key: str) -> Flat:
    person = person_names(raw.frame.get_column(key), linked=True)
    table = load_table(
        Raw(raw.name, raw.frame.select(policy.published), raw.typed),
        {name: policy.columns[name].type for name in policy.published},
        lambda name, kind: describe_column(policy, name, kind),
    )
    return Flat(table, person)


def _check_name(policy: Policy, name: str) -> None:
    if not _NAME.fullmatch(name):
        message = (
            "a table that is linked may have letters from A to Z, digits, '_' and '-' in its name "
            "only; give it such a name, as in {file: …, name: visits}"
        )
        raise PolicyError([policy.fault(message, "source")])


def _check_varies(policy: Policy, snowflake: Snowflake) -> None:
    """Refuse tables of which nothing would be left for the rows of people."""
    people, rows = snowflake.tables
    if people.height == rows.height:
        message = "each person has one row, so that link is not needed; leave it out"
    elif not rows.table.columns:
        message = "no column varies within a person, so that link is not needed; leave it out"
    else:
        return
    raise PolicyError([policy.fault(message, "link")])


def _where(snowflake: Snowflake) -> str:
    """Which columns went where, for the owner."""
    people, rows = snowflake.tables
    return f"{_told(people.table)}; {_told(rows.table)}."


def _told(table: Table) -> str:
    names = ", ".join(column.name for column in table.columns) or "no column"
    return f"{table.name}: {table.height:,} rows with {names}"
