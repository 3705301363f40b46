"""One measurement in a process of its own; what it took goes to standard output as JSON.

Run by :mod:`page.measure` with what to do as JSON: ``{"yardstick": …}`` or ``{"publish": …}``.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

from adult_like import adult_like
from page.orders import QUASI, policy_of
from page.plan import Task
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.publish import publish_to

#: Rows of the publication that loads everything before the clock runs.
WARM = 1000
#: The original is read again for the loss; beyond this it is not.
LOSS_ROWS = 10**7


def yardstick(source: Path, attributes: int, repeats: int) -> dict[str, float]:
    """Seconds of a sort and of a group-by of the same columns, in memory already."""
    columns = list(QUASI[:attributes])
    frame = pl.read_parquet(source, columns=columns)
    return {
        "sort": _median(lambda: frame.sort(columns), repeats),
        "group": _median(lambda: frame.group_by(columns).len(), repeats),
    }


def publish(task: Task, source: Path, scratch: Path) -> dict[str, float | None]:
    """Seconds, processor time, peak memory and loss of a publication."""
    warm = scratch / "warm.parquet"
    adult_like(WARM).write_parquet(warm)
    publish_to(scratch / "warm", policy_of(task, warm))
    policy = policy_of(task, source)
    runs = iter(range(task.repeats))
    used = time.process_time()
    seconds = _median(lambda: publish_to(scratch / f"run{next(runs)}", policy), task.repeats)
    cost = {
        "seconds": seconds,
        "processor": (time.process_time() - used) / task.repeats,
        "mebibytes": _peak() / 1024,
    }
    return {**cost, "loss": _loss(task, policy, scratch / "run0")}


def _loss(task: Task, policy: Policy, directory: Path) -> float | None:
    """NCP of a release whose cells are generalised; ``None`` of others and of very large ones."""
    if task.rows > LOSS_ROWS:
        return None
    release = Release.open(directory)
    if release.manifest.kind != "generalised":
        return None
    return ncp(published_classes(release, order_from_source(policy).table)).overall


def _median(action: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _peak() -> int:
    """Kibibytes this process had at most; the peak of ``getrusage`` includes the parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def main(asked: dict[str, dict[str, int | str]], source: Path) -> dict[str, float | None]:
    """Do what is asked."""
    if "yardstick" in asked:
        attributes, repeats = (int(asked["yardstick"][key]) for key in ("attributes", "repeats"))
        return {**yardstick(source, attributes, repeats)}
    # On the disk of the table: memory must not pay for what is written.
    with tempfile.TemporaryDirectory(dir=source.parent) as scratch:
        return publish(Task(**asked["publish"]), source, Path(scratch))  # type: ignore[arg-type]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(json.loads(sys.argv[1]), Path(sys.argv[2]))) + "\n")
