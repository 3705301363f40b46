"""What is wrong with a query that DuckDB refused, without DuckDB's message, which repeats cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from papilio.errors import DataError

#: What the source is called in messages.
WHERE = "the SQL source"
_FAULTS = (
    (duckdb.ParserException, "has a syntax error", "sql-syntax"),
    (duckdb.BinderException, "uses a column or function that is not there", "sql-unknown-name"),
    (duckdb.CatalogException, "uses a table or function that is not there", "sql-unknown-name"),
    (duckdb.ConversionException, "converts a value that cannot be converted", "sql-conversion"),
    (duckdb.PermissionException, "does what is not permitted", "sql-permission"),
    (duckdb.IOException, "reads a file that cannot be read", "sql-file"),
    (duckdb.OutOfMemoryException, "needs more memory than it may use", "sql-memory"),
    (MemoryError, "needs more memory than it may use", "sql-memory"),
)


@contextmanager
def told(lines: Mapping[int, int] | None = None) -> Iterator[None]:
    """Turn errors of DuckDB and Arrow into ours.

    Parameters
    ----------
    lines
        Lines of the policy's text by byte positions in the text that runs.
    """
    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError, MemoryError, RuntimeError) as error:
        raise _explain(error, lines or {}) from None


def _explain(error: Exception, lines: Mapping[int, int]) -> DataError:
    line = lines.get(_position(str(error)))
    place = "" if line is None else f" in line {line}"
    for kind, what, reason in _FAULTS:
        if isinstance(error, kind):
            return DataError(f"{WHERE} {what}{place}", reason=reason)
    return DataError(f"{WHERE} cannot be run{place}", reason="sql-failed")


def _position(message: str) -> int:
    """Where DuckDB saw the fault; its errors are JSON here."""
    found = re.search(r"\{.*\}", message, re.DOTALL)
    try:
        return int(json.loads(found[0])["position"]) if found else -1
    except (ValueError, KeyError, TypeError):
        return -1
