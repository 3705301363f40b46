"""One piece of work in the workspace: data, a policy, and the releases made with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papilio.errors import DataError

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
