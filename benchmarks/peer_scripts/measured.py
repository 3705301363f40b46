"""What every script of this folder shares; needs nothing but Python and pandas.

The scripts run in environments of their own, which do not hold Papilio. Each reads the same table,
calls one package, and writes what that package publishes and what it took.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

QUASI = [
    "age",
    "workclass",
    "education-num",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
]
SENSITIVE = "income"
NUMERIC = ["age", "education-num"]


@dataclass(frozen=True)
class Task:
    """One run: where the table lies, where the result goes, and what is asked for."""

    folder: Path
    target: Path
    k: int
    option: str

    @classmethod
    def read(cls, arguments: list[str]) -> Task:
        """Read the arguments of a script."""
        folder, target, k, option = arguments
        return cls(Path(folder), Path(target), int(k), option)


def table(task: Task) -> pd.DataFrame:
    """Read the table; labels as categories, as the packages expect them."""
    frame = pd.read_csv(task.folder / "adult.csv")
    labels = [name for name in [*QUASI, SENSITIVE] if name not in NUMERIC]
    return frame.astype(dict.fromkeys(labels, "category"))


def run(task: Task, action: Callable[[], Any]) -> Any:
    """Call a package; write its seconds and the process's peak memory beside the result.

    On a busy machine the seconds of the processor say more than those of the clock.
    """
    _spare_the_machine()
    start, used = time.perf_counter(), time.process_time()
    result = action()
    cost = {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - used,
        "mebibytes": _status("/proc/self/status", "VmHWM") / 1024,
    }
    task.target.with_suffix(".json").write_text(json.dumps(cost))
    return result


def _spare_the_machine() -> None:
    """Stay within the free memory, and be the first to go if that does not help."""
    spare = (_status("/proc/meminfo", "MemAvailable") - (1 << 20)) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (spare, spare))
    Path("/proc/self/oom_score_adj").write_text("1000")


def _status(file: str, key: str) -> int:
    """Kibibytes that a file of the kernel names; the peak of ``getrusage`` includes the parent."""
    for line in Path(file).read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise LookupError(key)
