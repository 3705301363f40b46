"""What there is to know about a permuted release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.document.bins import bins_over, count_points
from papilio.families.permutation.histogram import Bar, Histogram
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release

#: Shares of the rows of each group that the examples of questions select.
SHARES = (0.1, 0.25, 0.5, 0.9, 1.0)


@dataclass(frozen=True)
class Precision:
    """What is known of a sum over a share of the rows of each group.

    Attributes
    ----------
    share
        The share, rounded up to whole rows in each group.
    low, high, mean, std
        Bounds, mean and standard deviation.
    """

    share: float
    low: float
    high: float
    mean: float
    std: float


@dataclass(frozen=True, kw_only=True)
class PermutedFacts:
    """Figures of a permuted release; all follow from the published tables.

    Attributes
    ----------
    name, columns
        The table, and the columns of people and values as they are published.
    sensitive
        The sensitive column.
    rows, groups, missing
        Number of people, of groups and of missing values.
    widest, total_width, range
        Width of the widest group, of all together, and of all values.
    sizes, widths, values
        Rows of groups, widths of groups, and the sensitive column.
    precision
        What is known of sums.
    """

    name: str
    columns: tuple[PublishedColumn, ...]
    sensitive: str
    rows: int
    groups: int
    missing: int
    widest: float
    total_width: float
    range: float
    sizes: Histogram
    widths: Histogram
    values: Histogram
    precision: tuple[Precision, ...]

    @property
    def loss(self) -> float:
        """Average width of a group as a share of that of all values."""
        return self.total_width / self.groups / self.range if self.range else 0.0


def permuted_facts(release: Release) -> PermutedFacts:
    """Measure a permuted release. Cost: one grouping of its values."""
    people, values, _ = release.manifest.tables
    (group,) = (column.name for column in people.columns if column.cells == "group")
    (sensitive,) = (column.name for column in values.columns if column.cells == "value")
    series = release.frames[values.name].get_column(sensitive)
    groups = _groups(release.frames[values.name], group, sensitive)
    widths, known = groups.get_column("width"), series.drop_nulls()
    return PermutedFacts(
        name=people.name,
        columns=(*(c for c in people.columns if c.cells == "value"), values.columns[1]),
        sensitive=sensitive,
        rows=len(series),
        groups=groups.height,
        missing=series.null_count(),
        widest=_number(widths.max()),
        total_width=float(widths.sum()),
        range=_number(known.max()) - _number(known.min()),
        sizes=_histogram(groups.get_column("rows"), "Group sizes", "rows in the group", "groups"),
        widths=_histogram(
            widths,
            "Widths of groups",
            "largest minus smallest value",
            "groups",
            _demanded(release),
        ),
        values=_histogram(known, sensitive, sensitive, "rows"),
        precision=tuple(_precision(release, group, groups, share) for share in SHARES),
    )


def _groups(frame: pl.DataFrame, group: str, sensitive: str) -> pl.DataFrame:
    value = pl.col(sensitive).cast(pl.Float64)
    return frame.group_by(pl.col(group).alias("group")).agg(
        pl.len().cast(pl.Int64).alias("rows"), (value.max() - value.min()).alias("width")
    )


def _demanded(release: Release) -> tuple[float, str] | None:
    e = release.manifest.claims[0].parameters.get("e") if release.manifest.claims else None
    return (float(e), "e") if isinstance(e, int | float) and e > 0 else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _histogram(
    series: pl.Series,
    title: str,
    axis: str,
    things: str,
    mark: tuple[float, str] | None = None,
) -> Histogram:
    bins = bins_over(series)
    counts: NDArray[np.float64] = count_points(
        bins.positions(series), np.ones(len(series)), bins.edges
    )
    parts = zip(bins.labels, bins.axis, bins.axis[1:], counts, strict=False)
    bars = tuple(Bar(label, float(low), float(high), int(n)) for label, low, high, n in parts)
    return Histogram(title, axis, things, bars, mark)


def _precision(release: Release, group: str, groups: pl.DataFrame, share: float) -> Precision:
    """Bounds of the sum over this share of the rows of every group."""
    helping = release.frames[release.manifest.tables[2].name]
    hits = (pl.col("rows") * share).ceil().cast(pl.Int64).alias("hits")
    asked = groups.select(pl.col("group").alias(group), hits)
    found = helping.join(asked, on=[group, "hits"]).select(
        pl.col("sum_lo", "sum_hi", "sum_mean", "sum_var").cast(pl.Float64).sum()
    )
    low, high, mean, variance = found.row(0)
    return Precision(share, low, high, mean, variance**0.5)
