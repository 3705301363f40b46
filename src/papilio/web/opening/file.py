"""A project with a file or folder that stays where it is on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from papilio.data.source import FileSource
from papilio.errors import DataError
from papilio.web.allowed import allow
from papilio.web.draft import load_draft, save_draft
from papilio.web.project import Project
from papilio.web.workspace import Workspace

#: Endings of files with rows.
ENDINGS = (".csv", ".tsv", ".parquet", ".csv.gz", ".tsv.gz")


def open_file(workspace: Workspace, text: str) -> Project:
    """Make a project whose policy names a file or folder; nothing of it is copied.

    Parameters
    ----------
    workspace
        Where the project goes.
    text
        An absolute path, one that starts with ``~``, or one relative to where the server started.

    Raises
    ------
    DataError
        If there is nothing at the path, or it cannot be read.
    """
    path = found(text)
    project = workspace.create(FileSource(path).name)
    allow(project, path)
    save_draft(project, load_draft(project).with_value(("source",), str(path)))
    return project


def found(text: str) -> Path:
    """Absolute path of something that is there and can be read."""
    wanted = text.strip()
    if not wanted:
        raise DataError("no path is given; name a file or folder", reason="no-path")
    try:
        path = Path(wanted).expanduser().absolute()
        there = path.exists()
    except (OSError, RuntimeError, ValueError):
        there = False
    if not there:
        raise DataError("there is no file or folder at this path", reason="missing-file")
    if not os.access(path, os.R_OK):
        raise DataError("you may not read what is at this path", reason="unreadable")
    return path
