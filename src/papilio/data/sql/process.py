"""A child process for each text of SQL, with limits that DuckDB itself cannot keep.

DuckDB's limit of memory does not cover values of constants, and it cannot be interrupted within a
call of a function: ``list_sum(range(200000000))`` takes 14 GB and 40 s before it hears of either.
A process can be limited and ended, and what it breaks is its own.
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
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from papilio.data.source import SqlSource
from papilio.data.sql.limits import MEMORY, SECONDS, Limits
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
