"""Speed and memory of the spine, as ratios against yardsticks in the same run.

Run by ``make bench``. Every line names a bound; the program fails if a ratio is out of bounds.
Times are printed for orientation only: the machine may be busy with something else.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from adult_like import write_adult_like
from papilio import samples
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.generalising.top_down import strict_mondrian
from papilio.kernels.demand import Demand
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish_to

DATA = Path("bench-data")
K = 10
GIB = 2**30


@dataclass(frozen=True)
class Result:
    """One ratio and its bound."""

    what: str
    seconds: float
    ratio: float
    bound: float

    @property
    def kept(self) -> bool:
        """Whether the ratio is within its bound."""
        return self.ratio <= self.bound


def policy_for(source: Path, folder: Path) -> Policy:
    """Eight quasi-identifiers, one sensitive column."""
    file = folder / "policy.yaml"
    lines = [f"  {name}: quasi" for name in samples.ADULT_QUASI]
    file.write_text(
        f"source: {source.resolve()}\ncolumns:\n"
        + "\n".join(lines)
        + f"\n  income: sensitive\nprivacy: {{k: {K}}}\nmethod: mondrian\n"
    )
    return Policy.load(file, allow=[source.parent])


def median_seconds(action: Callable[[], object], repeats: int) -> float:
    """Median time of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def seconds_to_sort(source: Path, repeats: int = 5) -> float:
    """Time one sort over the quasi-identifiers takes, the yardstick."""
    columns = list(samples.ADULT_QUASI)
    frame = pl.read_parquet(source, columns=columns)
    return median_seconds(lambda: frame.sort(columns), repeats)


def seconds_of_kernel(policy: Policy) -> float:
    """Time strict Mondrian takes on the encoded table, once compiled."""
    table = order_from_source(policy).table
    encoded = encode(table, table.with_role(Role.QUASI))
    strict_mondrian(encoded, Demand(K))
    return median_seconds(lambda: strict_mondrian(encoded, Demand(K)), 5)


def one_million(folder: Path) -> list[Result]:
    """Kernel and whole publication against one sort of the same columns."""
    source = write_adult_like(DATA / "adult_like_1000000.parquet", 1_000_000)
    policy = policy_for(source, folder)
    sort = seconds_to_sort(source)
    kernel = seconds_of_kernel(policy)
    runs = iter(range(100))
    publish_to(folder / "warm", policy)
    publish = median_seconds(lambda: publish_to(folder / f"run{next(runs)}", policy), 3)
    return [
        Result("yardstick: polars sort, 1M rows, 8 columns", sort, 1.0, 1.0),
        Result("Mondrian kernel, 1M rows", kernel, kernel / sort, 1.0),
        Result("publish, Parquet to verified Parquet, 1M rows", publish, publish / sort, 6.0),
    ]


def command_line(folder: Path) -> list[Result]:
    """Whole processes against one that only imports the libraries Papilio stands on."""
    source = folder / "adult.parquet"
    samples.adult().write_parquet(source)
    policy_for(source, folder)
    papilio = [sys.executable, "-m", "papilio.cli.app"]
    runs = iter(range(100))

    def run(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    imports = "import polars, duckdb, numba, pydantic, typer"
    bare = median_seconds(lambda: run(sys.executable, "-c", "import typer"), 5)
    loaded = median_seconds(lambda: run(sys.executable, "-c", imports), 5)
    shown = median_seconds(lambda: run(*papilio, "--help"), 5)
    target = ["publish", str(folder / "policy.yaml"), "-o"]
    published = median_seconds(lambda: run(*papilio, *target, str(folder / f"cli{next(runs)}")), 5)
    return [
        Result("yardstick: python, import typer", bare, 1.0, 1.0),
        Result("papilio --help", shown, shown / bare, 2.0),
        Result("yardstick: python, import the libraries", loaded, 1.0, 1.0),
        Result("papilio publish, Adult 30162 rows", published, published / loaded, 4.0),
    ]


def ten_million(folder: Path) -> list[Result]:
    """Time and peak memory of a publication of ten million rows, in a process of its own.

    The time is that of the whole command, from its start to its end.
    """
    source = write_adult_like(DATA / "adult_like_10000000.parquet", 10_000_000)
    policy_for(source, folder)
    # In a process of its own, so that this one stays small: a child's peak includes its parent's.
    measure = (
        f"import spine, pathlib; print(spine.seconds_to_sort(pathlib.Path({str(source)!r}), 1))"
    )
    told = subprocess.run(
        [sys.executable, "-c", measure], check=True, capture_output=True, text=True, env=_findable()
    )
    sort = float(told.stdout)
    start = time.perf_counter()
    command = [sys.executable, "-m", "papilio.cli.app", "publish", str(folder / "policy.yaml")]
    command += ["--allow", str(source.parent), "-o", str(folder / "ten")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return [
        Result("yardstick: polars sort, 10M rows, 8 columns", sort, 1.0, 1.0),
        Result("publish, Parquet to verified Parquet, 10M rows", seconds, seconds / sort, 5.0),
        Result("publish, 10M rows: peak memory / 8 GiB", seconds, peak / (8 * GIB), 1.0),
    ]


def _findable() -> dict[str, str]:
    """Environment in which this file can be imported."""
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


#: Everything that is bounded.
PARTS = (one_million, command_line, ten_million)


def main() -> int:
    """Run everything, print a table, and say by the exit code whether all bounds were kept."""
    results: list[Result] = []
    for part in PARTS:
        with tempfile.TemporaryDirectory() as folder:
            results += part(Path(folder))
    print(f"{'what':<50}{'seconds':>9}{'ratio':>8}{'bound':>8}")
    for result in results:
        sign = "" if result.kept else "  OUT OF BOUNDS"
        print(
            f"{result.what:<50}{result.seconds:>9.2f}{result.ratio:>8.2f}{result.bound:>8.2f}{sign}"
        )
    return 0 if all(result.kept for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
