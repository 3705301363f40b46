"""Kinds of files, told by their endings."""

from __future__ import annotations

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
