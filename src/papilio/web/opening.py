"""Opening what a project is about: a file, several files, a database, a policy or the sample."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from papilio.data.io.confine import confined
from papilio.data.source import FileSource, PostgresSource, parse_source
from papilio.errors import DataError, Fault, PapilioError, PolicyError
from papilio.policy.files import read_yaml
from papilio.policy.named_files import NamedFile, named_files
from papilio.samples import FOLDER, adult
from papilio.web.allowed import allow
from papilio.web.draft import LONGEST, Draft, load_draft, save_draft
from papilio.web.project import Project, Workspace
from papilio.web.safe_name import inside
from papilio.web.security.access import known, remember

# Up to the last @: what is not encoded as it should be may still be the password.
_IN_USER = re.compile(r"^([a-z]+://[^:@/?#]*):(.*)@")
_OPTIONS = re.compile(r"\?([^#]*)")
_SECRET = ("password=", "sslpassword=")


@dataclass(frozen=True)
class Address:
    """An address of a table without its password, and the password."""

    bare: str
    password: str | None


def open_database(workspace: Workspace, text: str, password: str = "") -> Project:
    """Make a project whose policy names a table of a PostgreSQL server.

    The password, typed beside the address or within it, is kept in memory until the server ends
    and is handed to the process that reads the table. It is written nowhere.

    Raises
    ------
    DataError
        If it is not the address of a table of a PostgreSQL server.
    """
    address = split_password(text.strip())
    source = parse_source(address.bare, workspace.folder)
    if not isinstance(source, PostgresSource):
        raise DataError(
            "this is no address of a database; postgresql://user@host/database#table is accepted",
            reason="unknown-source",
        )
    project = workspace.create(source.name)
    save_draft(project, load_draft(project).with_value(("source",), address.bare))
    secret = password or address.password
    if secret:
        remember(project, secret)
    return project


def needs_password(project: Project) -> bool:
    """Whether the policy names a database whose password was not given to this server."""
    tree = load_draft(project).tree
    said = [tree.get("source"), tree.get("database")]
    named = [each.get("postgresql") if isinstance(each, dict) else each for each in said]
    return any("://" in str(each) for each in named if each) and not known(project)


def split_password(text: str) -> Address:
    """Take the password out of an address."""
    user = _IN_USER.match(text)
    found = None if user is None else unquote(user[2])
    bare = _IN_USER.sub(r"\1@", text)
    options = _OPTIONS.search(bare)
    if options is None:
        return Address(bare, found)
    given = options[1].split("&")
    kept = "&".join(each for each in given if not each.startswith(_SECRET))
    for each in given:
        if each.startswith(_SECRET[0]):
            found = unquote(each.removeprefix(_SECRET[0]))
    return Address(bare.replace(options[0], f"?{kept}" if kept else "", 1), found)


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


def open_sample(workspace: Workspace) -> Project:
    """Make a project with the Adult sample and the hierarchies that go with it."""
    project = workspace.create("adult")
    adult().write_parquet(project.data / "adult.parquet")
    for path in sorted((FOLDER / "hierarchies").glob("*.csv")):
        shutil.copyfile(path, project.hierarchies / path.name)
    save_draft(project, load_draft(project).with_value(("source",), "data/adult.parquet"))
    return project
