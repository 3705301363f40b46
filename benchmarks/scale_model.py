"""What each stage of a Spark run costs per row and attribute, and what follows for larger runs.

Run with ``python benchmarks/scale_model.py [rows …]`` from the root. Publishes tables like Adult on
the embedded engine (``mondrian``, k = 10) with eight and with four quasi-identifiers, takes
processor time at the borders between stages, fits the cost model of ``docs/explanation/scale.md``
and applies it to ten thousand million rows on a hundred workers. A first small run, which compiles
the kernels, is not counted.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from adult_like import write_adult_like
from papilio import samples
from papilio.engines.spark.write import tallied
from papilio.families.generalising.top_tree import PIECE_ROWS
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish_to

DATA = Path("bench-data")
K = 10
#: Stages whose work grows with the rows.
STAGES = ("counting", "dividing", "generalising", "verifying")
#: The run that is extrapolated to: rows, workers, processors of each, bytes per second of each.
LARGE, WORKERS, PROCESSORS, NETWORK = 10**10, 100, 8, 10**9


@dataclass(frozen=True)
class Run:
    """Processor seconds of every stage, and what came to the driver."""

    rows: int
    attributes: int
    seconds: float
    stages: dict[str, float]
    collected: int

    @property
    def levels(self) -> int:
        """Levels of the top tree, each of them one pass."""
        return max(1, math.ceil(math.log2(self.rows / PIECE_ROWS)))

    def per_cell(self, stage: str) -> float:
        """Processor seconds per row and attribute; for dividing, of one pass over them."""
        passes = self.levels + 1 if stage == "dividing" else 1
        return self.stages[stage] / (self.rows * self.attributes * passes)


def policy_for(source: Path, attributes: int) -> Policy:
    """Strict Mondrian over the first quasi-identifiers."""
    columns = dict.fromkeys(samples.ADULT_QUASI[:attributes], "quasi")
    return Policy(
        source=str(source.resolve()),
        columns={**columns, "income": "sensitive"},
        privacy={"k": K},
        method="mondrian",
    )


def processor_seconds() -> float:
    """Processor time of this process and of the engine it started, ended or not."""
    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    running = sum(each.user + each.system for each in times)
    return running + times[0].children_user + times[0].children_system


def measured(rows: int, attributes: int) -> Run:
    """Publish once and put down the processor time at every border between stages."""
    source = write_adult_like(DATA / f"adult_{rows}.parquet", rows)
    borders: list[tuple[str, float]] = []
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=DATA) as folder, tallied() as tally:
        publish_to(
            Path(folder) / "release",
            policy_for(source, attributes),
            engine="spark",
            progress=lambda stage, _: borders.append((stage, processor_seconds())),
        )
    seconds = time.perf_counter() - start
    ends = [*(at for _, at in borders[1:]), borders[-1][1]]
    stages = dict.fromkeys(STAGES, 0.0)
    for (stage, begun), ended in zip(borders, ends, strict=True):
        if stage in stages:
            stages[stage] += max(0.0, ended - begun)
    return Run(rows, attributes, seconds, stages, tally.bytes)


def extrapolated(run: Run) -> dict[str, float]:
    """Hours on the large cluster, stage by stage, by the costs of one run."""
    cells = LARGE * run.attributes
    levels = math.ceil(math.log2(LARGE / PIECE_ROWS))
    hours = {}
    for stage in STAGES:
        passes = levels + 1 if stage == "dividing" else 1
        hours[stage] = run.per_cell(stage) * cells * passes / (WORKERS * PROCESSORS) / 3600
    # Two bytes per code, eight for what is carried and the number of the piece.
    hours["shuffle"] = LARGE * (2 * run.attributes + 8) / (WORKERS * NETWORK) / 3600
    return hours


def show(runs: list[Run]) -> None:
    """Print what was measured."""
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    print(f"{'rows':>12}{'attributes':>12}{'seconds':>9}  nanoseconds of a processor per row and "
          "attribute (dividing: per pass)      collected")  # fmt: skip
    for run in runs:
        costs = "".join(f"{stage:>14} {1e9 * run.per_cell(stage):6.0f}" for stage in STAGES)
        print(
            f"{run.rows:>12,}{run.attributes:>12}{run.seconds:>9.1f}{costs}"
            f"{run.collected / 1e6:>9.2f} MB"
        )


def main() -> None:
    """Measure, print, extrapolate from the largest run."""
    sizes = [int(each) for each in sys.argv[1:]] or [1_000_000, 10_000_000]
    measured(20_000, 8)
    runs = [measured(rows, attributes) for rows in sizes for attributes in (4, 8)]
    show(runs)
    hours = extrapolated(runs[-1])
    print(f"{LARGE:,} rows, {runs[-1].attributes} attributes, {WORKERS} workers with {PROCESSORS} "
          "processors each, by the model:")  # fmt: skip
    for stage, each in hours.items():
        print(f"  {stage:<14}{60 * each:8.1f} minutes")
    print(f"  {'together':<14}{60 * sum(hours.values()):8.1f} minutes")


if __name__ == "__main__":
    main()
