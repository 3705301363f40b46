"""The policy of each method, over tables that look like Adult."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from page.plan import Task
from papilio import samples
from papilio.policy.policy import Policy

SENSITIVE = "income"
#: Quasi-identifiers in the order in which they are added, the most telling ones first.
QUASI = (
    "age",
    "occupation",
    "education-num",
    "native-country",
    "workclass",
    "marital-status",
    "race",
    "sex",
)
_INTERVALS = {"age": [5, 10, 20, 40], "education-num": [2, 4, 8, 16]}


def policy_of(task: Task, source: Path) -> Policy:
    """Write the order of a task.

    Parameters
    ----------
    task
        What is measured.
    source
        The table.
    """
    quasi = QUASI[: task.attributes]
    made: dict[str, Any] = {
        "source": str(source.resolve()),
        "columns": {**dict.fromkeys(quasi, "quasi"), SENSITIVE: "sensitive"},
        "privacy": {"k": task.k},
        "method": task.method,
    }
    return Policy(**(made | _ways(task, quasi)))


def _ways(task: Task, quasi: tuple[str, ...]) -> dict[str, Any]:
    """What a method needs beside quasi-identifiers and k."""
    numeric = {**dict.fromkeys(quasi[1:], "quasi"), "age": "sensitive"}
    match task.method:
        case "incognito":
            return {"columns": {**{n: _with_tree(n) for n in quasi}, SENSITIVE: "sensitive"}}
        case "union" | "butterfly":
            return {"recipients": {"first": [*quasi[:5]], "second": [*quasi[3:]]}}
        case "projections":
            apart = dict.fromkeys(("occupation", "marital-status", SENSITIVE), "sensitive")
            known = [n for n in quasi if n not in apart]
            return {
                "columns": {**dict.fromkeys(known, "quasi"), **apart},
                "privacy": {"k": task.k, "exposure": 0.5},
            }
        case "permutation":
            return {"columns": numeric, "privacy": {"k": task.k, "e": 10}}
        case "disguise":
            return {"columns": numeric, "privacy": {"target": {"age": "uniform"}}}
    return {}


def _with_tree(name: str) -> dict[str, Any]:
    if name in _INTERVALS:
        return {"role": "quasi", "hierarchy": {"intervals": _INTERVALS[name]}}
    return {"role": "quasi", "hierarchy": str(samples.FOLDER / "hierarchies" / f"{name}.csv")}
