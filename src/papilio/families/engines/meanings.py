"""What the codes of a table mean, found from the values that occur and not from its rows.

A table that is published in pieces needs the same codes, hierarchies and cells in all of them. All
of it follows from the distinct values of each column and their counts.

A number or date with very many distinct values is an exception: its *values* are then bins, each
standing for the values up to it and above the one before, and only its *span* is known. The top of
the tree is cut between bins; a piece gives its own values codes of their own (see
:mod:`papilio.families.engines.piece`), and widths are measured against the span in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, attributes_of, encode_column
from papilio.data.people import PeopleCounted
from papilio.data.table import Column, ColumnType, Role
from papilio.data.text_values import nearly_numeric, read_as
from papilio.data.types import Occurrences, column_type, convert, plain_text, rows_after
from papilio.errors import DataError
from papilio.families.engines.coded import ColumnValues, summed
from papilio.kernels.attributes import Attributes
from papilio.kernels.demand import Demand
from papilio.policy.apply import (
    certain_requirements,
    check_distances,
    check_files,
    check_names,
    check_size,
    describe_column,
)
from papilio.policy.policy import Policy
from papilio.privacy.feasible import check_diverse, check_share
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.requirement import (
    compile_demand,
    least_size,
    ruled_columns,
    settled,
    with_rule_of_people,
)
from papilio.privacy.rules import CountedColumn
from papilio.privacy.t_closeness import TCloseness

#: Numbers with more distinct values than this are put into bins; more codes would need 32 bits.
MANY = 32_000


#: Bins of such a column.
BINS = 1 << 14


#: Codes of a sensitive column with too many values to number them.
HASHED = 1 << 16


@dataclass(frozen=True, eq=False)
class SensitiveMeaning:
    """What the codes of a sensitive column mean that a requirement speaks of.

    Attributes
    ----------
    meaning
        The column, with its hierarchy if distances are measured in it.
    size
        Number of codes.
    present
        Codes that occur; none if they are hashes.
    hashed
        Whether there were too many values: codes are then hashes, under which several values look
        like one. What is diverse enough by hashes is so by values.
    """

    meaning: EncodedColumn
    size: int
    present: NDArray[np.int64]
    hashed: bool = False


@dataclass(frozen=True, eq=False)
class Meanings:
    """A table without its rows.

    Attributes
    ----------
    name, columns
        As of a :class:`~papilio.data.table.Table`.
    types
        The Polars type of each column once it is converted; text is ``String``.
    rows
        Number of rows.
    left_out
        Columns of the source that the policy does not mention.
    typed
        Whether the source knows types.
    quasi
        What the codes of the quasi-identifiers mean.
    sensitive
        The same for sensitive columns that a requirement speaks of.
    demand
        What each class must satisfy, by the distribution of the whole table; it has no rows.
    notes
        What the owner should know about how the data was read.
    people
        What is known of people who may have several rows.
    totals
        What occurs in sensitive columns that closeness over people is demanded of.
    """

    name: str
    columns: tuple[Column, ...]
    types: Mapping[str, pl.DataType]
    rows: int
    left_out: tuple[str, ...]
    typed: bool
    quasi: tuple[EncodedColumn, ...]
    sensitive: tuple[SensitiveMeaning, ...]
    demand: Demand
    notes: tuple[str, ...] = ()
    people: PeopleCounted | None = None
    totals: Mapping[str, ColumnValues] = field(default_factory=dict)

    @property
    def attributes(self) -> Attributes:
        """The quasi-identifiers, as the top of the tree is cut by them."""
        return attributes_of(EncodedTable(np.empty((0, 0), np.int16), self.quasi))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each quasi-identifier in the top of the tree."""
        return tuple(len(each.values) for each in self.quasi)

    @property
    def sensitive_sizes(self) -> tuple[int, ...]:
        """Number of codes of each sensitive column that a requirement speaks of, and of people."""
        people = () if self.people is None else (len(self.people.heavy) + 1,)
        return (*(each.size for each in self.sensitive), *people)


