"""The one folder a server works in, and its projects: data, a policy, and the releases."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import Timeout, UnixFileLock

from papilio.errors import DataError, OutputError
from papilio.release.scratch import state_folder
from papilio.web.safe_name import inside, make_safe

#: Folders of a project.
PARTS = ("data", "hierarchies", "releases", "reports", "state")
_MANIFEST = "release.json"


@dataclass(frozen=True)
class Project:
    """A folder of the workspace.

    Attributes
    ----------
    name
        Its name, which is that of the folder.
    folder
        Where it lies, as an absolute path.
    """

    name: str
    folder: Path

    @property
    def policy_file(self) -> Path:
        """The policy, the single source of truth of all pages."""
        return self.folder / "policy.yaml"

    @property
    def data(self) -> Path:
        """What was uploaded or copied."""
        return self.folder / "data"

    @property
    def hierarchies(self) -> Path:
        """Hierarchy files."""
        return self.folder / "hierarchies"

    @property
    def releases(self) -> Path:
        """Releases, in folders named 1, 2, … in the order they were made."""
        return self.folder / "releases"

    @property
    def reports(self) -> Path:
        """Reports for the owner."""
        return self.folder / "reports"

    @property
    def state(self) -> Path:
        """What pages remember: names and counts, never a cell."""
        return self.folder / "state"

    @property
    def changed(self) -> float:
        """When the policy was changed last; 0 if it is being deleted in another tab."""
        try:
            return self.policy_file.stat().st_mtime
        except OSError:
            return 0.0

    def release_numbers(self) -> tuple[int, ...]:
        """Numbers of the finished releases, ascending."""
        if not self.releases.is_dir():
            return ()
        found = (each.name for each in self.releases.iterdir() if (each / _MANIFEST).is_file())
        return tuple(sorted(int(name) for name in found if _is_number(name)))

    def release(self, number: int) -> Path:
        """Folder of a finished release.

        Raises
        ------
        DataError
            If there is none with this number.
        """
        if number not in self.release_numbers():
            raise DataError(
                f"{self.name} has no release {number}; run the policy first", reason="no-release"
            )
        return self.releases / str(number)

    def next_release(self) -> Path:
        """Folder for the next release; it does not exist yet."""
        taken = [int(each.name) for each in self.releases.iterdir() if _is_number(each.name)]
        return self.releases / str(max(taken, default=0) + 1)


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit()


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
