"""A policy as pages look at it: its content, and what is wrong with which key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from papilio.errors import Fault
from papilio.web.changes import change
from papilio.web.draft import Draft, load_draft
from papilio.web.forms.edits import Edit, KeyPath, on_draft, value_at
from papilio.web.project import Project


@dataclass(frozen=True)
class View:
    """A draft, read once.

    Attributes
    ----------
    draft
        The draft.
    tree
        Its content.
    faults
        What is wrong with it.
    """

    draft: Draft
    tree: Mapping[str, Any]
    faults: tuple[Fault, ...]

    def said(self, path: KeyPath, default: Any = None) -> Any:
        """What a key says."""
        return value_at(self.tree, path, default)

    def complaint(self, path: KeyPath) -> str:
        """What is wrong at a key or below it, on one line; empty if nothing is."""
        where = ".".join(path)
        found = [each for each in self.faults if _at(each.where, where)]
        return "; ".join(dict.fromkeys(each.message for each in found))


def _at(place: str, where: str) -> bool:
    return place == where or place.startswith(f"{where}.")


@lru_cache(maxsize=16)
def view_of(draft: Draft) -> View:
    """Read a draft; every part of a page asks, so the last ones are remembered."""
    return View(draft, draft.tree, draft.faults())


def edit(project: Project, *edits: Edit) -> None:
    """Make edits to the policy of a project; it is saved, and every part of the page told."""
    if edits:
        change(project, on_draft(load_draft(project), edits))
