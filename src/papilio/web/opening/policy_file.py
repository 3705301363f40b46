"""A project from a policy file: every page shows what the policy says."""

from __future__ import annotations

import shutil
from pathlib import Path

from papilio.data.io.confine import confined
from papilio.errors import DataError, Fault, PapilioError, PolicyError
from papilio.policy.files import read_yaml
from papilio.policy.named_files import NamedFile, named_files
from papilio.web.allowed import allow
from papilio.web.draft import LONGEST, Draft, load_draft, save_draft
from papilio.web.opening.file import found
from papilio.web.project import Project
from papilio.web.safe_name import inside
from papilio.web.workspace import Workspace

#: Endings of policy files.
POLICIES = (".yaml", ".yml")
#: Every policy has one of these.
_KEYS = ("columns", "tables", "graph")
#: What a project keeps for itself.
_OWN = ("policy.yaml", "releases", "reports", "state")
#: Larger files are linked to instead of copied.
_SMALL = 1 << 20


def open_policy(workspace: Workspace, text: str) -> Project:
    """Make a project from a policy file of this machine and the files it names.

    Hierarchies and target distributions are copied; files with rows stay where they are, and
    the project links to them. What lies in the folder of the policy may be read; what it names
    elsewhere waits until the owner allows it.

    Raises
    ------
    DataError, PolicyError
        If there is no such file, or it is no policy.
    """
    path = found(text)
    draft = read_policy(path)
    project = workspace.create(path.parent.name)
    try:
        save_draft(project, Draft(draft, project.folder))
        allow(project, path.parent)
        for each in named_files(load_draft(project).tree):
            _bring(each, path.parent, project)
    except PapilioError:
        workspace.remove(project.name)
        raise
    return project


def missing_files(project: Project) -> tuple[NamedFile, ...]:
    """Files the policy names that are not there."""
    names = named_files(load_draft(project).tree)
    return tuple(each for each in names if not (project.folder / each.name).exists())


def place_of(project: Project, name: str) -> Path:
    """Where a file belongs that the policy names: in the project, but not among its own files.

    Raises
    ------
    DataError
        If it would lie elsewhere, or where the project keeps what it remembers and makes.
    """
    parts = Path(name).parts
    if parts[0].casefold() in _OWN:
        raise DataError(
            "the policy names a file where the project keeps its own; give the file another folder",
            reason="own-folder",
        )
    return inside(project.folder, *parts)


def put_in_place(project: Project, file: str) -> None:
    """Move an uploaded file to where the policy expects it, if it expects one of this name."""
    for each in missing_files(project):
        if each.relative and Path(each.name).name == file:
            target = place_of(project, each.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            inside(project.data, file).rename(target)
            return


def read_policy(path: Path) -> str:
    """Text of a policy file; single faults in it are shown on the pages.

    Raises
    ------
    DataError, PolicyError
        If it cannot be a policy at all.
    """
    if path.is_dir() or path.stat().st_size > LONGEST:
        raise DataError("this is no policy file; a YAML file is accepted", reason="no-policy")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(
            "this is no policy file; a YAML file in UTF-8 is accepted", reason="no-policy"
        ) from None
    if not set(_KEYS) & set(read_yaml(text).data):
        raise PolicyError([Fault(f"not a policy; it has none of the keys {', '.join(_KEYS)}")])
    return text


def _bring(each: NamedFile, beside: Path, project: Project) -> None:
    source = beside / each.name
    if not each.relative or not source.exists() or not _lies_in(source, beside):
        return
    target = place_of(project, each.name)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if each.use == "data" or source.is_dir() or source.stat().st_size > _SMALL:
        target.symlink_to(source.resolve())
    else:
        shutil.copyfile(source, target)


def _lies_in(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder by its real place; a link may lead anywhere."""
    try:
        confined(path, folder, ())
    except DataError:
        return False
    return True
