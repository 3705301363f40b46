"""Hierarchies of dates by units of the calendar."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from papilio.data.hierarchy.rules import DatesRule
from papilio.data.hierarchy.text import canonical_text, comparable
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths


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
