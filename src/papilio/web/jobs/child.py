"""The child's side: waits for orders, carries them out, tells how far it is.

Nothing it prints reaches anybody, since libraries may print values of the data. An interrupt from
the terminal is for the server alone, which then ends its children. When the server is gone, the
child ends itself.
"""

from __future__ import annotations

import importlib
import os
import queue
import signal
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from papilio.errors import told
from papilio.progress import Progress
from papilio.release.scratch import VARIABLE
from papilio.web.jobs.leftovers import remove
from papilio.web.jobs.messages import Done, Failure, Order, Step, failure_of

#: What takes a while to load and nearly every verb needs.
_PRELOADED = (
    "papilio.workflow.profile",
    "papilio.workflow.publish",
    "papilio.workflow.verify",
    "papilio.workflow.report",
    "papilio.workflow.attack",
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
