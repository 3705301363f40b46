"""The server's side of a child process: what both tell each other, and what is left behind."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import queue
import secrets
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from papilio.errors import Fault, InfeasibleError, PapilioError, PolicyError, told
from papilio.progress import Progress
from papilio.release.locked_folder import Leftover, is_held, size_of
from papilio.release.scratch import VARIABLE
from papilio.web.project import PARTS


@dataclass(frozen=True)
class Order:
    """What a child shall do.

    Attributes
    ----------
    path
        The function, as ``module:name``.
    folder
        Folder of the project it is for.
    scratch
        Where whatever spills to disk goes; it does not exist before and after.
    arguments
        Keyword arguments of the function; plain data.
    environment
        What the child finds in its environment while it does it, such as a password.
    """

    path: str
    folder: Path
    scratch: Path
    arguments: Mapping[str, Any]
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Step:
    """How far a child is.

    Attributes
    ----------
    stage
        What it does now.
    share
        Share of the work done before this stage began.
    """

    stage: str
    share: float


@dataclass(frozen=True)
class Done:
    """What came out, as plain data."""

    result: Any


@dataclass(frozen=True)
class Failure:
    """Why nothing came out; never a value of the data.

    Attributes
    ----------
    message
        What is wrong and what would be accepted.
    reason
        A stable code, such as ``"missing-file"``.
    nearest
        What could be met instead, if the policy cannot.
    faults
        What is wrong with the policy, if it is.
    """

    message: str
    reason: str
    nearest: str | None = None
    faults: tuple[Fault, ...] = ()


def failure_of(error: PapilioError) -> Failure:
    """Say an error as plain data."""
    return Failure(
        str(error),
        error.reason,
        error.nearest if isinstance(error, InfeasibleError) else None,
        error.faults if isinstance(error, PolicyError) else (),
    )


#: How hidden folders and files of unfinished work begin, and where in a project they lie.
_DRAFTS = (".papilio-", ".report")
_PLACES = ("releases", "reports", "state")
_SCRATCH = ".scratch-"


def remove_leftovers(folder: Path) -> None:
    """Remove unfinished releases and reports of a project.

    Call it only while no run is under way for the project: what a run is writing looks the same.
    Files that pages are just saving are told by their locks, and stay.

    Parameters
    ----------
    folder
        Folder of the project.
    """
    for place in _PLACES:
        _remove_hidden(folder / place, _DRAFTS)


def remove_everything_left(folder: Path) -> list[Leftover]:
    """Remove also broken uploads and what spilt to disk; to be called before a server's first job.

    Returns
    -------
    list of Leftover
        What was there.
    """
    return [
        *_remove_hidden(folder, (_SCRATCH, *_DRAFTS)),
        *(each for place in PARTS for each in _remove_hidden(folder / place, _DRAFTS)),
    ]


def scratch_of(folder: Path) -> Path:
    """Place of a new hidden folder in a project for whatever spills to disk."""
    return folder / f"{_SCRATCH}{secrets.token_hex(8)}"


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing happens if it is not there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _remove_hidden(folder: Path, prefixes: tuple[str, ...]) -> list[Leftover]:
    if not folder.is_dir():
        return []
    hidden = [path for path in folder.iterdir() if path.name.startswith(prefixes)]
    return [_removed(path) for path in hidden if not is_held(path)]


def _removed(path: Path) -> Leftover:
    size = size_of(path)
    remove(path)
    return Leftover(path, size, removed=not os.path.lexists(path))


#: What takes a while to load and nearly every verb needs.
_PRELOADED = (
    "papilio.workflow.draft",
    "papilio.workflow.publish",
    "papilio.workflow.verify",
    "papilio.workflow.report",
    "papilio.workflow.risk",
)
#: Least seconds between two steps of one stage that are told.
_PAUSE = 0.05
#: How far children stand back behind the server, which has to answer people.
_NICE = 5


def serve(connection: Connection) -> None:
    """Carry out orders until the server is gone; the main function of the child."""
    os.setsid()
    os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _fall_silent()
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    for name in _PRELOADED:
        importlib.import_module(name)
    while True:
        connection.send(_carry_out(orders.get(), connection))


def _fall_silent() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _listen(connection: Connection, orders: queue.SimpleQueue[Order]) -> None:
    """Take orders; when the server is gone, end everything, kernels included."""
    while True:
        try:
            orders.put(connection.recv())
        except (EOFError, OSError):
            os.killpg(os.getpgid(0), signal.SIGKILL)


def _carry_out(order: Order, connection: Connection) -> Done | Failure:
    before = dict(os.environ)
    try:
        order.scratch.mkdir(mode=0o700)
        # Whatever spills to disk stays in the workspace.
        tempfile.tempdir = str(order.scratch)
        places = dict.fromkeys(("TMPDIR", VARIABLE), str(order.scratch))
        os.environ.update({**order.environment, **places})
        return Done(_function(order.path)(order.folder, _teller(connection), **order.arguments))
    except BaseException as error:  # noqa: BLE001 - a panic of Polars is not an Exception
        return failure_of(told(error))
    finally:
        remove(order.scratch)
        os.environ.clear()
        os.environ.update(before)


def _function(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _teller(connection: Connection) -> Progress:
    """Make the function that tells the server of each stage, and now and then of its progress."""
    last = ("", -1.0)

    def tell(stage: str, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if stage != last[0] or now - last[1] >= _PAUSE:
            last = (stage, now)
            connection.send(Step(stage, share))

    return tell


#: Seconds a child has to end by itself.
PATIENCE = 0.5
# Not a fork: the server has threads, and so have the libraries.
_SPAWN = multiprocessing.get_context("spawn")


class Worker:
    """A child process that waits for an order.

    It takes about a second to load what it needs; orders that come earlier wait.
    """

    def __init__(self) -> None:
        self._connection, other = _SPAWN.Pipe()
        # Children may need children of their own, which a daemon must not have.
        self._process = _SPAWN.Process(target=serve, args=(other,), daemon=False)
        self._process.start()
        other.close()

    @property
    def connection(self) -> Connection:
        """The pipe."""
        return self._connection

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.is_alive()

    def send(self, order: Order) -> bool:
        """Give it an order; ``False`` if it died before."""
        try:
            self._connection.send(order)
        except OSError:
            return False
        return True

    def receive(self) -> Any:
        """Wait for a message; ``None`` when the process has ended."""
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Tell it to end, and make it end if it does not; returns at once."""
        self._signal(signal.SIGTERM)
        timer = threading.Timer(PATIENCE, self._signal, (signal.SIGKILL,))
        timer.daemon = True
        timer.start()

    def bury(self) -> None:
        """Wait for the end, so that nothing of it stays in the table of processes."""
        self._process.join(PATIENCE)
        self._signal(signal.SIGKILL)
        self._process.join()
        self._connection.close()

    def _signal(self, number: int) -> None:
        """Signal the process and all it has started."""
        identity = self._process.pid
        if identity is None or not self.alive:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(identity, number)
        with contextlib.suppress(ProcessLookupError):
            # Before it leads a group of its own it is not reached that way.
            os.kill(identity, number)
