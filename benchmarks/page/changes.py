"""Two runs side by side: what the new one takes in units of the old one."""

from __future__ import annotations

from dataclasses import dataclass

from page.plan import Task
from page.results import Measured, Results


@dataclass(frozen=True)
class Change:
    """One task in two runs; each number is new / old, or ``None`` if one of them has none.

    Attributes
    ----------
    task
        What was done in both.
    time
        Of the times in units of a sort in the same run, so that machines may differ.
    memory
        Of the peaks.
    loss
        Of the NCP.
    """

    task: Task
    time: float | None
    memory: float | None
    loss: float | None


def changes(new: Results, old: Results) -> tuple[Change, ...]:
    """Compare the tasks that both runs have."""
    before = {each.task: each for each in old.measured}
    return tuple(_change(each, before[each.task]) for each in new.measured if each.task in before)


def _change(new: Measured, old: Measured) -> Change:
    return Change(
        new.task,
        _over(new.in_sorts, old.in_sorts),
        _over(new.mebibytes, old.mebibytes),
        _over(new.loss, old.loss),
    )


def _over(new: float | None, old: float | None) -> float | None:
    return None if new is None or not old else new / old


def change_lines(found: tuple[Change, ...]) -> list[str]:
    """Write a table for a terminal."""
    lines = [f"{'new / old':<64}{'time':>7}{'memory':>8}{'loss':>7}"]
    for each in found:
        task = each.task
        head = f"{task.section:<11}{task.method:<18}{task.rows:>11,} rows  k = {task.k:<4}"
        head += f"{task.attributes} attributes"
        lines.append(f"{head:<64}{_text(each.time):>7}{_text(each.memory):>8}{_text(each.loss):>7}")
    return lines


def _text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"
