"""The last comparison of a project, kept for its Compare page; names and figures only."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from papilio.document.compare import Comparison, Outcome, Trial
from papilio.families.choices import Measure
from papilio.web.project import Project
from papilio.web.transfers import replace_text

_FILE = "compare.json"


def save_comparison(folder: Path, comparison: Comparison) -> None:
    """Keep a comparison in the folder of a project, whole or not at all."""
    text = json.dumps(asdict(comparison), ensure_ascii=False, default=date.isoformat)
    replace_text(folder / "state" / _FILE, text, "comparison")


def load_comparison(project: Project) -> Comparison | None:
    """Comparison of the last time; ``None`` if nothing was compared yet."""
    try:
        said = json.loads((project.state / _FILE).read_text(encoding="utf-8"))
        return _comparison(said)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _comparison(said: dict[str, Any]) -> Comparison:
    lists = {name: tuple(said[name]) for name in ("varied", "demands", "beside")}
    parts = {
        "loss": Measure(**said["loss"]),
        "risk": Measure(**said["risk"]),
        "measures": tuple(Measure(**each) for each in said["measures"]),
        "trials": tuple(_trial(each) for each in said["trials"]),
        "made": date.fromisoformat(said["made"]),
    }
    return Comparison(**{**said, **lists, **parts})


def _trial(said: dict[str, Any]) -> Trial:
    changes = tuple((tuple(path), value) for path, value in said["changes"])
    outcome = None if said["outcome"] is None else Outcome(**said["outcome"])
    return Trial(**{**said, "changes": changes, "outcome": outcome})
