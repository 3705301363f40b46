"""What the profiles of a project's tables say, kept for all its pages; names and counts only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from papilio.policy.named_files import named_files
from papilio.web.draft import Draft, load_draft
from papilio.web.opening.file import ENDINGS
from papilio.web.project import Project
from papilio.web.replaced_file import replace_text

_FILE = "profiles.json"


@dataclass(frozen=True)
class TableProfile:
    """A profile of one table.

    Attributes
    ----------
    name
        Name of the table.
    source
        What the policy says, or would say, to read it.
    profile
        :meth:`papilio.Profile.to_dict`.
    """

    name: str
    source: Any
    profile: Mapping[str, Any]


def load_profiles(project: Project) -> tuple[TableProfile, ...]:
    """Profiles of the last time; none if they were not made yet."""
    try:
        text = (project.state / _FILE).read_text(encoding="utf-8")
        return tuple(TableProfile(**each) for each in json.loads(text))
    except (OSError, ValueError, TypeError):
        return ()


def save_profiles(project: Project, profiles: Sequence[TableProfile]) -> None:
    """Keep profiles, whole or not at all."""
    text = json.dumps([asdict(each) for each in profiles])
    replace_text(project.state / _FILE, text, "profile")


def sources_of(project: Project) -> list[dict[str, Any]]:
    """Name and source of every table at hand: those of the policy, then other uploaded files."""
    draft = load_draft(project)
    found = _of_policy(draft)
    named = {each.name for each in named_files(draft.tree)}
    for path in sorted(project.data.iterdir()):
        name = f"data/{path.name}"
        if path.name.lower().endswith(ENDINGS) and name not in named:
            found.append({"name": None, "source": name})
    return found


def _of_policy(draft: Draft) -> list[dict[str, Any]]:
    found = []
    if draft.get(("source",)) is not None:
        found.append({"name": None, "source": draft.get(("source",))})
    for part in ("tables", "graph"):
        for name, said in (draft.get((part,)) or {}).items():
            if isinstance(said, Mapping) and said.get("source") is not None:
                found.append({"name": name, "source": said["source"]})
    return found
