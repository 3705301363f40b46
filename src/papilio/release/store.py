"""A release on disk: a directory, written whole or not at all.

Everything is written into a hidden sibling directory first, which nobody else can enter, and moved
to its place at the end. Until then the target does not exist; whatever goes wrong before removes
the sibling.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import polars as pl
import polars.selectors as cs

from papilio.errors import OutputError, ReleaseError
from papilio.release.manifest import (
    Manifest,
    PublishedColumn,
    PublishedFile,
    PublishedTable,
)

MANIFEST = "release.json"
FORMATS = ("parquet", "csv")

#: Looks at the finished directory before it gets its name; raising keeps it from appearing.
Inspection: TypeAlias = Callable[[Path], None]


def save_release(
    manifest: Manifest,
    frames: Mapping[str, pl.DataFrame],
    hierarchies: Mapping[str, str],
    directory: Path,
    format: str = "parquet",  # noqa: A002
    inspect: Inspection | None = None,
) -> Path:
    """Write a release to a directory that must not exist yet.

    Parameters
    ----------
    manifest, frames, hierarchies
        The release.
    directory
        Where it goes.
    format
        ``"parquet"`` or ``"csv"``.
    inspect
        Called with the complete directory before it is renamed.

    Raises
    ------
    OutputError
        If the directory exists, its parent does not, or the disk refuses; nothing is left behind.
    """
    check_target(directory)
    check_format(format)
    _check_files(frames, hierarchies, format)
    with disk_faults(directory), _sibling(directory) as draft:
        for name, frame in frames.items():
            _write_table(frame, draft / f"{name}.{format}", format)
        for file, text in hierarchies.items():
            (draft / file).write_text(text, encoding="utf-8")
        tables = {f"{name}.{format}": name for name in frames}
        files = tuple(
            PublishedFile(path.name, _sha256(path), tables.get(path.name))
            for path in sorted(draft.iterdir())
        )
        complete = replace(manifest, files=files).to_json()
        (draft / MANIFEST).write_text(complete, encoding="utf-8")
        if inspect is not None:
            inspect(draft)
        _rename(draft, directory)
    return directory


def open_release(
    directory: Path,
) -> tuple[Manifest, dict[str, pl.DataFrame], dict[str, str]]:
    """Read manifest, tables and hierarchy files of a release directory.

    Raises
    ------
    ReleaseError
        If the directory is not a release, or a file of it is missing or cannot be read.
    """
    manifest = read_manifest(directory)
    frames, hierarchies = {}, {}
    for file in manifest.files:
        path = directory / file.name
        if not path.is_file():
            raise ReleaseError(f"{directory}: file {file.name} is missing", reason="missing-file")
        with _unreadable(directory, file.name):
            if file.table is None:
                hierarchies[file.name] = path.read_text(encoding="utf-8")
            else:
                frames[file.table] = _read_table(path, manifest.table(file.table))
    return manifest, frames, hierarchies


def read_manifest(directory: Path) -> Manifest:
    """Read ``release.json`` of a release directory."""
    try:
        return Manifest.from_json((directory / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise ReleaseError(
            f"{directory} is not a release: it has no readable {MANIFEST}", reason="not-a-release"
        ) from None


def check_target(directory: Path) -> None:
    """Refuse a target that exists or whose parent folder does not."""
    with disk_faults(directory):
        if directory.exists() or directory.is_symlink():
            raise _exists(directory)
        if not directory.absolute().parent.is_dir():
            raise OutputError(
                f"{directory.parent} is not a directory; create it first", reason="no-parent"
            )


def _exists(directory: Path) -> OutputError:
    return OutputError(
        f"{directory} exists already; name a directory that does not, or remove it first",
        reason="target-exists",
    )


def check_format(format: str) -> None:  # noqa: A002
    """Refuse a format that is not one of :data:`FORMATS`."""
    if format not in FORMATS:
        raise OutputError(
            f"unknown format '{format}'; use one of {', '.join(FORMATS)}", reason="unknown-format"
        )


def _check_files(
    frames: Mapping[str, pl.DataFrame],
    hierarchies: Mapping[str, str],
    format: str,  # noqa: A002
) -> None:
    clash = [name for name in frames if f"{name}.{format}" in hierarchies]
    if clash:
        raise OutputError(
            f"the table '{clash[0]}' has the name of a file of its release; give it another with "
            "'name' in the policy's source",
            reason="name-clash",
        )


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


@contextmanager
def _sibling(directory: Path) -> Iterator[Path]:
    """Make a directory inside a hidden, private one beside the target; both are gone afterwards.

    Inside, because a directory made for all takes its mode from the umask, which can be asked for
    only by changing it.
    """
    private = directory.absolute().parent / f".papilio-{secrets.token_hex(8)}"
    try:
        private.mkdir(mode=0o700)
        draft = private / "release"
        draft.mkdir()
        yield draft
    finally:
        _remove(private)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except KeyboardInterrupt:
        # Whoever asks twice shall not get half a clean-up.
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _rename(draft: Path, directory: Path) -> None:
    # Renaming would silently replace an empty directory made in the meantime.
    check_target(directory)
    try:
        draft.rename(directory)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise _exists(directory) from None
        raise


@contextmanager
def _unreadable(directory: Path, file: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, pl.exceptions.PolarsError):
        # Arrow's errors are ValueErrors; what libraries say may quote the file's content.
        raise ReleaseError(
            f"{directory}: file {file} cannot be read as the manifest says",
            reason="unreadable-table",
        ) from None


def _write_table(frame: pl.DataFrame, path: Path, format: str) -> None:  # noqa: A002
    if format == "csv":
        frame.write_csv(path)
    else:
        frame.write_parquet(path, compression="zstd", compression_level=1)


def _read_table(path: Path, table: PublishedTable) -> pl.DataFrame:
    if path.suffix != ".csv":
        return pl.read_parquet(path, glob=False)
    # Polars cannot tell an empty text from a missing one in CSV; PyArrow can.
    import pyarrow as pa
    from pyarrow import csv

    text = {name: pa.string() for column in table.columns for name in text_columns(column)}
    options = csv.ConvertOptions(
        column_types=text,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    parsing = csv.ParseOptions(newlines_in_values=True)
    read = csv.read_csv(path, convert_options=options, parse_options=parsing)
    return pl.DataFrame(pl.from_arrow(read)).with_columns(cs.datetime().dt.cast_time_unit("us"))


def text_columns(column: PublishedColumn) -> tuple[str, ...]:
    """Published columns of ``column`` that hold text whatever they look like."""
    if column.cells == "range" and not column.text:
        return ()
    if column.cells == "value" and column.type != "category":
        return ()
    if column.cells in ("group", "hits", "bounds"):
        return ()
    return column.published


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
