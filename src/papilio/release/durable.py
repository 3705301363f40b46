"""What was written is on the disk, and not only in the memory of the operating system."""

from __future__ import annotations

import errno
import os
from pathlib import Path

#: What file systems say that cannot be asked for a folder.
_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP)


def flush_tree(folder: Path) -> None:
    """Wait until all files of a folder, and the folder itself, are on the disk.

    A power cut after it finds them whole. Cost: the disk's, once for each file.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    for path in sorted(folder.iterdir()):
        flush_file(path)
    flush_folder(folder)


def flush_file(path: Path) -> None:
    """Wait until a file is on the disk."""
    _flush(path, os.O_RDONLY)


def flush_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the file system can tell."""
    try:
        _flush(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise


def _flush(path: Path, flags: int) -> None:
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
