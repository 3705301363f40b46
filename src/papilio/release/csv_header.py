"""The header of a CSV file of a release."""

from __future__ import annotations

import csv
import io
import os

from papilio.data.shown_name import can_be_shown
from papilio.release.parquet.footer import MOST_COLUMNS
from papilio.release.refused import RefusedError

#: Longest header that is read, in bytes.
LONGEST_HEADER = 1 << 20


def read_header(file: int) -> list[str]:
    """Names of the columns of an open CSV file; none if it is empty.

    Raises
    ------
    RefusedError
        If there is no header of reasonable size, or a name cannot be printed.
    """
    start = os.pread(file, LONGEST_HEADER, 0)
    try:
        # What is cut off behind the header may end inside a character.
        text = start.decode("utf-8", errors="strict" if len(start) < LONGEST_HEADER else "replace")
        names = next(csv.reader(io.StringIO(text, newline="")), [])
    except (UnicodeDecodeError, csv.Error):
        raise RefusedError("has no header in UTF-8") from None
    if len(names) > MOST_COLUMNS:
        raise RefusedError(f"has more than {MOST_COLUMNS} columns")
    if not all(map(can_be_shown, names)):
        raise RefusedError("has a column name with characters that cannot be printed")
    return names
