"""The server's side of a child process."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection
from typing import Any

from papilio.web.jobs.child import serve
from papilio.web.jobs.messages import Order

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