def needed_columns(policy: Policy) -> tuple[str, ...]:
    """Columns whose values must be counted, in order; of a source without types all are.

    These are the quasi-identifiers, the columns that requirements speak of, and columns that may
    be text and are declared to be something else.
    """
    about = (each for each in policy.requirements if not isinstance(each, KAnonymity))
    return _in_order(policy, {*policy.quasi, *(each.column for each in about)})


def kept_columns(policy: Policy, *wanted: str) -> tuple[str, ...]:
    """Columns whose values must be counted where quasi-identifiers are published as they are.

    These are those in ``wanted``, and columns that may be text and are declared to be something
    else.
    """
    return _in_order(policy, set(wanted))


def _in_order(policy: Policy, wanted: set[str]) -> tuple[str, ...]:
    declared = {
        name
        for name, said in policy.columns.items()
        if said.type not in (None, ColumnType.CATEGORY)
    }
    return tuple(name for name in policy.published if name in wanted | declared)


def meanings_of(
    policy: Policy,
    name: str,
    header: Sequence[str],
    rows: int,
    values: Mapping[str, ColumnValues],
    *,
    dtypes: Mapping[str, pl.DataType],
    typed: bool,
    exact: bool = False,
    people: PeopleCounted | None = None,
) -> Meanings:
    """Find out what the codes of a table mean.

    Parameters
    ----------
    policy
        The order.
    name
        Name of the table.
    header
        All columns of the source.
    rows
        Number of rows.
    values
        What occurs in :func:`needed_columns`, or in more of them.
    dtypes
        Polars types, as read, of the published columns that are not in ``values``.
    typed
        Whether the source knows types.
    exact
        Whether every value must have a code of its own, and none may stand for several.
    people
        What is known of people, if the policy says whose row each row is.

    Raises
    ------
    PolicyError, DataError, InfeasibleError
        As when a policy is applied to a table in memory; and if a column that is generalised to
        labels, or whose distribution matters, has too many values to number them.

    Notes
    -----
    Cost: that of the distinct values; nothing depends on the rows.
    """
    table = kept_meanings(policy, name, header, rows, values, dtypes=dtypes, typed=typed)
    known = {each: _converted(policy, each, values, dtypes, typed) for each in policy.published}
    check_distances(policy, {column.name: column for column in table.columns})
    if people is not None and not policy.privacy.suppress:
        check_share(least_size(policy.requirements), "k", people, rows)
    check_size(policy, rows)
    _check_feasible(policy, known)
    quasi = (column for column in table.columns if column.role is Role.QUASI)
    coded = tuple(_quasi(column, known[column.name], exact) for column in quasi)
    found = _with_demand(replace(table, quasi=coded, people=people), policy, known)
    hashed = [each.meaning.column.name for each in found.sensitive if each.hashed]
    if exact and hashed:
        raise _too_many(hashed[0])
    return found


def kept_meanings(
    policy: Policy,
    name: str,
    header: Sequence[str],
    rows: int,
    values: Mapping[str, ColumnValues],
    *,
    dtypes: Mapping[str, pl.DataType],
    typed: bool,
) -> Meanings:
    """What is known of a table whose columns are published as they are: no codes of them.

    Parameters are those of :func:`meanings_of`; values may be counted of fewer columns.
    """
    check_files(policy)
    check_names(policy, list(header))
    if rows == 0:
        raise DataError("the table is empty; it needs at least one row", reason="empty-table")
    known = {each: _converted(policy, each, values, dtypes, typed) for each in policy.published}
    columns = tuple(
        describe_column(
            policy, each, policy.columns[each].type or column_type(found.values, typed=True)
        )
        for each, found in known.items()
    )
    used = {*policy.columns, policy.privacy.personal, policy.person_column}
    return Meanings(
        name=name,
        columns=columns,
        types={each: _plain_type(found.values.dtype) for each, found in known.items()},
        rows=rows,
        left_out=tuple(each for each in header if each not in used),
        typed=typed,
        quasi=(),
        sensitive=(),
        demand=Demand(1),
        notes=() if typed else _reading_notes(policy, columns, values),
    )


