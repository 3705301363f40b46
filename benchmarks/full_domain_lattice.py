"""Every full-domain generalisation of a few quasi-identifiers, measured by going through them.

The slow and obvious way, for figures that count generalisations: a vector of levels, the classes it
makes, the least size of a class, its discernibility, and how far each sensitive column is from its
distribution in the table (Earth Mover's Distance, equal distances), in the class that is worst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: Levels of a column: expressions from the value to the label, the finest first.
Levels = Mapping[str, Sequence[pl.Expr]]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All vectors of levels.

    Attributes
    ----------
    vectors
        Level of each column.
    smallest, discernibility
        Least class size, and sum of squared class sizes, per vector.
    closeness
        Per vector and sensitive column, the distance of the worst class.
    """

    vectors: tuple[tuple[int, ...], ...]
    smallest: NDArray[np.int64]
    discernibility: NDArray[np.int64]
    closeness: NDArray[np.float64]

    def best(self, tables: Sequence[Sequence[int]], k: int, discernibility: float) -> float | None:
        """Best closeness of a plan: of each table's best vector, the worst; None if there is none.

        Every table takes a vector of its own, with classes of k rows and at most so much
        discernibility.
        """
        allowed = (self.smallest >= k) & (self.discernibility <= discernibility)
        if not allowed.any():
            return None
        part = self.closeness[allowed]
        return max(float(part[:, list(table)].max(axis=1).min()) for table in tables)

    def count(self, k: int, discernibility: float = np.inf) -> int:
        """Number of vectors with classes of k rows."""
        allowed = (self.smallest >= k) & (self.discernibility <= discernibility)
        return int(allowed.sum())


def lattice(frame: pl.DataFrame, levels: Levels, sensitive: Sequence[str]) -> Lattice:
    """Measure every vector; the frame has the quasi-identifiers and the sensitive columns."""
    counted = [
        frame.group_by(*levels, pl.col(name).alias("value")).agg(pl.len().cast(pl.Int64).alias("n"))
        for name in sensitive
    ]
    shares = [
        each.group_by("value").agg((pl.col("n").sum() / frame.height).alias("q"))
        for each in counted
    ]
    counted = [
        each.join(share, on="value", nulls_equal=True)
        for each, share in zip(counted, shares, strict=True)
    ]
    vectors = tuple(product(*(range(len(each)) for each in levels.values())))
    rows = [_measure(counted, levels, vector) for vector in vectors]
    return Lattice(
        vectors,
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        np.array([row[2] for row in rows]),
    )


def _measure(
    counted: list[pl.DataFrame], levels: Levels, vector: Sequence[int]
) -> tuple[int, int, list[float]]:
    labels = [
        said[level].alias(f"c{place}")
        for place, (said, level) in enumerate(zip(levels.values(), vector, strict=True))
    ]
    keys = [f"c{place}" for place in range(len(labels))]
    sizes = counted[0].select(*labels, "n").group_by(keys).agg(pl.col("n").sum().alias("size"))
    distances = []
    for each in counted:
        classes = (
            each.select(*labels, "value", "q", "n")
            .group_by(*keys, "value")
            .agg(pl.col("n").sum(), pl.col("q").first())
        )
        joined = classes.join(sizes, on=keys)
        more = (pl.col("n") / pl.col("size") - pl.col("q")).clip(lower_bound=0)
        far = joined.group_by(keys).agg(more.sum().alias("far")).get_column("far").max()
        distances.append(float(far))  # type: ignore[arg-type]
    size = sizes.get_column("size").to_numpy()
    return int(size.min()), int((size.astype(np.int64) ** 2).sum()), distances
