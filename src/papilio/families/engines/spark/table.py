"""A policy applied to a source in the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from papilio.data.io.read import header
from papilio.data.source import FileSource, PostgresSource, SqlSource
from papilio.data.types import convert
from papilio.engines.spark.read import Scan, open_scan
from papilio.engines.spark.value_counts import ValueCounts, count_values
from papilio.errors import DataError, PapilioError, PolicyError
from papilio.families.engines.coded import ColumnValues
from papilio.families.engines.meanings import Meanings, meanings_of, needed_columns
from papilio.families.engines.spark.persons import Persons, count_identifiers, count_people
from papilio.policy.apply import check_files, check_names, columns_to_read
from papilio.policy.person import check_counted, identifiers_to_count
from papilio.policy.policy import Policy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_KIND = {PostgresSource: "a PostgreSQL server", SqlSource: "a query"}


def check_possible(policy: Policy, format: str) -> None:  # noqa: A002
    """Refuse what cannot run in a Spark engine.

    Raises
    ------
    PolicyError
        Linked tables, graphs, sources other than files.
    PapilioError
        Another format than Parquet.
    """
    faults = []
    if policy.graph is not None:
        faults.append(policy.fault("a graph cannot be published by Spark; use local", "graph"))
    if policy.tables or policy.link:
        message = "linked tables cannot be published by Spark; use local"
        faults.append(policy.fault(message, "tables" if policy.tables else "link"))
    if faults:
        raise PolicyError(faults)
    if format != "parquet":
        raise PapilioError(
            f"Spark writes parquet, not {format}; leave out --format or use local",
            reason="engine-format",
        )
    files_of(policy)


def files_of(policy: Policy) -> FileSource:
    """Return the files a policy names.

    Raises
    ------
    PolicyError
        If its source is something else.
    """
    where = policy.where()
    if where is None:
        raise PolicyError([policy.fault("this key is required to read the data", "source")])
    if not isinstance(where, FileSource):
        message = (
            f"Spark reads CSV, TSV and Parquet files and folders, not {_KIND[type(where)]}; "
            "use local, or write the table to Parquet first"
        )
        raise PolicyError([policy.fault(message, "source")])
    return where


@dataclass(frozen=True, eq=False)
class SparkTable:
    """A source in the engine, and what its columns mean.

    Attributes
    ----------
    session
        The engine.
    scan
        The source; workers read it.
    meanings
        What the policy makes of it.
    persons
        Whose its rows are, if people may have several.
    """

    session: SparkSession
    scan: Scan
    meanings: Meanings
    persons: Persons | None = None

    @property
    def whole(self) -> Scan:
        """The source with the column that says whose row it is, if there is one."""
        return self.scan if self.persons is None else self.persons.scan


def scan_of(session: SparkSession, policy: Policy) -> Scan:
    """Open what a policy names of its source, and only that.

    Raises
    ------
    PolicyError, DataError
        As on one machine: columns that are not there, files that cannot be read.
    """
    source = files_of(policy)
    check_files(policy)
    check_names(policy, header(source))
    types = {name: column.type for name, column in policy.columns.items()}
    person = policy.person_column
    hidden = () if person is None else (person,)
    return open_scan(session, source, columns_to_read(policy), types, hidden)


def check_whose_rows(session: SparkSession, policy: Policy) -> None:
    """Ask whose rows they are, if an identifier repeats and the policy does not say.

    Raises
    ------
    PolicyError
        As on one machine; see :func:`papilio.policy.person.check_people_said`.

    Notes
    -----
    Cost: nothing if the policy says it or has no identifiers; otherwise that of
    :func:`papilio.families.engines.spark.persons.count_identifiers`.
    """
    names = identifiers_to_count(policy)
    if not names:
        return
    source = files_of(policy)
    check_files(policy)
    check_names(policy, header(source))
    scan = open_scan(session, source, names, {}, names)
    found = count_identifiers(session, scan)
    check_counted(policy, {name: found[name] for name in names if name in found})


def open_table(session: SparkSession, policy: Policy, *, exact: bool = False) -> SparkTable:
    """Look at a source: count its rows and the values that decide what its columns mean.

    One pass, and one more over the column of people if there is one. Collected are the domains of
    the quasi-identifiers, and of the sensitive columns that something is demanded of, with counts;
    of other columns at most a text of each form, and of people counts alone. ``exact`` is as for
    :func:`papilio.families.engines.meanings.meanings_of`.

    Raises
    ------
    PolicyError, DataError, InfeasibleError
        As on one machine.
    """
    source = files_of(policy)
    scan, persons = scan_of(session, policy), None
    if policy.person_column is not None:
        persons = count_people(session, scan, policy.person_column)
        scan = scan.without(policy.person_column)
    rows, counted = count_values(session, scan, needed_columns(policy))
    if rows == 0:
        raise DataError(
            f"{source.path}: the table is empty; it needs at least one row", reason="empty-table"
        )
    meanings = meanings_of(
        policy,
        source.name if policy.source is None else policy.source.name or source.name,
        scan.splits.names,
        rows,
        {name: _as_known(policy, each, scan.splits.typed) for name, each in counted.items()},
        dtypes=scan.dtypes,
        typed=scan.splits.typed,
        exact=exact,
        people=None if persons is None else persons.counted,
    )
    return SparkTable(session, scan, meanings, persons)


def _as_known(policy: Policy, counted: ValueCounts, typed: bool) -> ColumnValues:
    values = counted.values
    if counted.complete:
        return ColumnValues(values, counted.counts)
    final = convert(values, policy.columns[values.name].type, typed)
    if isinstance(final.dtype, pl.Enum):
        return ColumnValues(final.clear().cast(pl.String), counted.counts[:0], complete=False)
    return ColumnValues(final, counted.counts, complete=False)
