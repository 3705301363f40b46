"""How the time for linked tables grows with the number of people.

Run from the root: ``python -m benchmarks.linked_growth``. A generator makes 100,000, 300,000 and
1,000,000 people with visits and prescriptions. The bound is n log n: the processor time per
person and logarithm of their number must not grow from the first line to the last by more than what
larger arrays cost in cache misses.
"""

from __future__ import annotations

import math
import resource
import sys
import time

import numpy as np
import polars as pl

from papilio.data.link import Part, Snowflake, link
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.linked.methods.forest import forest_of
from papilio.families.linked.methods.miracle import cluster, stamp_clusters

SIZES = (100_000, 300_000, 1_000_000)
K = 5


def people(count: int, seed: int = 1) -> Snowflake:
    """People with an age, a region and a job; up to a dozen visits; prescriptions for each."""
    generator = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": np.clip(generator.normal(45, 18, count), 0, 99).astype(np.int64),
            "region": _labels("r", generator.zipf(1.6, count) % 20),
            "job": _labels("j", generator.zipf(1.4, count) % 30),
        }
    )
    visits = np.repeat(np.arange(count), np.minimum(generator.geometric(0.45, count) - 1, 12))
    ward = pl.DataFrame(
        {
            "ward": _labels("w", generator.zipf(1.5, len(visits)) % 12),
            "year": generator.integers(2015, 2025, len(visits)),
        }
    )
    drugs = np.repeat(np.arange(len(visits)), generator.poisson(0.7, len(visits)))
    drug = pl.DataFrame({"drug": _labels("d", generator.zipf(1.4, len(drugs)) % 25)})
    return link(
        [
            _part("person", frame, count, None, None),
            _part("visit", ward, len(visits), "person", visits),
            _part("drug", drug, len(drugs), "visit", drugs),
        ]
    )


def _labels(letter: str, numbers: np.ndarray) -> pl.Series:
    return pl.Series([f"{letter}{n:02d}" for n in range(40)]).gather(numbers.astype(np.int64))


def _part(
    name: str, frame: pl.DataFrame, height: int, parent: str | None, up: np.ndarray | None
) -> Part:
    columns = tuple(
        Column(
            each.name,
            Role.QUASI,
            ColumnType.NUMERIC if each.dtype.is_integer() else ColumnType.CATEGORY,
        )
        for each in frame.iter_columns()
    )
    keys = pl.Series("id", np.arange(height))
    references = None if up is None else pl.Series("up", up)
    return Part(Table(name, frame, columns), "id", keys, parent, "up", references)


def main() -> int:
    """Measure and print."""
    _measure(people(5_000))
    say = sys.stdout.write
    say("people       rows         trees        classes    seconds  µs/(n log n)  removed\n")
    per_unit = []
    for count in SIZES:
        snowflake = people(count)
        clock = time.process_time()
        trees, classes, removed = _measure(snowflake)
        took = time.process_time() - clock
        rows = sum(each.height for each in snowflake.tables)
        per_unit.append(1e6 * took / (count * math.log2(count)))
        say(
            f"{count:<12,} {rows:<12,} {trees:<12,} {classes:<10,} {took:<8.1f} "
            f"{per_unit[-1]:<13.3f} {removed:.2%}\n"
        )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    ratio = per_unit[-1] / per_unit[0]
    say(f"largest against smallest, per n log n: {ratio:.2f} (n log n: 1); {memory:.1f} GiB\n")
    return 0


def _measure(snowflake: Snowflake) -> tuple[int, int, float]:
    forest = forest_of(snowflake)
    clusters = cluster(forest, snowflake, K, skeleton="divide")
    stamped = stamp_clusters(forest, clusters)
    return len(forest.table), clusters.count, float((stamped.group < 0).mean())


if __name__ == "__main__":
    raise SystemExit(main())