def counts_in(
    policy: Policy, values: ColumnValues, *, typed: bool
) -> tuple[pl.Series, NDArray[np.int64]]:
    """Values of a column in its final type, NULL among them, and how often each occurs.

    Raises
    ------
    DataError
        If there were too many to count them one by one.
    """
    name = values.values.name
    if not values.complete:
        raise DataError(
            f"column '{name}' has too many different values to be planned within this memory; more "
            "memory, rounded values or the engine spark are accepted",
            reason="too-many-values",
        )
    found = _converted(policy, name, {name: values}, {}, typed)
    return found.values, found.counts


def _reading_notes(
    policy: Policy, columns: Sequence[Column], values: Mapping[str, ColumnValues]
) -> tuple[str, ...]:
    """Columns without a declared type that would be numbers but for a few cells, in sentences."""
    labels = [
        column.name
        for column in columns
        if column.type is ColumnType.CATEGORY and policy.columns[column.name].type is None
    ]
    found = (
        nearly_numeric(values[name].values, name, values[name].counts)
        for name in labels
        if name in values and values[name].complete
    )
    return tuple(note for note in found if note is not None)


def _plain_type(dtype: pl.DataType) -> pl.DataType:
    return pl.String() if isinstance(dtype, pl.Enum | pl.Categorical) else dtype


def _converted(
    policy: Policy,
    name: str,
    values: Mapping[str, ColumnValues],
    dtypes: Mapping[str, pl.DataType],
    typed: bool,
) -> ColumnValues:
    """Values of a column in its final type; none if they were not asked for."""
    wanted = policy.columns[name].type
    if name not in values:
        empty = convert(pl.Series(name, [], dtype=dtypes[name]), wanted, typed)
        return ColumnValues(empty, np.empty(0, np.int64))
    found = values[name]
    if not found.complete:
        return found
    seen = Occurrences(found.counts, found.first)
    final = convert(found.values.alias(name), wanted, typed, seen)
    return ColumnValues(*summed(final, found.counts))


def _quasi(column: Column, found: ColumnValues, exact: bool) -> EncodedColumn:
    plain = column.type.ordered and column.hierarchy is None and not exact
    if plain and (not found.complete or len(found.values) > MANY):
        return _binned(column, found)
    if not found.complete and exact:
        raise _too_many(column.name)
    if not found.complete:
        raise DataError(
            f"column '{column.name}' has too many different values to be generalised piece by "
            "piece; numbers and dates without a hierarchy may have any number of them",
            reason="too-many-values",
        )
    return encode_column(found.values, column, found.counts)[0]


def _too_many(name: str) -> DataError:
    return DataError(
        f"column '{name}' has too many different values to choose levels from; more memory, "
        "rounded values or the method mondrian are accepted",
        reason="too-many-values",
    )


def _binned(column: Column, found: ColumnValues) -> EncodedColumn:
    """Bins of about equally many rows; the first is the smallest value alone."""
    there = found.values.is_not_null()
    values, counts = found.values.filter(there).sort(), found.counts[there.to_numpy()]
    counts = counts[found.values.filter(there).arg_sort().to_numpy()]
    reached = np.cumsum(counts)
    wanted = np.linspace(0, reached[-1], BINS)
    places = np.unique(np.append(np.searchsorted(reached, wanted[1:]), [0, len(values) - 1]))
    bins = values.gather(places[places < len(values)])
    has_null = not bool(there.all())
    if has_null:
        bins = pl.concat([pl.Series(bins.name, [None], dtype=bins.dtype), bins])
    numbers = values.to_physical().cast(pl.Float64)
    return EncodedColumn(column, bins, has_null, span=(numbers[0], numbers[-1]))


