"""The last comparison of a project, kept for its Compare page; names and figures only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from papilio.web.project import Project
from papilio.web.replaced_file import replace_text
from papilio.workflow.settings import Setting
from papilio.workflow.try_settings import Attempt

_FILE = "compare.json"


def save_attempts(folder: Path, attempts: Sequence[Attempt]) -> None:
    """Keep attempts in the folder of a project, whole or not at all."""
    text = json.dumps([asdict(each) for each in attempts], ensure_ascii=False)
    replace_text(folder / "state" / _FILE, text, "comparison")


def load_attempts(project: Project) -> tuple[Attempt, ...]:
    """Attempts of the last time; none if nothing was compared yet."""
    try:
        said = json.loads((project.state / _FILE).read_text(encoding="utf-8"))
        return tuple(_attempt(each) for each in said)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ()


def _attempt(said: dict[str, Any]) -> Attempt:
    setting = said.pop("setting")
    changes = tuple((tuple(path), value) for path, value in setting.pop("changes"))
    return Attempt(Setting(**setting, changes=changes), **said)
