"""A release on disk: a directory, written whole or not at all; see :mod:`papilio.release.draft`."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from papilio.errors import OutputError, ReleaseError
from papilio.release.described import check_described
from papilio.release.draft import (
    FORMATS,
    MANIFEST,
    Inspection,
    draft_of,
    name_clash,
    seal,
    table_file,
)
from papilio.release.files import check_unchanged, checked_files, read_text
from papilio.release.lazy_frames import LazyFrames
from papilio.release.manifest import Manifest
from papilio.release.read_table import files_of, read_table, unreadable
from papilio.release.scratch import check_target

#: Largest manifest that is read, in bytes.
LARGEST_MANIFEST = 16 << 20


def save_release(
    manifest: Manifest,
    frames: Mapping[str, pl.DataFrame],
    hierarchies: Mapping[str, str],
    directory: Path,
    format: str = "parquet",  # noqa: A002
    inspect: Inspection | None = None,
) -> Path:
    """Write a release to a directory that must not exist yet.

    Tables that stay on disk (:class:`~papilio.release.lazy_frames.LazyFrames`) are copied file by
    file if the format is the same, so that they need not fit into memory.

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
    with draft_of(directory) as draft:
        for name in frames:
            _write(frames, name, draft, format)
        return seal(draft, directory, manifest, hierarchies, inspect)


def open_release(
    directory: Path,
) -> tuple[Manifest, Mapping[str, pl.DataFrame], dict[str, str]]:
    """Read manifest, tables and hierarchy files of a release directory.

    A release with a table in several files is a big one: its tables are read when asked for.

    Raises
    ------
    ReleaseError
        If the directory is not a release, or a file of it is not the one that is listed, by its
        SHA-256, or cannot be read.
    """
    manifest = read_manifest(directory)
    check_described(directory, manifest)
    stamps = checked_files(directory, manifest)
    hierarchies = read_hierarchies(directory, manifest)
    lazy = LazyFrames(directory, manifest, stamps)
    if any(len(files_of(manifest, name)) > 1 for name in lazy):
        return manifest, lazy, hierarchies
    frames = {name: read_table(directory, manifest, name) for name in lazy}
    check_unchanged(directory, stamps)
    return manifest, frames, hierarchies


def read_hierarchies(directory: Path, manifest: Manifest) -> dict[str, str]:
    """Read the files of a release that carry no table; all were checked.

    Raises
    ------
    ReleaseError
        If one is not UTF-8.
    """
    hierarchies = {}
    for file in manifest.files:
        if file.table is None:
            with unreadable(directory, file.name):
                hierarchies[file.name] = (directory / file.name).read_text(encoding="utf-8")
    return hierarchies


def read_manifest(directory: Path) -> Manifest:
    """Read ``release.json`` of a release directory.

    Raises
    ------
    ReleaseError
        If it is missing, is a link, is larger than :data:`LARGEST_MANIFEST`, or is no manifest.
    """
    try:
        text = read_text(directory / MANIFEST, LARGEST_MANIFEST)
    except (OSError, ValueError):
        raise ReleaseError(
            f"{directory} is not a release: it has no readable {MANIFEST}", reason="not-a-release"
        ) from None
    return Manifest.from_json(text)


def check_format(format: str) -> None:  # noqa: A002
    """Refuse a format that is not one of :data:`~papilio.release.draft.FORMATS`."""
    if format not in FORMATS:
        raise OutputError(
            f"unknown format '{format}'; use one of {', '.join(FORMATS)}", reason="unknown-format"
        )


def _check_files(
    frames: Mapping[str, pl.DataFrame],
    hierarchies: Mapping[str, str],
    format: str,  # noqa: A002
) -> None:
    clash = [name for name in frames if table_file(name, format) in hierarchies]
    if clash:
        raise name_clash(clash[0])


def _write(
    frames: Mapping[str, pl.DataFrame],
    name: str,
    draft: Path,
    format: str,  # noqa: A002
) -> None:
    if isinstance(frames, LazyFrames):
        files = frames.files(name)
        if all(path.suffix == f".{format}" for path in files):
            for path in files:
                shutil.copyfile(path, draft / path.name)
            frames.check_unchanged(*(path.name for path in files))
            return
    write_table(frames[name], draft / table_file(name, format), format)


def write_table(frame: pl.DataFrame, path: Path, format: str) -> None:  # noqa: A002
    """Write a table, or a part of one, to a file of a release.

    A Parquet file gets no statistics, which readers would believe unseen, and nothing that names
    values which no row has, as lists of categories would.
    """
    if format == "csv":
        frame.write_csv(path)
    else:
        plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        plain.write_parquet(path, compression="zstd", compression_level=1, statistics=False)
