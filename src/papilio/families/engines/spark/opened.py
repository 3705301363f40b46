"""A release that Spark questions where its files lie, for the verifier's statements."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.engines.spark.write import collect
from papilio.errors import EngineError
from papilio.release.files import Seen, look_at_all
from papilio.release.manifest import Manifest
from papilio.release.read_table import files_of
from papilio.release.store import read_manifest
from papilio.verify.opened import (
    DAMAGED,
    UNEQUAL,
    WORK,
    UnreadableError,
    hierarchies_of,
    tables_of,
    unreadable_tables,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_TOKENS = re.compile(
    rf"""
    (?P<source>\b(?:FROM|JOIN)\s+)"(?P<table>(?:[^"]|"")*)"
    | (?P<name>"(?:[^"]|"")*")
    | (?P<text>'(?:[^']|'')*')
    | \b{WORK}\.(?P<own>\w+)
    """,
    re.VERBOSE,
)


def spark_text(statement: str, views: Mapping[str, str], prefix: str) -> str:
    """Turn a statement of the verifier into one of Spark.

    Tables, whose names servers do not agree how to quote, are temporary views with plain names, and
    so are the verifier's own tables, outside of any schema. Other names in double quotes get
    backticks, texts the escapes that Spark reads. Nothing else is changed.

    Parameters
    ----------
    statement
        SQL with names in double quotes.
    views
        View of each published table.
    prefix
        What the names of the verifier's own tables begin with.
    """

    def spark(token: re.Match[str]) -> str:
        if token["source"]:
            return token["source"] + views[token["table"].replace('""', '"')]
        if token["name"]:
            return "`" + token["name"][1:-1].replace('""', '"').replace("`", "``") + "`"
        if token["text"]:
            inside = token["text"][1:-1].replace("''", "'")
            return "'" + inside.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return f"{prefix}_{token['own']}"

    return _TOKENS.sub(spark, statement)


#: Most rows that a check may bring here; more are not distinct values or cells any more.
MOST_ROWS = 5_000_000


_TYPES = {
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp_ntz": "TIMESTAMP",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
}


@dataclass(frozen=True, eq=False)
class OpenedInSpark:
    """A release in Spark; see :class:`papilio.verify.opened.Opened`.

    Attributes
    ----------
    session
        Where the release is questioned; a temporary view per table.
    manifest, directory, hierarchies, tables, faults, files, kept
        As :class:`papilio.verify.opened.Opened` says.
    work
        A folder for the verifier's own tables, which workers may write to.
    views
        Temporary view of each table.
    prefix
        What the names of all views begin with.
    own
        Views of the verifier's own tables.
    """

    session: SparkSession
    manifest: Manifest
    directory: Path
    hierarchies: Mapping[str, str]
    tables: frozenset[str]
    faults: Mapping[str, str]
    files: Mapping[str, Seen]
    work: Path
    views: Mapping[str, str]
    prefix: str
    own: set[str] = field(default_factory=set)
    kept: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows.

        Raises
        ------
        EngineError
            If they are more than :data:`MOST_ROWS`.
        """
        table = self._collected(statement)
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    def row(self, statement: str) -> tuple[Any, ...]:
        """Run a query that returns one row."""
        return self.rows(statement)[0]

    def arrays(self, statement: str) -> list[Any]:
        """Run a query and return its columns as NumPy arrays."""
        return [column.to_numpy() for column in self._collected(statement).columns]

    def lines(self, table: str, columns: Sequence[str], most: int) -> pa.Table:
        """Read the first lines of a table's first file, here and not in Spark."""
        first = self.directory / files_of(self.manifest, table)[0]
        try:
            with pq.ParquetFile(first) as parquet:
                wanted = pa.schema([parquet.schema_arrow.field(name) for name in columns])
                batches = islice(parquet.iter_batches(most, columns=list(columns)), 1)
                parts = [batch.select(list(columns)) for batch in batches]
                return pa.Table.from_batches(parts, wanted)
        except (OSError, pa.ArrowException):
            raise UnreadableError from None

    def execute(self, statement: str) -> None:
        """Run a statement that returns nothing."""
        with self._readable_files():
            collect(self._frame(statement), "nothing")

    def types(self, table: str) -> dict[str, str]:
        """Columns of a table or view and their SQL types, in order."""
        fields = self.session.table(self.views[table]).schema.fields
        kinds = {each.name: each.dataType.simpleString() for each in fields}
        return {name: _TYPES.get(kind, kind.upper()) for name, kind in kinds.items()}

    def keep(self, name: str, query: str) -> None:
        """Keep what a query returns as a table; written out, so that it is computed once."""
        path = str(self.work / f"{name}_{secrets.token_hex(4)}")
        with self._readable_files():
            frame = self._frame(query)
            frame.write.parquet(path)
            reader = self.session.read
            if not any(Path(path).glob("*.parquet")):
                # Without rows there may be no file that tells the columns.
                reader = reader.schema(frame.schema)
            self._show(name, reader.parquet(path))

    def keep_columns(self, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Keep a small table, given by its columns."""
        self._show(name, self.session.createDataFrame(pa.table(dict(columns))))

    def described_by(self, manifest: Manifest) -> OpenedInSpark:
        """Give the same tables under another manifest."""
        return replace(self, manifest=manifest)

    def _show(self, name: str, frame: DataFrame) -> None:
        view = f"{self.prefix}_{name}"
        frame.createOrReplaceTempView(view)
        self.own.add(view)

    def _frame(self, statement: str) -> DataFrame:
        return self.session.sql(spark_text(statement, self.views, self.prefix))

    def _collected(self, statement: str) -> pa.Table:
        with self._readable_files():
            table = collect(self._frame(statement).limit(MOST_ROWS + 1), "what a check counts")
        if table.num_rows > MOST_ROWS:
            raise EngineError(
                "there are more distinct cells than can be read beside Spark; verify the release "
                "with papilio verify",
                reason="too-many-cells",
            )
        return table

    @contextmanager
    def _readable_files(self) -> Iterator[None]:
        """Tell a damaged file, which is the release's fault, from a failure of the engine."""
        from pyspark.errors import PySparkException

        try:
            yield
        except PySparkException:
            if _damaged(self.directory, self.manifest):
                raise UnreadableError from None
            raise


@contextmanager
def open_in_spark(directory: Path, session: SparkSession, work: Path) -> Iterator[OpenedInSpark]:
    """Open the release in a directory that this program and the workers of Spark see alike.

    Parameters
    ----------
    directory
        The release; its tables are Parquet files.
    session
        Where it is questioned.
    work
        An empty folder that the workers may write to.

    Raises
    ------
    EngineError
        If tables are not Parquet files, or names of files have wildcards in them.
    """
    manifest = read_manifest(directory)
    _check_place(directory, manifest)
    described = {table.name for table in manifest.tables}
    seen = look_at_all(directory, manifest)
    faults = unreadable_tables(manifest, seen)
    views: dict[str, str] = {}
    own: set[str] = set()
    prefix = f"papilio_{secrets.token_hex(8)}"
    try:
        for number, name in enumerate(sorted((described & tables_of(manifest)) - faults.keys())):
            paths = [(directory / file).absolute() for file in files_of(manifest, name)]
            fault = _fault(paths)
            if fault is None:
                views[name] = f"{prefix}_table_{number}"
                session.read.parquet(*map(str, paths)).createOrReplaceTempView(views[name])
            else:
                faults[name] = fault
        yield OpenedInSpark(
            session,
            manifest,
            directory,
            hierarchies_of(directory, manifest, seen),
            tables_of(manifest),
            faults,
            seen,
            work,
            views,
            prefix,
            own,
        )
    finally:
        _forget(session, [*views.values(), *own])


def _check_place(directory: Path, manifest: Manifest) -> None:
    if any(file.table and not file.name.endswith(".parquet") for file in manifest.files):
        raise EngineError(
            "Spark verifies releases of Parquet files; verify this one with papilio verify",
            reason="not-parquet",
        )
    names = "".join([str(directory.absolute()), *(f.name for f in manifest.files if f.table)])
    if set("*?[]{}\\") & set(names):
        raise EngineError(
            "Spark reads *, ?, brackets and braces in names of files as wildcards; verify the "
            "release with papilio verify",
            reason="wildcards",
        )


def _fault(paths: Sequence[Path]) -> str | None:
    """What is wrong with the files of a table, from what they say of their columns."""
    try:
        schemas = [pq.read_schema(path) for path in paths]
    except (OSError, pa.ArrowException):
        return DAMAGED
    return None if all(schema.equals(schemas[0]) for schema in schemas) else UNEQUAL


def _damaged(directory: Path, manifest: Manifest) -> bool:
    """Whether a file of a table cannot be read to its end; read here, a part of it at a time."""
    for file in manifest.files:
        if file.table is None:
            continue
        try:
            with pq.ParquetFile(directory / file.name) as parquet:
                for _ in parquet.iter_batches():
                    pass
        except (OSError, pa.ArrowException):
            return True
    return False


def _forget(session: SparkSession, views: Iterable[str]) -> None:
    from pyspark.errors import PySparkException

    try:
        for name in views:
            session.catalog.dropTempView(name)
    except PySparkException:
        # The server has gone, and its views with it.
        return
