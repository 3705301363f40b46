"""Hierarchies that a rule makes: dates, intervals, prefixes, flat ones and automatic ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from functools import partial

import polars as pl

from papilio.data.hierarchy.paths import canonical_text, comparable
from papilio.data.hierarchy.rules import DatesRule, IntervalsRule, PrefixRule
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.data.table import ColumnType
from papilio.errors import DataError


def by_dates(values: pl.Series, levels: Sequence[str]) -> Hierarchy:
    """Build the tree whose levels are growing units of the calendar.

    ========  ==============  ================================================================
    level     label           covers
    ========  ==============  ================================================================
    day       ``2020-03-17``  the date itself, so this level repeats the leaves
    month     ``2020-03``     the month
    quarter   ``2020-Q1``     January to March; Q2 starts in April, Q3 in July, Q4 in October
    year      ``2020``        the year
    decade    ``2020s``       the years 2020 to 2029
    century   ``2000-2099``   these hundred years, first and last named; not 2001 to 2100, which
                              would cut the decade 2000s in two
    ========  ==============  ================================================================

    The root is ``*``. Years are written with four digits.

    Parameters
    ----------
    values
        Distinct dates without NULL; moments count by their date.
    levels
        Names of levels, in the order of the table.

    Raises
    ------
    PolicyError
        If ``levels`` is not such a list.

    Notes
    -----
    Cost: the number of values times the number of levels.
    """
    rule = DatesRule(tuple(levels))
    days = comparable(values).cast(pl.Date).unique().sort()
    leaves = canonical_text(days).to_list()
    years, months = days.dt.year().to_list(), days.dt.month().to_list()
    columns = [
        leaves if level == "day" else [_label(level, *at) for at in zip(years, months, strict=True)]
        for level in rule.levels
    ]
    paths = [(*path, ROOT) for path in zip(leaves, *columns, strict=True)]
    return from_leaf_paths(paths, {"dates": list(rule.levels)})


def _label(level: str, year: int, month: int) -> str:
    """Label of the unit that holds a month; days are labelled by themselves."""
    match level:
        case "month":
            return f"{year:04d}-{month:02d}"
        case "quarter":
            return f"{year:04d}-Q{(month + 2) // 3}"
        case "year":
            return f"{year:04d}"
        case "decade":
            return f"{year // 10 * 10:04d}s"
        case _:
            start = year // 100 * 100
            return f"{start:04d}-{start + 99:04d}"


# More digits than any number of a column has: 17 in a float, 39 in the widest integer or decimal.
_EXACT = Context(prec=60)


def by_intervals(
    values: pl.Series, widths: Sequence[int | float], origin: int | float = 0
) -> Hierarchy:
    """Build the tree whose levels are intervals of growing width.

    On the level of width w a number v lies in the interval [o + i w, o + (i + 1) w) with
    i = floor((v - o) / w), o the origin. It is labelled ``[20, 40)``: 20 belongs to it, 40 does
    not. The root is ``*``.

    All numbers count as they are written in decimal: v as its canonical text, w and o as given.
    The arithmetic is exact, so a label is right about a number on its edge both for a reader who
    compares decimals and for one who compares floating numbers.

    Parameters
    ----------
    values
        Distinct numbers without NULL.
    widths
        Widths, one a level: positive, each a larger multiple of the one before.
    origin
        Where an interval of every level starts.

    Raises
    ------
    PolicyError
        If ``widths`` or ``origin`` are not such numbers.
    DataError
        If an interval is so narrow that floating numbers of the column's size cannot tell its
        ends apart.

    Notes
    -----
    Cost: the number of values times the number of levels.
    """
    rule = IntervalsRule(tuple(widths), origin)
    texts = canonical_text(values.sort()).to_list()
    decimals = _decimals([*rule.widths, rule.origin])
    start = _on_grid(str(rule.origin), decimals)
    cells = [_on_grid(text, decimals) - start for text in texts]
    levels: list[list[str]] = []
    for width in rule.widths:
        step = _on_grid(str(width), decimals)
        lows = [start + cell // step * step for cell in cells]
        ends = {low: (_number(low, decimals), _number(low + step, decimals)) for low in lows}
        if values.dtype.is_float():
            _check_readable(values.name, texts, [ends[low] for low in lows])
        levels.append(["[{}, {})".format(*ends[low]) for low in lows])
    paths = [(*path, ROOT) for path in zip(texts, *levels, strict=True)]
    return from_leaf_paths(paths, {"intervals": list(rule.widths), "origin": rule.origin})


def _decimals(numbers: Sequence[int | float]) -> int:
    """Digits after the point that hold all these numbers."""
    exponents = (Decimal(str(number)).normalize().as_tuple().exponent for number in numbers)
    return max(0, *(-exponent for exponent in exponents if isinstance(exponent, int)))


def _on_grid(text: str, decimals: int) -> int:
    """Largest whole number of grid steps, of 10 to the minus ``decimals``, not above a number.

    All ends of intervals lie on the grid, so a number and its grid point are in the same ones.
    """
    return int(Decimal(text).scaleb(decimals, _EXACT).to_integral_value(ROUND_FLOOR, _EXACT))


def _number(steps: int, decimals: int) -> str:
    """Write a grid point in decimal, whole numbers without a point."""
    sign = "-" if steps < 0 else ""
    whole, part = divmod(abs(steps), 10**decimals)
    fraction = f".{part:0{decimals}d}".rstrip("0") if part else ""
    return f"{sign}{whole}{fraction}"


def _check_readable(name: str, texts: Sequence[str], ends: Sequence[tuple[str, str]]) -> None:
    """Refuse intervals that say something else when read as floating numbers."""
    wrong = sum(
        not float(low) <= float(text) < float(high)
        for text, (low, high) in zip(texts, ends, strict=True)
    )
    if wrong:
        raise DataError(
            f"column '{name}': {wrong} distinct numbers are too large for such narrow intervals; "
            "wider intervals are accepted",
            reason="interval-too-narrow",
        )


def by_prefix(values: pl.Series, keep: Sequence[int]) -> Hierarchy:
    """Build the tree whose levels keep fewer and fewer first characters.

    A node is labelled by the characters it keeps and ``*``, the root by ``*``: ``12*`` reads "12
    and at least one more character". A value no longer than what a level keeps stays itself on
    that level, so ``12`` and ``12*`` may both be there and are two nodes.

    Parameters
    ----------
    values
        Distinct text values without NULL.
    keep
        Numbers of characters (code points), one a level: positive and strictly decreasing.

    Raises
    ------
    PolicyError
        If ``keep`` is not such a list.
    DataError
        If a value contains ``*``: it could not be told from a label.

    Notes
    -----
    Cost: the number of values times the number of levels.
    """
    rule = PrefixRule(tuple(keep))
    starred = int(values.str.contains(ROOT, literal=True).sum())
    if starred:
        raise DataError(
            f"column '{values.name}': {starred} distinct values contain '{ROOT}', which marks a "
            "prefix; a hierarchy file is accepted for such a column",
            reason="star-in-value",
        )
    ordered = values.sort()
    levels = [ordered, *(_cut(ordered, length) for length in rule.keep)]
    paths = [(*path, ROOT) for path in zip(*levels, strict=True)]
    return from_leaf_paths(paths, {"prefix": list(rule.keep)})


def _cut(values: pl.Series, length: int) -> pl.Series:
    """Labels of the level that keeps ``length`` characters."""
    longer = values.str.len_chars() > length
    return (values.str.head(length) + ROOT).zip_with(longer, values)


def automatic(values: pl.Series, column_type: ColumnType) -> Hierarchy:
    """Build a balanced binary tree over the values in the given order.

    A node over n values has children over the first ceil(n / 2) and the last floor(n / 2) of them,
    so the height is ceil(log2 n). A node of an ordered column is labelled by its smallest and
    largest value, ``[17, 25]``, both included; a node of any other column by the compact JSON list
    of its values, ``["a","b"]``. The root is ``*``. Level i from the top holds the nodes of depth
    i; a leaf that is not as deep as others stands for itself below. The same values give the same
    tree.

    The labels show values that occur in the data: the ends of a range are values of some row, and
    a list names only values of some row. Where rows are left out of a release, labels are written
    anew for the rows that are published, see :mod:`papilio.data.hierarchy.published_labels`. A
    hierarchy that is declared, by file or by rule, does not depend on the data and says nothing of
    this kind.

    Parameters
    ----------
    values
        Distinct values without NULL, smallest first when the column is ordered.
    column_type
        Whether labels are ranges or lists.

    Raises
    ------
    DataError
        If a value of an unordered column is also the label of a group.

    Notes
    -----
    Cost: n log n, also for the total length of the labels.
    """
    leaves = canonical_text(values).to_list()
    paths = _paths(leaves, partial(label_of, ordered=column_type.ordered))
    groups = {label for path in paths for label in path if label != path[0]}
    clashes = len((groups | {ROOT}).intersection(leaves))
    if clashes:
        raise DataError(
            f"column '{values.name}': {clashes} distinct values read like the label of a group of "
            "values; a hierarchy file is accepted for such a column",
            reason="value-like-label",
        )
    return from_leaf_paths(paths, {"automatic": True})


def label_of(values: Sequence[str], *, ordered: bool) -> str:
    """Label of a group of two values or more, in their order: a range if ordered, else a list."""
    if ordered:
        return f"[{values[0]}, {values[-1]}]"
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _paths(leaves: Sequence[str], write: Callable[[Sequence[str]], str]) -> list[list[str]]:
    """Path of each leaf, all of the same length: leaves nearer the root are repeated."""
    length = max(1, (len(leaves) - 1).bit_length()) + 1
    paths: list[list[str]] = []

    def descend(lo: int, hi: int, above: list[str]) -> None:
        if hi - lo == 1:
            paths.append([leaves[lo]] * (length - len(above)) + above)
            return
        middle = (lo + hi + 1) // 2
        for start, stop in ((lo, middle), (middle, hi)):
            inner = [write(leaves[start:stop])] if stop - start > 1 else []
            descend(start, stop, inner + above)

    if leaves:
        descend(0, len(leaves), [ROOT])
    return paths
