"""The policy of a project as text, which every page reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from papilio.errors import Fault, PolicyError
from papilio.policy.edit import with_value, without
from papilio.policy.files import read_yaml
from papilio.policy.policy import Policy
from papilio.web.allowed import allowed, policy_in
from papilio.web.project import Project
from papilio.web.replaced_file import replace_text

#: Longest policy the panel takes, in characters.
LONGEST = 200_000
#: Keys that a policy needs even if nothing stands under them.
_KEPT = ("columns", "privacy")


@dataclass(frozen=True)
class Draft:
    """A policy as text; it may have faults.

    Attributes
    ----------
    text
        The policy file.
    base
        Folder that file names in it are relative to.
    """

    text: str
    base: Path = Path()

    @property
    def tree(self) -> dict[str, Any]:
        """The text as plain data; empty if it cannot be read."""
        try:
            return dict(read_yaml(self.text).data)
        except PolicyError:
            return {}

    def get(self, path: tuple[str, ...], default: Any = None) -> Any:
        """Value at a path of keys, or ``default``."""
        here: Any = self.tree
        for key in path:
            if not isinstance(here, dict) or key not in here:
                return default
            here = here[key]
        return here

    def with_value(self, path: tuple[str, ...], value: Any) -> Draft:
        """Set a key, see :func:`papilio.policy.edit.with_value`."""
        return Draft(with_value(self.text, path, value), self.base)

    def without(self, path: tuple[str, ...]) -> Draft:
        """Remove a key, and those above it that have nothing left but are not needed."""
        text = without(self.text, path)
        while len(path) > 1 and path[:-1] not in tuple((key,) for key in _KEPT):
            path = path[:-1]
            if Draft(text).get(path) != {}:
                break
            text = without(text, path)
        return Draft(text, self.base)

    def faults(self) -> tuple[Fault, ...]:
        """Everything wrong with it; empty if it can be run."""
        return _faults(self, allowed(self.base))

    def policy(self) -> Policy:
        """The policy it describes.

        Raises
        ------
        PolicyError
            One fault per mistake.
        """
        return policy_in(self.base, self.text)


@lru_cache(maxsize=16)
def _faults(draft: Draft, places: tuple[Path, ...]) -> tuple[Fault, ...]:
    """Faults of a draft; the panel and every part of a page ask for the same ones."""
    del places  # What may be read is part of what is remembered.
    try:
        draft.policy()
    except PolicyError as error:
        return error.faults
    return ()


def load_draft(project: Project) -> Draft:
    """Read the policy of a project."""
    try:
        text = project.policy_file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        text = ""
    return Draft(text, project.folder)


def save_draft(project: Project, draft: Draft) -> None:
    """Write the policy of a project, whole or not at all.

    Raises
    ------
    PolicyError
        If the text is too long, or not a YAML mapping, so that no page could show it.
    OutputError
        If the disk refuses.
    """
    if len(draft.text) > LONGEST:
        raise PolicyError([Fault(f"longer than {LONGEST:,} characters, which is the limit here")])
    read_yaml(draft.text)
    replace_text(project.policy_file, draft.text, "policy")
