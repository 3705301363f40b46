"""What was measured, as plain data that can be saved and compared."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from page.plan import Task

#: Version of the saved file.
FORMAT = 1


@dataclass(frozen=True)
class Measured:
    """One task and what it took.

    Attributes
    ----------
    task
        What was done.
    sort, group
        Seconds of a Polars sort and group-by of the same columns, in the same run.
    seconds, processor, mebibytes
        Median of the clock, mean of the processor, and peak memory of the process.
    loss
        NCP, where cells are generalised.
    error
        Why there are no numbers, if there are none.
    """

    task: Task
    sort: float
    group: float
    seconds: float | None = None
    processor: float | None = None
    mebibytes: float | None = None
    loss: float | None = None
    error: str | None = None

    @property
    def in_sorts(self) -> float | None:
        """Time in units of one sort."""
        return None if self.seconds is None else self.seconds / self.sort

    @property
    def in_groupings(self) -> float | None:
        """Time in units of one group-by."""
        return None if self.seconds is None else self.seconds / self.group


@dataclass(frozen=True)
class Bound:
    """A ratio that must not exceed its bound."""

    what: str
    seconds: float
    ratio: float
    bound: float

    @property
    def kept(self) -> bool:
        """Whether it does not."""
        return self.ratio <= self.bound


@dataclass(frozen=True)
class PeerRun:
    """What one algorithm of one package did with Adult."""

    name: str
    k: int
    seconds: float | None
    mebibytes: float | None
    loss: float | None
    error: str | None = None


@dataclass(frozen=True)
class Results:
    """A whole run.

    Attributes
    ----------
    made
        Day, as ``2026-11-16``.
    machine
        What it ran on, line by line.
    measured, bounds, peers
        The numbers.
    """

    made: str
    machine: dict[str, str]
    measured: tuple[Measured, ...]
    bounds: tuple[Bound, ...] = ()
    peers: tuple[PeerRun, ...] = ()

    def section(self, name: str) -> tuple[Measured, ...]:
        """Numbers of one part of the page."""
        return tuple(each for each in self.measured if each.task.section == name)

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"
        path.write_text(text, encoding="utf-8")


def load(path: Path) -> Results:
    """Read a saved run.

    Raises
    ------
    SystemExit
        If it is not one, in a line.
    """
    try:
        return _results(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        raise SystemExit(f"{path} is not a saved run of the benchmarks") from None


def _results(told: dict[str, Any]) -> Results:
    if told["format"] != FORMAT:
        raise ValueError("another format")
    return Results(
        told["made"],
        told["machine"],
        tuple(Measured(Task(**each.pop("task")), **each) for each in told["measured"]),
        tuple(Bound(**each) for each in told["bounds"]),
        tuple(PeerRun(**each) for each in told["peers"]),
    )
