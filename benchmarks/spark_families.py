"""Permutation on the embedded Spark engine against one machine: time, memory, and what is lost.

Run with ``python benchmarks/spark_families.py`` from the root of the repository; it takes about six
minutes. ``PAPILIO_ROWS`` sets the numbers of rows (``1000000,10000000``). Each run is a process of
its own, from Parquet to a verified release, with imports and compiled kernels warm. The yardstick
is one Polars sort of the same columns.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from papilio import Policy
from papilio.workflow.publish import publish_to

ROWS = os.environ.get("PAPILIO_ROWS", "1000000,10000000")
SEED = 11
_MIB = 1024


def people(rows: int) -> pl.DataFrame:
    """Quasi-identifiers, a key that stays behind, and salaries of which one in fifty is missing."""
    chance = np.random.default_rng(SEED)
    salary = pl.Series(chance.lognormal(10, 0.7, rows).astype(np.int64))
    return pl.DataFrame(
        {
            "person": np.arange(rows),
            "age": chance.integers(18, 90, rows),
            "town": chance.integers(1000, 3000, rows),
            "job": pl.Series(chance.integers(0, 300, rows)).cast(pl.String),
            "sex": pl.Series(chance.integers(0, 2, rows)).cast(pl.String),
            "salary": salary.set(pl.Series(chance.random(rows) < 0.02), None),
        }
    )


def order(path: Path) -> Policy:
    """(k,e)-anonymity of the salaries with k = 10 and e = 1000."""
    columns = {"person": "identifier", "salary": "sensitive"}
    columns |= dict.fromkeys(("age", "town", "job", "sex"), "quasi")
    return Policy(
        source=str(path), columns=columns, privacy={"k": 10, "e": 1000}, method="permutation"
    )


def sort_seconds(path: Path) -> float:
    """Time of one sort of the columns, read before."""
    frame = pl.read_parquet(path).drop("person")
    started = time.perf_counter()
    frame.sort(frame.columns)
    return time.perf_counter() - started


def run(engine: str, path: Path, out: Path) -> dict[str, float]:
    """Publish once in this process; seconds, memory, and the sum of the widths of the groups."""
    policy = order(path)
    started = time.perf_counter()
    made = publish_to(out, policy, engine=engine)
    seconds = time.perf_counter() - started
    own, children = (
        resource.getrusage(who).ru_maxrss / _MIB
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    files = sorted(out.glob(f"{made.release.manifest.tables[1].name}.*parquet"))
    spread = pl.col("salary").max() - pl.col("salary").min()
    widths = pl.scan_parquet(files).group_by("group").agg(spread).collect().get_column("salary")
    return {
        "seconds": seconds,
        "memory": own + children,
        "groups": float(len(widths)),
        "loss": float(widths.sum()),
    }


def measure(engine: str, path: Path, folder: Path) -> dict[str, float]:
    """Run in a process of its own."""
    out = folder / f"{engine}_{path.stem}"
    command = [sys.executable, __file__, engine, str(path), str(out)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print one line for each size and engine."""
    sys.stdout.write(
        "| rows | engine | seconds | times one sort | times local | peak MiB | groups | loss |\n"
        "|---:|---|---:|---:|---:|---:|---:|---:|\n"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = folder / "warm.parquet"
        people(20_000).write_parquet(warm)
        for engine in ("local", "spark"):
            measure(engine, warm, folder)
        for rows in map(int, ROWS.split(",")):
            path = folder / "people.parquet"
            people(rows).write_parquet(path, row_group_size=250_000)
            sort = sort_seconds(path)
            local: dict[str, float] = {}
            for engine in ("local", "spark"):
                place = folder / f"{rows}"
                place.mkdir(exist_ok=True)
                found = measure(engine, path, place)
                local = local or found
                sys.stdout.write(
                    f"| {rows:,} | {engine} | {found['seconds']:.1f} | "
                    f"{found['seconds'] / sort:.1f} | {found['seconds'] / local['seconds']:.2f} | "
                    f"{found['memory']:,.0f} | {found['groups']:,.0f} | "
                    f"{found['loss'] / local['loss']:.4f} |\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(json.dumps(run(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        main()
