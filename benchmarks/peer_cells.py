"""What packages publish, read back to classes, and their NCP by one definition for all.

A class is what its rows have in common: the smallest and largest number, or the labels that occur.
Loss of a number (max - min) / range of the column, of a label (labels - 1) / (labels of the column
- 1), mean over all cells. A row that is left out loses all its cells.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from papilio import samples

QUASI = samples.ADULT_QUASI
NUMERIC = ("age", "education-num")


@dataclass(frozen=True)
class Outcome:
    """What a package made of a table.

    Attributes
    ----------
    classes
        Number of classes.
    left_out
        Rows that are not published.
    ncp
        Loss by the definition above.
    """

    classes: int
    left_out: int
    ncp: float


def outcome(boxes: pl.DataFrame, original: pl.DataFrame) -> Outcome:
    """Measure classes.

    Parameters
    ----------
    boxes
        One line a class: ``rows``; for numbers the width ``max - min``, for labels how many occur.
    original
        The table.
    """
    lost = pl.mean_horizontal(
        pl.col(name) / _range(original[name]) if name in NUMERIC
        else (pl.col(name) - 1) / (original[name].n_unique() - 1)
        for name in QUASI
    )  # fmt: skip
    published = int(boxes["rows"].sum())
    left_out = original.height - published
    total = float(boxes.select((lost * pl.col("rows")).sum()).item()) + left_out
    return Outcome(boxes.height, left_out, total / original.height)


def _range(column: pl.Series) -> int:
    low, high = column.min(), column.max()
    assert isinstance(low, int)
    assert isinstance(high, int)
    return high - low


def read_text(file: Path, _: pl.DataFrame) -> pl.DataFrame:
    """Cells of anonypy and anonypyx: ``17-25`` and ``a,b``, with the number of equal rows."""
    published = pl.read_csv(file, schema_overrides=dict.fromkeys(QUASI, pl.String))
    classes = published.group_by(QUASI).agg(rows=pl.col("count").sum())
    widths = [
        _ends(pl.col(name).str.split("-")) if name in NUMERIC else _parts(pl.col(name))
        for name in QUASI
    ]
    return classes.with_columns(*widths)


def _ends(parts: pl.Expr) -> pl.Expr:
    return parts.list.last().cast(pl.Float64) - parts.list.first().cast(pl.Float64)


def _parts(cell: pl.Expr) -> pl.Expr:
    return cell.str.split(",").list.len().cast(pl.Int64)


def read_release(file: Path, _: pl.DataFrame) -> pl.DataFrame:
    """Cells of Papilio: two columns a number, a JSON list a label."""
    published = pl.read_csv(file)
    names = published.columns
    classes = published.group_by(names).agg(rows=pl.len())
    widths = [
        (pl.col(f"{name}_max") - pl.col(f"{name}_min")).alias(name)
        if name in NUMERIC
        else pl.col(name).map_elements(_members, return_dtype=pl.Int64)
        for name in QUASI
    ]
    return classes.select("rows", *widths)


def _members(cell: str) -> int:
    return len(json.loads(cell))


def read_nodes(file: Path, original: pl.DataFrame) -> pl.DataFrame:
    """Nodes of hierarchies, one level a column: classes are what the rows below them span.

    A node may cover more than that; the definition above does not see it. The hierarchies lie
    beside the table: ``<column>.csv``.

    Raises
    ------
    ValueError
        If the published rows are not those below their nodes.
    """
    published = pl.read_csv(file, schema_overrides=dict.fromkeys(QUASI, pl.String))
    nodes = [_nodes(original[name], published[name], file.parent) for name in QUASI]
    labels = [f"{name} node" for name in QUASI]
    spans = pl.concat([original, pl.DataFrame(nodes)], how="horizontal").group_by(labels).agg(
        pl.len().alias("rows"),
        *(
            pl.col(name).max() - pl.col(name).min() if name in NUMERIC
            else pl.col(name).n_unique().cast(pl.Int64)
            for name in QUASI
        ),
    )  # fmt: skip
    counts = published.group_by(QUASI).agg(published=pl.len())
    classes = counts.join(spans, left_on=QUASI, right_on=labels, suffix=" width")
    if classes.height < counts.height or (classes["rows"] != classes["published"]).any():
        raise ValueError("published rows are not those below their nodes")
    return classes.select("rows", *(pl.col(f"{name} width").alias(name) for name in QUASI))


def _nodes(values: pl.Series, cells: pl.Series, folder: Path) -> pl.Series:
    """Labels of the original's values on the lowest level that has all published ones."""
    paths = pl.read_csv(folder / f"{values.name}.csv", has_header=False, infer_schema=False)
    for level in paths:
        if cells.is_in(level.implode()).all():
            leaves = values.cast(pl.String)
            return leaves.replace_strict(paths.to_series(0), level).alias(f"{values.name} node")
    raise ValueError(f"column '{values.name}': cells are on no level of the hierarchy")


Reader = Callable[[Path, pl.DataFrame], pl.DataFrame]
