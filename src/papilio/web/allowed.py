"""Files elsewhere on this machine that the owner lets a project read.

What the owner opens by its path counts as allowed; what a policy names does not, until the owner
says so on the Data page. A policy cannot write here: its files never go to a project's own folders.
"""

from __future__ import annotations

import json
from pathlib import Path

from papilio.data.io.confine import confined
from papilio.errors import DataError
from papilio.policy.named_files import named_files
from papilio.policy.policy import Policy
from papilio.web.project import Project
from papilio.web.transfers import replace_text

_FILE = Path("state", "allowed.json")


def allowed(folder: Path) -> tuple[Path, ...]:
    """Files and folders that a project may read besides its own; ``folder`` is the project's."""
    try:
        listed = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    texts = listed if isinstance(listed, list) else []
    return tuple(Path(each) for each in texts if isinstance(each, str))


def allow(project: Project, path: Path) -> None:
    """Let a project read a file, or a folder with all it holds, by its real place.

    Raises
    ------
    OutputError
        If the disk refuses.
    """
    listed = dict.fromkeys([*allowed(project.folder), path.resolve()])
    text = json.dumps([str(each) for each in listed])
    replace_text(project.folder / _FILE, text, "list of allowed files")


def policy_in(folder: Path, text: str) -> Policy:
    """Policy of a project from its text.

    Raises
    ------
    PolicyError
        One fault per mistake; a file that is not allowed is one.
    """
    return Policy.parse(text, base=folder, allow=allowed(folder))


def not_allowed(project: Project, tree: dict[str, object]) -> tuple[Path, ...]:
    """Real places of what a policy, as plain data, names and is there but may not be read."""
    places = allowed(project.folder)
    found = []
    for each in named_files(tree):
        try:
            confined(each.name, project.folder, places)
        except DataError as error:
            if error.reason == "not-allowed":
                found.append((project.folder / each.name).resolve())
    return tuple(dict.fromkeys(each for each in found if each.exists()))
