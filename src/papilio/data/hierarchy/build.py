"""From a declared rule and a column's values to a hierarchy, and from values to its leaves."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.hierarchy.paths import canonical_text, comparable, read_paths
from papilio.data.hierarchy.rules import (
    AutomaticRule,
    DatesRule,
    HierarchyRule,
    IntervalsRule,
    PathsRule,
    PrefixRule,
)
from papilio.data.hierarchy.shapes import automatic, by_dates, by_intervals, by_prefix
from papilio.data.hierarchy.tree import ROOT, Hierarchy
from papilio.data.table import Column, ColumnType
from papilio.errors import DataError


def build(
    rule: HierarchyRule,
    values: pl.Series,
    column_type: ColumnType,
    name: str,
    counts: NDArray[np.int64] | None = None,
) -> Hierarchy:
    """Build the hierarchy a rule declares for a column.

    Parameters
    ----------
    rule
        The declaration.
    values
        The column, its values distinct or not. If it holds NULL, so does the hierarchy.
    column_type
        How the values compare; decides the labels of an automatic hierarchy.
    name
        Name of the column, for messages.
    counts
        Of how many rows each value stands, for messages; left out, of one.

    Returns
    -------
    Hierarchy
        Every value of the column is one of its leaves. A file of paths may bring more leaves; a
        rule has those of the column, in its order (an enumeration's own order, else numbers and
        dates by size and text by code point).

    Raises
    ------
    DataError
        If the rule does not fit the column's values, or a file does not cover them. Messages hold
        counts and no value.
    """
    column = comparable(values.alias(name))
    _check_fit(rule, column, column_type)
    hierarchy = _grow(rule, column.drop_nulls().unique().sort(), column_type)
    if column.null_count():
        hierarchy = hierarchy.with_null_leaf()
    if isinstance(rule, PathsRule):
        _check_cover(hierarchy, column, rule, counts)
    return hierarchy


def leaf_codes(hierarchy: Hierarchy, series: pl.Series) -> NDArray[np.int32]:
    """Leaf rank of each row.

    Values are matched by their canonical text. A floating or decimal number whose text is no leaf
    is matched by number, so 17.0 finds the leaf ``17``. NULL and NaN have rank 0, the NULL leaf.

    Parameters
    ----------
    hierarchy
        The hierarchy of the column.
    series
        The column.

    Raises
    ------
    DataError
        If a value is no leaf, or is NULL while there is no NULL leaf. The message holds a count.

    Notes
    -----
    Cost: one hash lookup a row. Text is looked up in the leaves, every other type in its distinct
    values.
    """
    moments = isinstance(series.dtype, pl.Datetime) and "flat" in hierarchy.reading
    column = series if moments else comparable(series)
    codes = _match(hierarchy, column)
    nulls = column.null_count()
    strangers = codes.null_count() - nulls
    if strangers:
        raise DataError(
            f"column '{series.name}': {_count(strangers, 'row')} with a value that is not in its "
            "hierarchy",
            reason="value-not-in-hierarchy",
        )
    if nulls and not hierarchy.has_null:
        raise DataError(
            f"column '{series.name}': {_count(nulls, 'missing value')}, for which its hierarchy "
            "has no leaf",
            reason="null-not-in-hierarchy",
        )
    return codes.fill_null(0).to_numpy()


def _check_fit(rule: HierarchyRule, column: pl.Series, column_type: ColumnType) -> None:
    dtype = column.dtype
    text = dtype == pl.String or isinstance(dtype, pl.Enum)
    match rule:
        case PrefixRule():
            fits, needed = text or dtype.is_integer(), "prefixes need text or whole numbers"
        case IntervalsRule():
            fits, needed = dtype.is_numeric(), "intervals need numbers"
        case DatesRule():
            fits, needed = dtype == pl.Date, "calendar levels need dates"
        case AutomaticRule():
            ordered = dtype.is_numeric() or dtype == pl.Date
            fits, needed = ordered or not column_type.ordered, "ranges need numbers or dates"
        case PathsRule():
            return
    if not fits and column.null_count() < len(column):
        raise DataError(
            f"column '{column.name}': its hierarchy does not fit its values; {needed}",
            reason="hierarchy-type",
        )


def _grow(rule: HierarchyRule, distinct: pl.Series, column_type: ColumnType) -> Hierarchy:
    match rule:
        case PathsRule(file):
            return read_paths(file)
        case PrefixRule(keep):
            return by_prefix(canonical_text(distinct), keep)
        case IntervalsRule(widths, origin):
            return by_intervals(distinct, widths, origin)
        case DatesRule(levels):
            return by_dates(distinct, levels)
        case AutomaticRule():
            return automatic(distinct, column_type)


def _check_cover(
    hierarchy: Hierarchy, column: pl.Series, rule: PathsRule, counts: NDArray[np.int64] | None
) -> None:
    strange = _match(hierarchy, column).is_null() & column.is_not_null()
    if strange.any():
        values = column.filter(strange).n_unique()
        rows = int(strange.sum() if counts is None else counts[strange.to_numpy()].sum())
        raise DataError(
            f"column '{column.name}': {_count(values, 'value')} (in {_count(rows, 'row')}) "
            f"{'is' if values == 1 else 'are'} not in the hierarchy file {rule.file.name}",
            reason="value-not-in-hierarchy",
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _match(hierarchy: Hierarchy, column: pl.Series) -> pl.Series:
    """Leaf rank of each row; NULL where the value is NULL or no leaf."""
    if column.dtype == pl.String or isinstance(column.dtype, pl.Enum):
        return _match_text(hierarchy, column.cast(pl.String))
    distinct = column.drop_nulls().unique()
    texts = canonical_text(distinct)
    ranks = _match_text(hierarchy, texts)
    if ranks.null_count() and (column.dtype.is_float() or column.dtype.is_decimal()):
        ranks = ranks.fill_null(_match_number(hierarchy, texts))
    return column.replace_strict(distinct, ranks, default=None, return_dtype=pl.Int32)


def _match_text(hierarchy: Hierarchy, texts: pl.Series) -> pl.Series:
    leaves = pl.Enum([leaf for leaf in hierarchy.leaves if leaf is not None])
    codes = texts.cast(leaves, strict=False).to_physical().cast(pl.Int32)
    return codes + 1 if hierarchy.has_null else codes


def _match_number(hierarchy: Hierarchy, texts: pl.Series) -> pl.Series:
    """Leaf whose text is the same number; NULL where there is none or more than one."""
    ranks: dict[Decimal, int | None] = {}
    for number, rank in _numbers(hierarchy):
        ranks[number] = None if number in ranks else rank
    return pl.Series([ranks.get(Decimal(text)) for text in texts], dtype=pl.Int32)


def _numbers(hierarchy: Hierarchy) -> Iterator[tuple[Decimal, int]]:
    """Leaves that are finite numbers, with their ranks."""
    for rank, leaf in enumerate(hierarchy.leaves):
        try:
            number = Decimal(leaf) if leaf is not None else Decimal("NaN")
        except InvalidOperation:
            continue
        if number.is_finite():
            yield number, rank


def flat(values: pl.Series) -> Hierarchy:
    """Tree of two levels over some distinct values: the values themselves, and the root ``*``.

    Labels are the values as text, numbers and dates included. A column with such a hierarchy is
    published either exactly or not at all.

    Parameters
    ----------
    values
        Distinct values in the order of their codes, NULL first if it occurs.

    Raises
    ------
    DataError
        If a value is ``*``: it could not be told from the root.
    """
    texts: list[str | None] = canonical_text(values).to_list()
    if ROOT in texts:
        raise DataError(
            f"column '{values.name}': a value reads like the root '{ROOT}' of a hierarchy; a "
            "hierarchy file with another root is accepted for such a column",
            reason="value-like-label",
        )
    count = len(texts)
    ranks = np.arange(count, dtype=np.int32)
    nodes = ranks + np.int32(1)
    return Hierarchy(
        labels=(ROOT, *texts),
        parent=np.concatenate([[-1], np.zeros(count)]).astype(np.int32),
        first=np.concatenate([[0], ranks]).astype(np.int32),
        last=np.concatenate([[count - 1], ranks]).astype(np.int32),
        leaves=tuple(texts),
        leaf_node=nodes,
        levels=np.stack([nodes, np.zeros_like(nodes)]),
        reading={"automatic": True, "flat": True},
    )


def tree_of(column: Column, values: pl.Series) -> Hierarchy:
    """Hierarchy by which the labels of a column are read: its own, or the flat one."""
    if column.hierarchy is not None:
        return build(column.hierarchy, values, column.type, column.name)
    return flat(_as_they_are(values).unique().sort(nulls_last=False))


def _as_they_are(values: pl.Series) -> pl.Series:
    """Keep moments, which other hierarchies know by their day only."""
    return values if isinstance(values.dtype, pl.Datetime) else comparable(values)
