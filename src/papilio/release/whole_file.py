"""One file, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from papilio.errors import OutputError
from papilio.release.disk import disk_faults
from papilio.release.durable import flush_file, flush_folder
from papilio.release.locked_folder import HIDDEN, locked_folder


def write_whole(path: Path, text: str) -> None:
    """Write a file that must not exist yet.

    Raises
    ------
    OutputError
        If it exists, its folder does not, or the disk refuses; nothing is left behind.
    """
    check_new(path)
    with disk_faults(path):
        put_in_place(path, text.encode(), check=check_new)


def put_in_place(
    path: Path, content: bytes, *, check: Callable[[Path], None], mode: int | None = None
) -> None:
    """Write a file in a hidden folder beside its place, and move it there once it is on the disk.

    Readers see what was there before, or all of the new file; so does everybody after a power cut.

    Parameters
    ----------
    path, content
        The file and what it shall hold.
    check
        Called with the path before the file is moved there; raising keeps it from appearing.
    mode
        Who may do what with the file; left out, what the umask says.

    Raises
    ------
    OSError
        If the disk refuses; then nothing has changed.
    """
    with locked_folder(path.absolute().parent, HIDDEN) as hidden:
        draft = hidden.path / "file"
        draft.write_bytes(content)
        if mode is not None:
            draft.chmod(mode)
        flush_file(draft)
        check(path)
        draft.replace(path)
    flush_folder(path.absolute().parent)


def check_new(path: Path) -> None:
    """Refuse a file that exists or whose folder does not."""
    with disk_faults(path):
        if path.exists() or path.is_symlink():
            raise OutputError(
                f"{path} exists already; name a file that does not, or remove it first",
                reason="target-exists",
            )
        if not path.absolute().parent.is_dir():
            raise OutputError(
                f"{path.parent} is not a directory; create it first", reason="no-parent"
            )
