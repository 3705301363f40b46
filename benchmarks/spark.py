"""The embedded Spark engine against the local one: the same order, Parquet to verified Parquet.

Run with ``python benchmarks/spark.py [rows] [method]`` from the root. Ten million rows, eight
quasi-identifiers, two recipients and k = 10 unless told otherwise. Both runs are processes of their
own, one after the other. Fails if a release does not verify or the ratio is out of bounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from adult_like import write_adult_like
from papilio import samples

DATA = Path("bench-data")
BOUND = 4.0
K = 10
GIB = 2**30


@dataclass(frozen=True)
class Run:
    """One publication: how long it took, how much memory all its processes had at most."""

    engine: str
    seconds: float
    cpu: float
    peak: int
    holds: bool
    files: int


def policy_file(source: Path, folder: Path, method: str) -> Path:
    """Two recipients who share two of the eight quasi-identifiers."""
    first, second = samples.ADULT_QUASI[:5], samples.ADULT_QUASI[3:]
    lines = "\n".join(f"  {name}: quasi" for name in samples.ADULT_QUASI)
    file = folder / "policy.yaml"
    file.write_text(
        f"source: {source.resolve()}\ncolumns:\n{lines}\n  income: sensitive\n"
        f"recipients:\n  insurer: [{', '.join(first)}]\n  personnel: [{', '.join(second)}]\n"
        f"privacy: {{k: {K}}}\nmethod: {method}\n"
    )
    return file


def published(policy: Path, target: Path, engine: str) -> Run:
    """Publish in a process of its own and watch its memory."""
    command = [sys.executable, "-m", "papilio.cli.app", "publish", str(policy), "-o", str(target)]
    command += ["--allow", str(DATA)]
    start, before = time.perf_counter(), os.times()
    process = subprocess.Popen(
        [*command, "--engine", engine, "--json"], stdout=subprocess.PIPE, text=True
    )
    peaks: list[int] = [0]
    watcher = threading.Thread(target=_watch, args=(process.pid, peaks))
    watcher.start()
    said = process.communicate()[0]
    watcher.join()
    seconds, after = time.perf_counter() - start, os.times()
    cpu = sum(after[2:4]) - sum(before[2:4])
    holds = process.returncode == 0 and json.loads(said)["verdict"]["holds"]
    files = len(list(target.glob("*.parquet")))
    return Run(engine, seconds, cpu, peaks[0], holds, files)


def _watch(pid: int, peaks: list[int]) -> None:
    """Keep the largest sum of the memory of a process and its children."""
    try:
        family = psutil.Process(pid)
        while family.is_running() and family.status() != psutil.STATUS_ZOMBIE:
            every = [family, *family.children(recursive=True)]
            peaks[0] = max(peaks[0], sum(each.memory_info().rss for each in every))
            time.sleep(0.2)
    except psutil.NoSuchProcess:
        return


def main() -> int:
    """Run both engines, print a table, and say by the exit code whether the bound was kept."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    method = sys.argv[2] if len(sys.argv) > 2 else "butterfly"
    source = write_adult_like(DATA / f"adult_{rows}.parquet", rows)
    print(f"{rows:,} rows, 8 attributes, 2 recipients, k = {K}, {method}; load {os.getloadavg()}")
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        policy = policy_file(source, Path(folder), method)
        runs = [published(policy, Path(folder) / each, each) for each in ("local", "spark")]
    print(f"{'engine':<10}{'seconds':>9}{'cpu':>9}{'GiB':>7}{'files':>7}  verified")
    for run in runs:
        print(
            f"{run.engine:<10}{run.seconds:>9.1f}{run.cpu:>9.1f}{run.peak / GIB:>7.1f}"
            f"{run.files:>7}  {'yes' if run.holds else 'NO'}"
        )
    ratio = runs[1].seconds / runs[0].seconds
    print(f"spark / local: {ratio:.2f} (bound {BOUND}); load {os.getloadavg()}")
    return 0 if ratio <= BOUND and all(run.holds for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
