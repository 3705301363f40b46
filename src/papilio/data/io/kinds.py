"""Files as they lie on the disk: their kind, told by the ending, and that they stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from papilio.errors import DataError

ACCEPTED = ".csv, .tsv, .csv.gz, .tsv.gz and .parquet are accepted"


class FileKind(StrEnum):
    """How a file is laid out."""

    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"


_ENDINGS = {
    ".csv": FileKind.CSV,
    ".csv.gz": FileKind.CSV,
    ".tsv": FileKind.TSV,
    ".tsv.gz": FileKind.TSV,
    ".parquet": FileKind.PARQUET,
}


def kind_of(path: Path) -> FileKind:
    """Tell the kind of a file from its ending, in any letter case.

    Raises
    ------
    DataError
        If it is none of the accepted endings.
    """
    name = path.name.lower()
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            return kind
    raise DataError(f"{path}: unknown kind of file; {ACCEPTED}", reason="unknown-kind")


@contextmanager
def unchanged(*paths: Path) -> Iterator[None]:
    """Refuse what was read if one of the files changed meanwhile.

    Compares size, time of the last change and inode before and after. A fault found in a file
    that changed is reported as the change, since a half-written line is its usual cause. A write
    that keeps the size and falls into the same tick of the file system's clock is not seen.

    Parameters
    ----------
    paths
        Files, or folders, whose own entry changes when a file comes, goes or is renamed.

    Raises
    ------
    DataError
        With reason ``changed-while-reading``.
    """
    before = [_stamp(path) for path in paths]
    try:
        yield
    except DataError:
        _compare(paths, before)
        raise
    _compare(paths, before)


def _compare(paths: tuple[Path, ...], before: list[tuple[int, int, int] | None]) -> None:
    for path, stamp in zip(paths, before, strict=True):
        if _stamp(path) != stamp:
            raise DataError(
                f"{path}: changed while it was read; read it again when nothing writes to it",
                reason="changed-while-reading",
            ) from None


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
