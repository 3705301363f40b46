"""How long queries over a permuted release take beside plain ones over the original.

Run from the root: ``python benchmarks/query.py [rows]``; ten million rows if not said otherwise.
First both are in memory: the plain query in DuckDB over the original frame, against a whole
``release.query(...)``, from parsing to the answer, with estimates and standard deviations. At most
3 times, in processor time, is the bound; the dissertation (section 2.7.2) reports about 4 on its
system. Then both are Parquet files as Papilio writes them: here columns of the help table have to
be read from disk for every question, more than the plain query reads, and no bound is claimed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl

from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.permutation.make import permutation, permuted_release
from papilio.families.permutation.methods.value_counts import sort_values
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.query.answer import Answer
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.workflow.ask import ask

ROWS = 10_000_000
BOUND = 3.0
REPEATS = 5
#: What is asked.
QUERIES = [
    ("AVG, a quarter of the rows", "SELECT avg(salary) FROM people WHERE age BETWEEN 35 AND 55"),
    ("SUM, a tenth", "SELECT sum(salary) FROM people WHERE age > 80"),
    ("SUM, one in a thousand", "SELECT sum(salary) FROM people WHERE zip = 7"),
    ("AVG, two conditions", "SELECT avg(salary) FROM people WHERE age < 40 AND zip < 500"),
    ("COUNT, SUM, AVG", "SELECT count(*), sum(salary), avg(salary) FROM people WHERE age > 50"),
    ("MIN and MAX", "SELECT min(salary), max(salary) FROM people WHERE age > 50"),
    ("AVG by sex", "SELECT sex, avg(salary) FROM people WHERE age > 50 GROUP BY sex"),
]


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    frame = original(rows)
    made = release(frame)
    groups = made.frames["people"]["group"].n_unique()
    print(f"{rows:,} rows in {groups:,} (20, 100)-anonymous groups; best of {REPEATS}\n")
    in_memory(frame, made)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.write_parquet(folder / "people.parquet", compression="zstd", compression_level=1)
        made.save(folder / "release")
        del frame, made
        on_disk(folder)


def original(rows: int) -> pl.DataFrame:
    random = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": random.integers(10, 91, rows),
            "zip": random.integers(0, 1000, rows),
            "sex": np.array(["f", "m"])[random.integers(0, 2, rows)],
            "salary": np.exp(random.normal(10.5, 0.6, rows)).astype(np.int64),
        }
    )


def release(frame: pl.DataFrame) -> Release:
    kinds = {"age": ColumnType.NUMERIC, "zip": ColumnType.NUMERIC, "sex": ColumnType.CATEGORY}
    quasi = tuple(Column(name, Role.QUASI, kind, None, None) for name, kind in kinds.items())
    salary = Column("salary", Role.SENSITIVE, ColumnType.NUMERIC, None, None)
    table = Table("people", frame, (*quasi, salary))
    requirement = KeAnonymity("salary", 20, 100)
    randomness = Randomness(1)
    made = permutation(sort_values(frame["salary"]), requirement, "sum", randomness)
    return permuted_release(table, made, requirement, randomness=randomness).release


def in_memory(frame: pl.DataFrame, made: Release) -> None:
    print(f"{'in memory':<28}{'plain':>9}{'query':>9}{'ratio':>8}{'CPU ratio':>11}{'width':>9}")
    worst = 0.0
    with duckdb.connect() as plain:
        plain.register("people", frame.to_arrow())
        for title, sql in QUERIES:
            fast = best(lambda sql=sql: plain.execute(sql).fetchall())
            slow = best(lambda sql=sql: made.query(sql))
            worst = max(worst, slow.cpu / fast.cpu)
            print(
                f"{title:<28}{fast.wall:>8.3f}s{slow.wall:>8.3f}s{slow.wall / fast.wall:>8.2f}"
                f"{slow.cpu / fast.cpu:>11.2f}{widest(made.query(sql)):>9.2%}"
            )
    verdict = "holds" if worst <= BOUND else "does not hold"
    print(f"\nLargest ratio {worst:.2f}; at most {BOUND:g} {verdict}. The dissertation: about 4.\n")


def on_disk(folder: Path) -> None:
    print(f"{'Parquet files':<28}{'plain':>9}{'query':>10}{'ratio':>8}{'CPU ratio':>11}")
    with duckdb.connect() as plain:
        plain.execute(f"CREATE VIEW people AS SELECT * FROM '{folder / 'people.parquet'}'")
        for title, sql in QUERIES:
            fast = best(lambda sql=sql: plain.execute(sql).fetchall())
            slow = best(lambda sql=sql: ask(folder / "release", sql), 3)
            print(
                f"{title:<28}{fast.wall:>8.3f}s{slow.wall:>9.3f}s{slow.wall / fast.wall:>8.2f}"
                f"{slow.cpu / fast.cpu:>11.2f}"
            )


def widest(answer: Answer) -> float:
    """Largest relative width of the bounds."""
    answers = [each for row in answer.rows for each in row.answers.values()]
    return max((each.hi - each.lo) / abs(each.hi) for each in answers)


class Time(NamedTuple):
    """Seconds on the clock, and of all processors together; the latter heed no neighbours."""

    wall: float
    cpu: float


def best(run: Callable[[], object], repeats: int = REPEATS) -> Time:
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return Time(min(wall for wall, _ in times), min(cpu for _, cpu in times))


if __name__ == "__main__":
    main()
