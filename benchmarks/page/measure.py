"""Run tasks one after the other, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from adult_like import write_adult_like
from page.plan import Task
from page.results import Measured

_CHILD = Path(__file__).with_name("child.py")
#: A task that takes longer is given up, in seconds per million rows and at least.
_PATIENCE, _LEAST = 300, 600


def measure(tasks: Iterable[Task], data: Path, tell: Callable[[str], None]) -> Iterator[Measured]:
    """Measure tasks and, in the same run, the yardsticks for their sizes.

    Parameters
    ----------
    tasks
        What is measured.
    data
        Folder for tables, which are made once.
    tell
        Called with a line about each.
    """
    yardsticks: dict[tuple[int, int], dict[str, float]] = {}
    for task in tasks:
        source = write_adult_like(data / f"adult_like_{task.rows}.parquet", task.rows)
        ask = partial(_ask, source=source, seconds=_LEAST + _PATIENCE * task.rows // 10**6)
        size = (task.rows, task.attributes)
        if size not in yardsticks:
            order = {"attributes": task.attributes, "repeats": task.repeats}
            yardsticks[size] = ask({"yardstick": order})
        found = _measured(task, yardsticks[size], ask)
        tell(_line(found))
        yield found


def _measured(task: Task, yardstick: dict[str, float], ask: Callable[[Any], Any]) -> Measured:
    try:
        return Measured(task, **yardstick, **ask({"publish": asdict(task)}))
    except subprocess.TimeoutExpired:
        return Measured(task, **yardstick, error="not done in time")
    except subprocess.CalledProcessError as failed:
        # Only the kind of the error: a message could hold a path of this machine.
        last = (failed.stderr.strip().splitlines() or ["killed"])[-1]
        return Measured(task, **yardstick, error=last.partition(":")[0])


def _ask(asked: dict[str, Any], *, source: Path, seconds: int) -> Any:
    paths = [str(_CHILD.parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    done = subprocess.run(
        # Safe path (-P): the folder of the script would hide modules of Python by its names.
        [sys.executable, "-P", str(_CHILD), json.dumps(asked), str(source)],
        capture_output=True,
        text=True,
        check=True,
        timeout=seconds,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    return json.loads(done.stdout)


def _line(found: Measured) -> str:
    task = found.task
    head = f"{task.section:<11}{task.method:<18}{task.rows:>11,} rows  k = {task.k:<4}"
    head += f"{task.attributes} attributes  "
    if found.seconds is None:
        return f"{head}{found.error}"
    loss = "" if found.loss is None else f"  NCP {found.loss:.4f}"
    return (
        f"{head}{found.seconds:>8.2f} s  {found.in_sorts:>7.2f} sorts"
        f"{found.mebibytes:>9.0f} MiB{loss}"
    )
