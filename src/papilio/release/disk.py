"""What disks say, in one line, and targets that cannot be."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from papilio.errors import OutputError


@contextmanager
def disk_faults(target: Path) -> Iterator[None]:
    """Say what the disk refused in one line."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        number = _error_number(error)
        if number is None and not isinstance(error, OSError):
            raise
        if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OutputError(
                f"{target}: the disk is full; nothing was written", reason="disk-full"
            ) from None
        raise OutputError(
            f"{target} cannot be written ({os.strerror(number or errno.EIO)}); nothing was written",
            reason="cannot-write",
        ) from None


def _error_number(error: Exception) -> int | None:
    """Number of the operating system's error; Polars tells it in its message only."""
    told = getattr(error, "errno", None)
    found = re.search(r"\(os error (\d+)\)", str(error)) if told is None else None
    return told if found is None else int(found[1])


def check_target(directory: Path) -> None:
    """Refuse a target that exists or whose parent folder does not."""
    with disk_faults(directory):
        if directory.exists() or directory.is_symlink():
            raise target_exists(directory)
        if not directory.absolute().parent.is_dir():
            raise OutputError(
                f"{directory.parent} is not a directory; create it first", reason="no-parent"
            )


def target_exists(directory: Path) -> OutputError:
    """Return the error for a target that is there already."""
    return OutputError(
        f"{directory} exists already; name a directory that does not, or remove it first",
        reason="target-exists",
    )
