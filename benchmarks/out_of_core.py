"""More rows than memory on one machine, and ten million rows in memory against a sort.

Run from the root: ``python benchmarks/out_of_core.py``. Ten million rows take a minute or two;
``--hundred-million`` adds the run that the limit of 8 GiB is about, and needs 10 GB of disk. Each
run is a process of its own, whose largest resident memory is measured. The program fails if a run
does not verify or is out of its bounds. Times are for orientation: the machine may be busy.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import polars as pl

from adult_like import write_adult_like
from papilio import samples

DATA = Path("bench-data")
GIB = 1 << 30
T = TypeVar("T")
POLICY = """source: {source}
columns:
{quasi}
  income: sensitive
privacy: {{k: 10}}
method: mondrian
"""


@dataclass(frozen=True)
class Run:
    """One publication in a process of its own."""

    what: str
    rows: int
    seconds: float
    peak: int
    limit: int
    release: int
    pieces: int

    @property
    def kept(self) -> bool:
        """Whether the limit was kept."""
        return self.peak <= self.limit


def write_policy(source: Path, folder: Path) -> Path:
    """Eight quasi-identifiers, one sensitive column, k = 10."""
    quasi = "\n".join(f"  {name}: quasi" for name in samples.ADULT_QUASI)
    file = folder / "policy.yaml"
    file.write_text(POLICY.format(source=source.resolve(), quasi=quasi))
    return file


def publish(what: str, rows: int, folder: Path, memory: int) -> Run:
    """Publish from Parquet to verified Parquet; the command fails if it does not verify."""
    source = elsewhere(table_of, rows)
    target = folder / "release"
    command = [sys.executable, "-m", "papilio.cli.app", "publish"]
    command += [str(write_policy(source, folder)), "-o", str(target), "--memory", str(memory)]
    command += ["--allow", str(source.parent)]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{what}: the run failed")
    files = list(target.iterdir())
    size = sum(file.stat().st_size for file in files)
    shutil.rmtree(target)
    return Run(what, rows, seconds, used.ru_maxrss * 1024, memory, size, len(files) - 1)


def elsewhere(work: Callable[[int], T], rows: int) -> T:
    """Do something in a process of its own.

    What this process has ever held would count as memory of each process it starts.
    """
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh) as pool:
        return pool.submit(work, rows).result()


def table_of(rows: int) -> Path:
    """The table with so many rows; it is made if it is not there."""
    return write_adult_like(DATA / f"adult_{rows}.parquet", rows)


def seconds_to_sort(rows: int) -> float:
    """Time one sort over the quasi-identifiers takes, the frame being in memory."""
    columns = list(samples.ADULT_QUASI)
    frame = pl.read_parquet(table_of(rows), columns=columns)
    start = time.perf_counter()
    frame.sort(columns)
    return time.perf_counter() - start


def show(run: Run) -> None:
    """Print one line."""
    sign = "" if run.kept else "  OUT OF BOUNDS"
    print(
        f"{run.what:<34}{run.rows:>12,}{run.seconds:>9.1f} s{run.peak / GIB:>8.2f} GiB of "
        f"{run.limit / GIB:.1f}{run.pieces:>6} files{run.release / 1e6:>9.1f} MB{sign}"
    )


def main() -> int:
    """Run everything and say by the exit code whether all bounds were kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hundred-million", action="store_true", help="also 10^8 rows in 8 GiB")
    asked = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    ten = 10_000_000
    with tempfile.TemporaryDirectory(dir=DATA.parent) as name:
        folder = Path(name)
        sort = elsewhere(seconds_to_sort, ten)
        runs = [publish("in memory", ten, folder, 8 * GIB)]
        again = elsewhere(seconds_to_sort, ten)
        runs.append(publish("piece by piece", ten, folder, GIB))
        if asked.hundred_million:
            runs.append(publish("piece by piece", 100_000_000, folder, 8 * GIB))
    for run in runs:
        show(run)
    ratio = runs[0].seconds / ((sort + again) / 2)
    print(f"in memory against one polars sort ({sort:.1f} s, {again:.1f} s): {ratio:.2f} (bound 5)")
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0 if ratio <= 5 and all(run.kept for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
