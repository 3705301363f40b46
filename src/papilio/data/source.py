"""Where a table comes from: a file or folder, a query over files, or a PostgreSQL server."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from papilio.errors import DataError

_SCHEMES = ("postgresql://", "postgres://")
_FILE_ENDING = re.compile(r"\.(csv|tsv|parquet)(\.gz)?$", re.IGNORECASE)
_TABLE_PART = r'(?:"(?:[^"]|"")+"|[\w$-]+)'
_TABLE = re.compile(rf"({_TABLE_PART})(?:\.({_TABLE_PART}))?")
_HOST = r"(?:\[[^\]@]*\]|[^@/?#:,\[\]]*)(?::[0-9]+)?"
_ADDRESS = re.compile(
    rf"(?:postgresql|postgres)://(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    rf"(?P<host>{_HOST}(?:,{_HOST})*)(?P<database>/[^@/?#]*)?(?:[?#][^@]*)?"
)


@dataclass(frozen=True)
class FileSource:
    """A CSV, TSV or Parquet file, or a folder of files of one of these kinds.

    Attributes
    ----------
    path
        The file or folder.
    null
        Texts that mean NULL in text cells, besides the empty cell of CSV and TSV files.
    allowed
        Files and folders that what is read must lie in, by its real place; ``None`` if the
        program's owner named the file.
    """

    path: Path
    null: tuple[str, ...] = ()
    allowed: tuple[Path, ...] | None = None

    @property
    def name(self) -> str:
        """Name of the published table: the file's name without its ending."""
        name = self.path.name or self.path.resolve().name
        return safe_name(_FILE_ENDING.sub("", name))


@dataclass(frozen=True)
class SqlSource:
    """One SELECT that DuckDB runs over files.

    Attributes
    ----------
    sql
        The statement. Files it names are relative to ``base``.
    base
        A folder.
    allowed
        Files and folders besides ``base`` that files may lie in, by their real places; ``None``
        if the program's owner wrote the statement. See :func:`papilio.data.io.confine.confined`.
    """

    sql: str
    base: Path
    allowed: tuple[Path, ...] | None = None

    @property
    def name(self) -> str:
        """Name of the published table, which a query does not have: ``table``."""
        return "table"


@dataclass(frozen=True)
class PostgresSource:
    """A table or the result of a query on a PostgreSQL server.

    Its text forms never show a password.

    Attributes
    ----------
    uri
        Address as libpq takes it, ``postgresql://user:password@host:port/database?option=value``.
    table
        ``table`` or ``schema.table``, each name exactly as it is stored; a name with other signs
        than letters, digits, ``_``, ``$`` and ``-`` stands in double quotes.
    query
        A SELECT, instead of a table.

    Raises
    ------
    DataError
        If there is neither a table nor a query, or both, or the table's name is not one.
    """

    uri: str = field(repr=False)
    table: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        if (self.table is None) == (self.query is None):
            raise DataError(
                f"{self.address}: name either a table or a query, as in "
                "postgresql://user@host/database#schema.table",
                reason="no-table",
            )
        if self.table is not None:
            split_table(self.table)

    @property
    def name(self) -> str:
        """Name of the published table: the table's name without its schema, else ``table``."""
        return "table" if self.table is None else safe_name(split_table(self.table)[-1])

    @property
    def address(self) -> str:
        """The server, for messages: without password and options.

        An address that does not parse is not shown at all, because the password could be
        anywhere in it.
        """
        match = _ADDRESS.fullmatch(self.uri)
        if match is None:
            return "postgresql://…"
        user = f"{match['user']}@" if match["user"] else ""
        return f"postgresql://{user}{match['host']}{match['database'] or ''}"

    def __repr__(self) -> str:
        part = "query" if self.table is None else f"table={self.table!r}"
        return f"PostgresSource({self.address!r}, {part})"


def is_address(text: str) -> bool:
    """Whether a text is the address of a PostgreSQL server rather than a file's name."""
    return text.startswith(_SCHEMES)


Source: TypeAlias = FileSource | SqlSource | PostgresSource


def parse_source(text: str, base: Path) -> Source:
    """Read a source from one line of text.

    Parameters
    ----------
    text
        A path, relative to ``base``, or ``postgresql://user@host/database#schema.table``.
    base
        Folder to which a path is relative.

    Raises
    ------
    DataError
        If the text is empty, has another scheme, or names no table of a server.
    """
    if is_address(text):
        uri, _, table = text.rpartition("#") if "#" in text else (text, "", "")
        return PostgresSource(uri, unquote(table) or None)
    scheme = re.match(r"([a-z][a-z0-9+.-]*)://", text, re.IGNORECASE)
    if scheme or not text.strip():
        what = f"{scheme[1]}:// is not a source" if scheme else "the source is empty"
        raise DataError(
            f"{what}; a file, a folder or postgresql://user@host/database#table is accepted",
            reason="unknown-source",
        )
    return FileSource(base / text)


def split_table(text: str) -> tuple[str, ...]:
    """Split ``schema.table`` into its names, without quotes.

    Raises
    ------
    DataError
        If the text is not of that form. The message does not repeat it: with a badly written
        address it could hold the end of a password.
    """
    match = _TABLE.fullmatch(text)
    if match is None:
        raise DataError(
            "a table is named table or schema.table; a name with special signs stands in double "
            "quotes, and special signs of a password are percent-encoded",
            reason="bad-table-name",
        )
    return tuple(_unquote_part(part) for part in match.groups() if part)


def _unquote_part(part: str) -> str:
    return part[1:-1].replace('""', '"') if part.startswith('"') else part


def safe_name(text: str) -> str:
    """Make a file name of letters, digits, ``_`` and ``-``; ``table`` if nothing is left."""
    kept = re.sub(r"[^\w-]+", "_", unicodedata.normalize("NFC", text))
    return kept.strip("_-") or "table"