def _check_feasible(policy: Policy, known: Mapping[str, ColumnValues]) -> None:
    for each in certain_requirements(policy):
        if isinstance(each, KAnonymity | TCloseness | KeAnonymity):
            continue
        if known[each.column].complete:
            check_diverse(each, known[each.column].counts.tolist())


def _with_demand(table: Meanings, policy: Policy, known: Mapping[str, ColumnValues]) -> Meanings:
    requirements = settled(policy.requirements, table)
    found: list[tuple[SensitiveMeaning, NDArray[np.int64]]] = []
    for name, hierarchical in ruled_columns(requirements):
        close = any(isinstance(r, TCloseness) and r.column == name for r in requirements)
        column = next(each for each in table.columns if each.name == name)
        if not hierarchical:
            column = replace(column, hierarchy=None)
        found.append(_sensitive(column, known[name], close))
    counted = [CountedColumn(each.meaning, counts) for each, counts in found]
    demand, totals = compile_demand(requirements, counted, table.rows), {}
    if table.people is not None:
        heavy, rest = table.people.heavy, table.people.rest
        demand = with_rule_of_people(demand, len(heavy), rest, least_size(requirements))
        totals = {r.column: known[r.column] for r in requirements if isinstance(r, TCloseness)}
    sensitive = tuple(each for each, _ in found)
    return replace(table, sensitive=sensitive, demand=demand, totals=totals)


def _sensitive(
    column: Column, found: ColumnValues, close: bool
) -> tuple[SensitiveMeaning, NDArray[np.int64]]:
    """Meaning of a sensitive column and how often each code occurs."""
    if found.complete:
        meaning, codes = encode_column(found.values, column, found.counts)
        counts = np.zeros(len(meaning.values), np.int64)
        np.add.at(counts, codes, found.counts)
        return SensitiveMeaning(meaning, len(counts), np.flatnonzero(counts)), counts
    if close:
        raise DataError(
            f"column '{column.name}' has too many different values for t-closeness piece by "
            "piece; round them, or demand l-diversity",
            reason="too-many-values",
        )
    meaning = EncodedColumn(column, found.values.clear(), has_null=False)
    none = np.empty(0, np.int64)
    return SensitiveMeaning(meaning, HASHED, none, hashed=True), np.zeros(HASHED, np.int64)


def typed_frame(
    raw: pl.DataFrame, meanings: Meanings, *, skipped: int = 0, labels: bool = False
) -> pl.DataFrame:
    """Give rows the types of their table.

    Parameters
    ----------
    raw
        Some rows as they were read, with at least the published columns. Text from a source
        without types has no blanks around it, and NULL instead of nothing.
    meanings
        The table.
    skipped
        Rows of the table before these, for messages.
    labels
        Leave text that was read as ``Enum`` what it is, which is faster to encode.

    Returns
    -------
    polars.DataFrame
        The published columns, in the order of the policy, text as ``String``.

    Raises
    ------
    DataError
        If a value that was not looked at before does not fit, such as an infinite number.
    """
    return pl.DataFrame(
        [
            found if labels else plain_text(found)
            for column in meanings.columns
            for found in [_typed(raw.get_column(column.name), column, meanings, skipped)]
        ]
    )


def _typed(series: pl.Series, column: Column, meanings: Meanings, skipped: int) -> pl.Series:
    final = meanings.types[column.name]
    if isinstance(series.dtype, pl.String | pl.Enum | pl.Categorical):
        # All texts of the column were looked at before, and fit.
        return series if column.type is ColumnType.CATEGORY else _read(series, final)
    seen = rows_after(skipped, len(series))
    found = convert(series, column.type, meanings.typed, seen)
    return plain_text(found).cast(final)


def _read(series: pl.Series, dtype: pl.DataType) -> pl.Series:
    if not isinstance(series.dtype, pl.Enum):
        return read_as(plain_text(series), dtype)
    values = read_as(series.dtype.categories.cast(pl.String), dtype)
    return values.gather(series.to_physical()).alias(series.name)
