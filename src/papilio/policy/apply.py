"""A policy applied to data: which columns to read, and the table that results."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.io.frames import Kind, from_native
from papilio.data.io.read import Raw, header, load_table, read, read_sql
from papilio.data.people import people_of, person_names
from papilio.data.source import Source, SqlSource, safe_name
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.data.text_values import nearly_numeric
from papilio.errors import DataError, Fault, InfeasibleError, PolicyError
from papilio.policy.person import check_people_said, identifiers_to_count
from papilio.policy.policy import Policy
from papilio.policy.several import (
    expand,
    keys_of,
    linked_columns,
    read_sets,
    with_bitmaps,
)
from papilio.privacy.feasible import check_feasible, check_share
from papilio.privacy.requirement import Requirement, counts_people, least_size
from papilio.privacy.t_closeness import TCloseness


@dataclass(frozen=True, eq=False)
class Order:
    """A table that is ready to be published under a policy.

    Attributes
    ----------
    table
        The columns that take part.
    left_out
        Columns of the source that the policy does not mention; they are not published.
    several
        Names of the boolean columns that each column with several values became.
    personal
        What each person demands, if the policy names a column for it; never published.
    person
        Whose row each row is, if the policy names a column for it; never published.
    notes
        What the owner should know about how the data was read.
    """

    table: Table
    left_out: tuple[str, ...]
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    personal: pl.Series | None = None
    person: pl.Series | None = None
    notes: tuple[str, ...] = ()

    def requirements(self, policy: Policy) -> tuple[Requirement, ...]:
        """What a policy demands of the columns of the table."""
        return expand(policy.requirements, self.several)

    def only(self, rows: NDArray[np.bool_]) -> Order:
        """Some of the rows, each of which is a person."""
        personal = None if self.personal is None else self.personal.filter(pl.Series(rows))
        table = replace(self.table, frame=self.table.frame.filter(pl.Series(rows)))
        return replace(self, table=table, personal=personal)


def order_of(data: Any, policy: Policy, name: str) -> tuple[Order, Kind]:
    """Apply a policy to a frame, or to its own source if ``data`` is ``None``.

    Returns the order and the kind of frame to give back.
    """
    if data is None:
        return order_from_source(policy), Kind.POLARS
    frame, kind = from_native(data)
    return order_from_raw(policy, Raw(safe_name(name), frame, typed=True)), kind


def order_from_source(policy: Policy, source: Source | None = None) -> Order:
    """Read what the policy names, and only that, from its source."""
    return _order(policy, *raw_from_source(policy, source))


def raw_from_source(
    policy: Policy, source: Source | None = None
) -> tuple[Raw, tuple[str, ...] | list[str]]:
    """Columns that are needed, under the name they are published by; also all names there are.

    Raises
    ------
    PolicyError
        If there is no source, or a file or a column is missing.
    """
    where = source or policy.where()
    if where is None:
        message = "this key is required to read the data"
        if policy.tables:
            message = "this needs one table with a source; linked tables cannot be used here"
        fault = policy.fault(message, "source")
        raise PolicyError([fault])
    check_files(policy)
    raw, names = _read(policy, where)
    name = raw.name if policy.source is None else policy.source.name or raw.name
    return Raw(name, raw.frame, raw.typed), names


def _read(policy: Policy, where: Source) -> tuple[Raw, tuple[str, ...]]:
    """Read the columns that are needed; also the names of all columns there are."""
    if not isinstance(where, SqlSource):
        names = header(where)
        check_names(policy, names)
        return read(where, columns_to_look_at(policy)), names
    try:
        raw, names = read_sql(where, columns_to_look_at(policy))
    except DataError:
        # Of a column that is not there the policy has more to say than the query.
        check_names(policy, header(where))
        raise
    check_names(policy, names)
    return raw, names


def check_header(policy: Policy, names: tuple[str, ...] | list[str]) -> None:
    """Refuse hierarchy files that are not there, and columns that the source does not have.

    Raises
    ------
    PolicyError
        One fault per file, or one per column.
    """
    check_files(policy)
    check_names(policy, names)


def order_from_raw(policy: Policy, raw: Raw) -> Order:
    """Take the columns the policy names from a frame."""
    return _order(policy, *raw_from_frame(policy, raw))


def raw_from_frame(policy: Policy, raw: Raw) -> tuple[Raw, tuple[str, ...] | list[str]]:
    """Columns that are needed of a frame, and the names of all that it has."""
    check_header(policy, raw.frame.columns)
    chosen = Raw(raw.name, raw.frame.select(columns_to_look_at(policy)), raw.typed)
    return chosen, raw.frame.columns


def columns_to_read(policy: Policy) -> list[str]:
    """Columns of the source that releases are made of: those published, keys, and people."""
    linked = linked_columns(policy)
    needed = [*(name for name in policy.published if name not in linked), *keys_of(policy)]
    hidden = policy.privacy.personal, policy.person_column
    beside = (name for name in hidden if name is not None and name not in needed)
    return list(dict.fromkeys([*needed, *beside]))


def columns_to_look_at(policy: Policy) -> list[str]:
    """Columns to read the first time: also those that may tell whose rows they are."""
    return list(dict.fromkeys([*columns_to_read(policy), *identifiers_to_count(policy)]))


def _order(policy: Policy, raw: Raw, names: tuple[str, ...] | list[str]) -> Order:
    columns = policy.columns
    sets = read_sets(policy, raw)
    table = load_table(
        raw,
        {name: columns[name].type for name in policy.published if name not in sets},
        lambda name, kind: describe_column(policy, name, kind),
    )
    several: dict[str, tuple[str, ...]] = {}
    if sets:
        table, several = with_bitmaps(table, policy, sets)
    check_people_said(policy, raw.frame)
    person = _person(policy, raw)
    if person is not None:
        table = replace(table, people=people_of(person))
    asked = policy.privacy.personal
    used = {*columns, asked, policy.person_column}
    left_out = tuple(name for name in names if name not in used)
    personal = None if asked is None else raw.frame.get_column(asked)
    undeclared = [name for name in policy.published if columns[name].type is None]
    notes = reading_notes(raw, [name for name in undeclared if name not in sets], table.columns)
    order = Order(table, left_out, several, personal, person, notes)
    check_order(policy, order)
    return order


def _person(policy: Policy, raw: Raw) -> pl.Series | None:
    """Whose row each row is.

    Without ``person`` each row counts as another person; see :func:`check_people_said`.
    """
    column = policy.person_column
    return None if column is None else person_names(raw.frame.get_column(column))


def check_order(policy: Policy, order: Order) -> None:
    """Refuse demands that what was read cannot meet, whatever the method.

    Raises
    ------
    PolicyError, DataError, InfeasibleError
        If types do not fit, there are too few rows, or all of them as one class do not meet it.
    """
    described = {column.name: column for column in order.table.columns}
    # All boolean columns of a column with several values are alike.
    described |= {name: described[flags[0]] for name, flags in order.several.items()}
    check_distances(policy, described)
    policy.family.check_types(policy, order.table)
    if not policy.privacy.suppress and counts_people(policy.requirements):
        check_share(least_size(policy.requirements), "k", order.table.people, order.table.height)
    check_size(policy, order.table.height)
    _check_feasible(policy, order)


def reading_notes(
    raw: Raw, undeclared: Iterable[str], columns: Iterable[Column]
) -> tuple[str, ...]:
    """Columns without a declared type that would be numbers but for a few cells, in sentences."""
    if raw.typed:
        return ()
    labels = {column.name for column in columns if column.type is ColumnType.CATEGORY}
    found = (
        nearly_numeric(raw.frame.get_column(name), name) for name in undeclared if name in labels
    )
    return tuple(note for note in found if note is not None)


def _check_feasible(policy: Policy, order: Order) -> None:
    for each in certain_requirements(policy):
        try:
            check_feasible(expand([each], order.several), order.table)
        except InfeasibleError as error:
            column = each.parameters().get("column")
            if column not in order.several:
                raise
            # The name of a boolean column holds a value of the data.
            raise InfeasibleError(
                f"column '{column}': {each.name} cannot be met for one of its values, not even by "
                "all rows as one class",
                reason=error.reason,
                nearest=error.nearest,
            ) from None


def describe_column(policy: Policy, name: str, kind: ColumnType) -> Column:
    """What a policy says of a column whose type is known."""
    said = policy.columns[name]
    if said.domain is not None and said.role is Role.QUASI and kind.ordered:
        message = f"a domain is for labels, but the column is {kind}; declare type: category"
        raise PolicyError([policy.fault(message, "columns", name, "domain")])
    if kind is ColumnType.NUMERIC and not all(map(_is_number, said.harmless)):
        message = "the column has numbers, so its harmless values are numbers or null"
        raise PolicyError([policy.fault(message, "columns", name, "harmless")])
    if said.bins is not None and not kind.ordered:
        message = f"bins are for numbers and dates, and the column is {kind}"
        raise PolicyError([policy.fault(message, "columns", name, "bins")])
    return said.column(name, kind, policy.base, policy.allowed)


def _is_number(text: str | None) -> bool:
    try:
        return text is None or math.isfinite(float(text))
    except ValueError:
        return False


def check_files(policy: Policy) -> None:
    """Refuse hierarchy files that are not there before any data is read."""
    files = {
        name: column.hierarchy.file
        for name, column in policy.columns.items()
        if column.hierarchy is not None and column.hierarchy.file is not None
    }
    faults = [
        policy.fault(f"no such file: {policy.base / file}", "columns", name, "hierarchy")
        for name, file in files.items()
        if not (policy.base / file).is_file()
    ]
    if faults:
        raise PolicyError(faults)


def check_names(policy: Policy, names: tuple[str, ...] | list[str]) -> None:
    """Refuse columns that the source does not have."""
    linked = linked_columns(policy)
    faults = [
        _unknown(policy, name, names, "columns", name)
        for name in policy.columns
        if name not in names and name not in linked
    ]
    person = policy.person_column
    if person is not None and person not in names and person not in policy.columns:
        faults.append(_unknown(policy, person, names, "person"))
    if faults:
        raise PolicyError(faults)


def _unknown(policy: Policy, name: str, names: tuple[str, ...] | list[str], *path: str) -> Fault:
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    known = ", ".join(names[:30]) + (", …" if len(names) > 30 else "")
    return policy.fault(f"the source has no column '{name}'{hint} (it has: {known})", *path)


def check_size(policy: Policy, rows: int) -> None:
    """Refuse a k that is larger than the table."""
    least = least_size(policy.requirements)
    if rows < least:
        raise InfeasibleError(
            f"k is {least}, but the table has only {rows} rows",
            reason="k-exceeds-rows",
            nearest=f"a k of at most {rows} is accepted",
        )


def certain_requirements(policy: Policy) -> list[Requirement]:
    """Requirements that leaving rows out cannot help to meet."""
    return [
        each
        for each in policy.requirements
        if each.monotone_with_suppression or not policy.privacy.suppress
    ]


def check_distances(policy: Policy, columns: Mapping[str, Column]) -> None:
    """Refuse distances that the columns, now that their types are known, do not allow."""
    faults = []
    for each in policy.requirements:
        if isinstance(each, TCloseness):
            try:
                each.settle(columns[each.column])
            except ValueError as error:
                faults.append(policy.fault(str(error), "privacy", "t", each.column))
    if faults:
        raise PolicyError(faults)
