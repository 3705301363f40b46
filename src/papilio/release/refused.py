"""Why a file cannot be part of a release."""

from __future__ import annotations


class RefusedError(ValueError):
    """A file is not one that a release may have.

    The message goes on where the name of the file ends, such as "is not a Parquet file", and
    repeats nothing of what the file holds.
    """
