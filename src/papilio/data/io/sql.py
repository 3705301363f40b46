"""A SELECT over files, run by DuckDB in a process of its own.

The query gets what it needs and no more: the rows of the files it names, nothing else of the disk,
no network, no extensions, no variables of the Python program, and no temporary files, so that no
raw data is left on disk; but for a private folder where a table is larger than memory.

Each text has a child process of its own, with limits that DuckDB itself cannot keep. DuckDB's limit
of memory does not cover values of constants, and it cannot be interrupted within a call of a
function: ``list_sum(range(200000000))`` takes 14 GB and 40 s before it hears of either. A process
can be limited and ended, and what it breaks is its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.frames import check_types, code_text
from papilio.data.source import SqlSource
from papilio.data.sql.files import MEMORY, SECONDS, Limits, looking, running
from papilio.errors import DataError, InternalError

Task = Literal["files", "header", "rows"]


@dataclass(frozen=True)
class Child:
    """A process that answers one request.

    Attributes
    ----------
    process
        Its rows come on its standard output.
    status
        Descriptor where it says what it found, or what is wrong.
    late
        Set if it was ended because its time was over.
    """

    process: subprocess.Popen[bytes]
    status: int
    late: threading.Event

    def names(self) -> tuple[str, ...]:
        """What it found, once it has given all rows.

        Raises
        ------
        DataError
            With what is wrong with the text, the files or the rows, or the limit it ran into.
        """
        answer = self._answer()
        if "error" not in answer:
            return tuple(answer["names"])
        if answer["reason"] == "defect":
            raise InternalError(answer["error"], reason="defect")
        # A message may repeat a name of the text, which may have line breaks.
        raise DataError(" ".join(answer["error"].split()), reason=answer["reason"])

    def rows(self) -> pa.RecordBatchReader:
        """Rows as they come.

        Raises
        ------
        DataError
            As :meth:`names`, if there are none to come.
        """
        with contextlib.suppress(pa.ArrowException, OSError):
            return pa.ipc.open_stream(self.process.stdout)
        self.names()
        raise _lost()

    def all_of(
        self, reader: pa.RecordBatchReader, tell: Callable[[tuple[str, ...]], object] = len
    ) -> Iterator[pa.RecordBatch]:
        """Hand rows on, and refuse them after the last if they are not all.

        Parameters
        ----------
        reader
            The rows.
        tell
            Told the names of all columns of the query after the last row.

        Raises
        ------
        DataError
            As :meth:`names`.
        """
        whole = False
        with contextlib.suppress(pa.ArrowException, OSError):
            yield from reader
            whole = True
        names = self.names()
        if not whole:
            raise _lost()
        tell(names)

    def _answer(self) -> dict[str, Any]:
        with os.fdopen(self.status, encoding="utf-8", closefd=False) as status:
            text = status.read()
        if self.late.is_set():
            raise DataError(
                "the SQL source takes longer than it may; wait for less, or set "
                f"{SECONDS} to more seconds",
                reason="sql-time",
            )
        if not text:
            raise _lost()
        answer: dict[str, Any] = json.loads(text)
        return answer


@contextmanager
def child(
    task: Task,
    source: SqlSource,
    limits: Limits,
    columns: Collection[str] | None = None,
    spill: Path | None = None,
) -> Iterator[Child]:
    """Start a process for one request; it is gone when the block ends.

    Parameters
    ----------
    task
        Names of files, columns of the result, or its rows.
    source
        The text and where its files are.
    limits
        Memory and time.
    columns
        Columns to give; ``None`` for all.
    spill
        A private folder for what does not fit into memory.
    """
    status, write_end = os.pipe()
    late = threading.Event()
    process = subprocess.Popen(  # noqa: S603 - a module of ours and a number
        [sys.executable, "-m", "papilio.data.sql.child", str(write_end)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[write_end],
        env=_environment(),
        start_new_session=True,
    )
    os.close(write_end)
    timer = threading.Timer(limits.seconds, _end_late, [process, late])
    timer.start()
    try:
        _send(process, _order(task, source, limits, columns, spill))
        yield Child(process, status, late)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        os.close(status)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _order(
    task: Task,
    source: SqlSource,
    limits: Limits,
    columns: Collection[str] | None,
    spill: Path | None,
) -> dict[str, Any]:
    allowed = source.allowed
    return {
        "task": task,
        "sql": source.sql,
        "base": str(source.base.absolute()),
        "allowed": None if allowed is None else [str(path.absolute()) for path in allowed],
        "columns": None if columns is None else list(columns),
        "memory": limits.memory,
        "spill": None if spill is None else str(spill.absolute()),
    }


def _send(process: subprocess.Popen[bytes], order: dict[str, Any]) -> None:
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    # One that has gone already says so where its answer is read.
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.flush()


def _end_late(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _environment() -> dict[str, str]:
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - '' is the current folder
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        # What is reserved and not used counts against the limit of memory: a GiB for Arrow's own
        # allocator, and the threads of NumPy, which Arrow loads.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _lost() -> DataError:
    # A process that runs into its limit of memory mostly cannot say so any more.
    return DataError(
        "the SQL source was ended by its limit of memory, or by a fault in DuckDB; ask for less, "
        f"or set {MEMORY} to more GiB",
        reason="sql-memory",
    )


_WHERE = "the SQL source"


def load_sql(source: SqlSource, columns: Collection[str] | None) -> pa.Table:
    """Run the query; text columns are dictionary-coded as they arrive.

    Parameters
    ----------
    source
        The query and the folder of its files.
    columns
        Names to load; others are not computed.

    Raises
    ------
    DataError
        With the kind of fault and its line, but without DuckDB's own message, which repeats
        cells.

    Notes
    -----
    Cost: that of the query, half a second for its process, and all columns of its files, which
    are read whatever the query uses of them.
    """
    return load_sql_named(source, columns)[0]


def load_sql_named(
    source: SqlSource, columns: Collection[str] | None
) -> tuple[pa.Table, tuple[str, ...]]:
    """Run the query as :func:`load_sql` does; also the names of all of its columns.

    To ask for the names first would cost a process of its own.
    """
    heard: list[tuple[str, ...]] = []
    with child("rows", source, running(), columns) as started:
        batches, schema = _rows(started, heard.append)
        table = code_text(batches, schema)
    return table, heard[0]


def spool_sql(
    source: SqlSource, columns: Collection[str] | None, file: BinaryIO, *, memory: int, spill: Path
) -> None:
    """Run the query once and write what it returns to a Parquet file, batch by batch.

    Parameters
    ----------
    source, columns
        As for :func:`load_sql`.
    file
        An open file, which need not have a name.
    memory
        Bytes that DuckDB may use.
    spill
        A private folder for what does not fit.

    Raises
    ------
    DataError
        As :func:`load_sql`.
    """
    with child("rows", source, running(memory), columns, spill) as started:
        batches, schema = _rows(started)
        with pq.ParquetWriter(file, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)


def sql_header(source: SqlSource) -> tuple[str, ...]:
    """Column names of the result; the query is bound but not run."""
    with child("header", source, looking()) as started:
        return started.names()


def file_names(sql: str) -> tuple[str, ...]:
    """Names of the files a statement reads, as they are written.

    Raises
    ------
    DataError
        If it does not parse, is not a single SELECT, or computes the name of a file.
    """
    names = _file_names(sql)
    if isinstance(names, DataError):
        raise DataError(str(names), reason=names.reason)
    return names


@lru_cache(maxsize=64)
def _file_names(sql: str) -> tuple[str, ...] | DataError:
    """Names, or what is wrong; both are remembered, for pages ask again and again."""
    with child("files", SqlSource(sql, Path()), looking()) as started:
        try:
            return started.names()
        except DataError as error:
            return error.with_traceback(None)


def _rows(
    started: Child, tell: Callable[[tuple[str, ...]], object] = len
) -> tuple[Iterator[pa.RecordBatch], pa.Schema]:
    """Rows as they come, and their types."""
    reader = started.rows()
    check_types(reader.schema, reader.schema.names, _WHERE)
    return started.all_of(reader, tell), reader.schema
