"""The two connections of an SQL source: one reads files for us, one runs what a stranger wrote.

The one that reads may open exactly the files that were found, and runs statements of ours alone.
The one that runs the query opens no file at all: rows reach it as a stream of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa

Settings: TypeAlias = dict[str, str | bool | int | float | list[str]]

#: Rows of a batch on their way from one connection to the other.
ROWS = 1 << 16
#: Part of the memory that is for reading files.
_READING = 0.25
#: Least memory for reading files: DuckDB's buffers of a CSV file on a few threads.
_LEAST = 200 << 20
#: What every connection gets: no extensions, no secrets from the owner's home, no frames of the
#: Python program as tables, no temporary files, and positions in errors.
SETTINGS: Settings = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_unsigned_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
    "temp_directory": "",
    "errors_as_json": True,
}


@dataclass(frozen=True)
class Rows:
    """Rows of files, from the start each time that they are asked for.

    Attributes
    ----------
    reader
        The connection that may open the files.
    sql
        The statement of ours that reads them.
    schema
        Types of their columns.
    """

    reader: duckdb.DuckDBPyConnection
    sql: str
    schema: pa.Schema

    def __arrow_c_schema__(self) -> Any:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream = self.reader.cursor().sql(self.sql).to_arrow_reader(ROWS)
        return stream.__arrow_c_stream__(requested_schema)


def shares(memory: int) -> tuple[int, int]:
    """Divide memory between the connection that reads files and the one that runs the query."""
    files = max(int(memory * _READING), min(memory // 2, _LEAST))
    return files, memory - files


@contextmanager
def reading(files: Sequence[Path], memory: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the connection that may open these files and no others.

    Parameters
    ----------
    files
        Real places.
    memory
        Bytes it may use.
    """
    config = {**SETTINGS, "memory_limit": f"{memory}B", "arrow_lossless_conversion": True}
    with duckdb.connect(":memory:", config=config) as connection:
        listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
        connection.execute(f"SET allowed_paths = [{listed}]")
        _close(connection)
        yield connection


@contextmanager
def querying(memory: int, spill: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the connection that opens no file, but for what does not fit into memory.

    Parameters
    ----------
    memory
        Bytes it may use.
    spill
        A private folder, to which DuckDB writes what does not fit, encrypted with a key that is in
        memory only; left out, nothing is written anywhere.
    """
    more: Settings = {"memory_limit": f"{memory}B"}
    if spill is not None:
        # Without OpenSSL, which is an extension, DuckDB encrypts with keys from a generator that it
        # does not call secure: good against whoever finds the files, not against an expert.
        encrypted: Settings = {"temp_file_encryption": True, "force_mbedtls_unsafe": True}
        more |= {"temp_directory": str(spill), **encrypted}
    with duckdb.connect(":memory:", config={**SETTINGS, **more}) as connection:
        if spill is None:
            connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
        _close(connection)
        yield connection


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def rows_of(reader: duckdb.DuckDBPyConnection, sql: str) -> Rows:
    """Look at files without reading their rows."""
    return Rows(reader, sql, reader.cursor().sql(f"{sql} LIMIT 0").to_arrow_table().schema)
