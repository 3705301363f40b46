"""A document on disk: one file, written whole or not at all."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from papilio.errors import OutputError
from papilio.release.disk import disk_faults
from papilio.release.draft import MANIFEST
from papilio.release.whole_file import put_in_place


def write_page(page: str, path: Path, *, overwrite: bool = False) -> Path:
    """Write a page to a file that only its owner may read.

    Parameters
    ----------
    page
        What it says.
    path
        Where it goes; not inside a release, because releases are handed out.
    overwrite
        Whether an existing file is replaced.

    Raises
    ------
    OutputError
        If the file exists, its folder does not, it would lie inside a release, or the disk refuses;
        nothing is left behind.
    """
    with disk_faults(path):
        check_place(path, overwrite=overwrite)
        check = partial(check_place, overwrite=overwrite)
        put_in_place(path, page.encode("utf-8"), check=check, mode=0o600)
    return path


def check_place(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a place the report must not go to; see :func:`write_page`."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"{folder} is not a directory; create it first", reason="no-parent")
    if path.is_dir():
        raise OutputError(
            f"{path} is a directory; name a file, such as report.html", reason="is-directory"
        )
    if any((above / MANIFEST).exists() for above in _folders(folder)):
        raise OutputError(
            f"{path} lies inside a release; the report shows the original data and must stay "
            "outside of what is handed out",
            reason="inside-release",
        )
    if not overwrite and (path.exists() or path.is_symlink()):
        raise OutputError(
            f"{path} exists already; name another file, or remove it first",
            reason="target-exists",
        )


def _folders(folder: Path) -> set[Path]:
    """Return the folder and all above it, as named and as they really lie."""
    real = folder.resolve()
    return {folder, *folder.parents, real, *real.parents}
