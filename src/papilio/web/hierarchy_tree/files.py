"""Where trees made by hand are kept in a project."""

from __future__ import annotations

import hashlib

from papilio.web.forms.places import Place
from papilio.web.hierarchy_tree.edit_tree import EditTree
from papilio.web.hierarchy_tree.paths_csv import paths_csv
from papilio.web.project import Project
from papilio.web.replaced_file import replace_text
from papilio.web.safe_name import inside, make_safe

#: Longest part of a column's name that stands in the name of its file.
_LONGEST = 60


def file_name(place: Place, column: str) -> str:
    """Name of the file for a column, as the policy says it; each column has one of its own."""
    stem = "-".join((*place.path[1:], column))
    safe = make_safe(stem, "column")[:_LONGEST]
    if safe != stem:
        safe += f"-{hashlib.sha256(stem.encode()).hexdigest()[:6]}"
    return f"hierarchies/{safe}.csv"


def save_tree(project: Project, name: str, tree: EditTree) -> None:
    """Write a tree as a file of paths, whole or not at all.

    Raises
    ------
    OutputError
        If the disk refuses.
    """
    replace_text(inside(project.folder, *name.split("/")), paths_csv(tree), "hierarchy")
