"""The one folder a server works in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import Timeout, UnixFileLock

from papilio.errors import DataError, OutputError
from papilio.release.scratch import state_folder
from papilio.web.project import PARTS, Project
from papilio.web.safe_name import inside, make_safe

_LOCK = ".papilio-workspace"


@dataclass(frozen=True)
class Workspace:
    """A folder with one folder per project; nothing outside it is written.

    Attributes
    ----------
    folder
        Where it lies, as an absolute path.
    """

    folder: Path

    def projects(self) -> tuple[Project, ...]:
        """All projects, the one changed last first; what a link leads to is none."""
        found = [
            Project(each.name, each)
            for each in self.folder.iterdir()
            if not each.name.startswith(".")
            and not each.is_symlink()
            and (each / "policy.yaml").is_file()
        ]
        return tuple(sorted(found, key=_changed, reverse=True))

    def project(self, name: str) -> Project:
        """The project of this name.

        Raises
        ------
        DataError
            If the name is not a safe one, or there is no such project.
        """
        folder = inside(self.folder, name)
        if not (folder / "policy.yaml").is_file():
            raise DataError(
                "there is no such project in this workspace; the start page lists all of them",
                reason="no-project",
            )
        return Project(folder.name, folder)

    def create(self, name: str) -> Project:
        """Make an empty project with this name, or with a number after it if that is taken."""
        wanted = make_safe(name, "project")
        folder = inside(self.folder, wanted)
        number = 1
        while not _made(folder):
            number += 1
            folder = inside(self.folder, f"{wanted}-{number}")
        for part in PARTS:
            (folder / part).mkdir(mode=0o700)
        (folder / "policy.yaml").write_text("papilio: 1\n", encoding="utf-8")
        return Project(folder.name, folder)

    def remove(self, name: str) -> None:
        """Delete a project with everything in it; sources outside the workspace stay."""
        shutil.rmtree(self.project(name).folder)


def default_folder() -> Path:
    """Where projects are kept if nobody says otherwise: in the user's folder for such things."""
    return state_folder() / "workspace"


@contextmanager
def opened(folder: Path) -> Iterator[Workspace]:
    """Take a folder, made if need be, for one server.

    Raises
    ------
    OutputError
        If it cannot be made or written, or another server works in it.
    """
    place = folder.expanduser().absolute()
    # The system gives it back when the server ends, however it ends; a lock that is a mere file
    # would stay after a kill.
    lock = UnixFileLock(place / _LOCK, blocking=False, mode=0o600, fallback_to_soft=False)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise OutputError(
            f"{place}: another papilio serve works in this workspace; end it, or name another "
            "folder with --workspace",
            reason="workspace-taken",
        ) from None
    except OSError as error:
        raise OutputError(
            f"{place}: the workspace cannot be used ({error.strerror}); name another folder with "
            "--workspace",
            reason="bad-workspace",
        ) from None
    try:
        yield Workspace(place)
    finally:
        lock.release()


def _made(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return False
    return True


def _changed(project: Project) -> float:
    return project.changed
