"""What the generalising methods must lose and take on Adult, as bounds that are checked.

Run with ``python benchmarks/generalisation.py`` from the root of the repository. Losses are bounded
as they are; times as ratios against a sort in the same run, because the machine may be slow or
busy. Every line names its bound; the program fails if one is out of bounds.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from adult_like import adult_like
from adult_table import adult_table, encoded, release_of
from papilio import samples
from papilio.data.encode import EncodedTable, encode
from papilio.data.hierarchy.rules import HierarchyRule, IntervalsRule, PathsRule
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.classes import Classes
from papilio.families.generalising.bottom_up import bottom_up
from papilio.families.generalising.hybrid import hybrid
from papilio.families.generalising.improve import Budget, improve
from papilio.families.generalising.incognito import incognito
from papilio.families.generalising.top_down import relaxed_mondrian, strict_mondrian
from papilio.kernels.demand import Demand
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.randomness import Randomness

KS = (5, 10, 25, 50, 100)
K = 10
IMPROVE_SECONDS = 10.0
ROWS = 1_000_000
#: Hierarchies in the format of another tool, if they lie beside the repository.
HIERARCHIES = Path(__file__).parents[2] / "shared" / "data" / "adult" / "hierarchies" / "a"
FULL_DOMAIN = ("age", "workclass", "education", *samples.ADULT_QUASI[3:])
#: Widths of the intervals of age, where there is no file.
AGES = IntervalsRule((5, 10, 20))


@dataclass(frozen=True)
class Line:
    """One number and the bound it must not exceed."""

    what: str
    number: float
    bound: float
    seconds: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the number is within its bound."""
        return self.number <= self.bound

    @property
    def text(self) -> str:
        """The line of the printed table."""
        seconds = "" if self.seconds is None else f"{self.seconds:.3f}"
        sign = "" if self.kept else "  OUT OF BOUNDS"
        return f"{self.what:<58}{seconds:>10}{self.number:>10.4f}{self.bound:>10.4f}{sign}"


def least_seconds(action: Callable[[], object], repeats: int) -> float:
    """Shortest of some runs, which a busy machine disturbs least, after one to warm up."""
    action()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def relaxed(codes: EncodedTable, demand: Demand) -> Classes:
    """Relaxed Mondrian with the same ties in every run."""
    return relaxed_mondrian(codes, demand, Randomness(1))


def improved(codes: EncodedTable, demand: Demand) -> Classes:
    """Hybrid recoding and ten seconds of improvement."""
    start = hybrid(codes, demand)
    return improve(codes, start, demand, Budget(seconds=IMPROVE_SECONDS)).classes


def losses(table: Table, codes: EncodedTable) -> Iterator[Line]:
    """NCP of hybrid recoding against both Mondrians, and against fixed numbers at k = 10."""

    def loss(method: Callable[[EncodedTable, Demand], Classes], k: int) -> float:
        release = release_of(table, codes, method(codes, Demand(k)), k)
        return ncp(published_classes(release, table)).overall

    for k in KS:
        mine, strict, loose = (loss(method, k) for method in (hybrid, strict_mondrian, relaxed))
        yield Line(f"NCP of hybrid / NCP of strict Mondrian, k = {k}", mine / strict, 1.0)
        yield Line(f"NCP of hybrid / NCP of relaxed Mondrian, k = {k}", mine / loose, 1.0)
        if k == K:
            yield Line(f"NCP of hybrid, k = {k}", mine, 0.055)
    yield Line(f"NCP of hybrid, improved for 10 s, k = {K}", loss(improved, K), 0.046)


def full_domain_table() -> tuple[Table, str]:
    """Adult with a hierarchy for each quasi-identifier, and where the hierarchies come from."""
    there = HIERARCHIES.is_dir()
    columns = tuple(
        Column(
            name,
            Role.QUASI,
            ColumnType.NUMERIC if name == "age" else ColumnType.CATEGORY,
            _hierarchy(name, there=there),
        )
        for name in FULL_DOMAIN
    )
    table = Table("adult", samples.adult().select(*FULL_DOMAIN), columns)
    return table, "ARX format" if there else "own hierarchies"


def _hierarchy(name: str, *, there: bool) -> HierarchyRule:
    if there:
        return PathsRule(HIERARCHIES / f"adult_hierarchy_{name}.csv")
    return AGES if name == "age" else PathsRule(samples.FOLDER / "hierarchies" / f"{name}.csv")


def times(codes: EncodedTable, large: EncodedTable, frame: pl.DataFrame) -> Iterator[Line]:
    """Time of each method, compiled, against one sort of a million rows."""
    columns = list(samples.ADULT_QUASI)
    sort = least_seconds(lambda: frame.select(columns).sort(columns), 5)
    yield Line(f"yardstick: polars sort, {ROWS} rows, 8 columns", 1.0, 1.0, sort)
    table, origin = full_domain_table()
    full = encode(table, table.columns)
    runs: list[tuple[str, Callable[[], object], int, float]] = [
        ("strict Mondrian", partial(strict_mondrian, codes, Demand(K)), 9, 0.06),
        ("relaxed Mondrian", partial(relaxed, codes, Demand(K)), 9, 0.06),
        ("hybrid", partial(hybrid, codes, Demand(K)), 9, 0.6),
        ("bottom-up", partial(bottom_up, codes, Demand(K)), 3, 9.0),
        (f"Incognito, {origin}", partial(incognito, full, Demand(K)), 3, 1.2),
    ]
    for name, action, repeats, bound in runs:
        seconds = least_seconds(action, repeats)
        yield Line(f"{name}, Adult, k = {K} / yardstick", seconds / sort, bound, seconds)
    seconds = least_seconds(partial(hybrid, large, Demand(K)), 3)
    yield Line(f"hybrid, {ROWS} rows, k = {K} / yardstick", seconds / sort, 15.0, seconds)


def main() -> int:
    """Print a table, and say by the exit code whether all bounds were kept."""
    table = adult_table()
    codes = encoded(table)
    frame = adult_like(ROWS)
    large = encoded(adult_table(frame))
    print(f"processors: {os.cpu_count()}, load before: {os.getloadavg()[0]:.1f}")
    print(f"{'what':<58}{'seconds':>10}{'number':>10}{'bound':>10}")
    kept = True
    for line in (*losses(table, codes), *times(codes, large, frame)):
        print(line.text)
        kept &= line.kept
    print(f"load after: {os.getloadavg()[0]:.1f}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
