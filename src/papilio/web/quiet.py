"""Nothing a library logs may hold a cell, so nothing is logged but where a defect is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import threading
import warnings
from typing import Any

from papilio.errors import PapilioError, told


def silence() -> None:
    """Turn off all logs, warnings and printed tracebacks of this process.

    Messages and tracebacks of libraries may repeat what was read. :func:`tell` is left.
    """
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda unraisable: tell(unraisable.exc_value)
    threading.excepthook = lambda args: tell(args.exc_value)


def quiet_loop() -> None:
    """Treat what fails in the running event loop in the same way."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        del loop
        tell(context.get("exception"))

    asyncio.get_running_loop().set_exception_handler(handle)


def words_for(error: BaseException | None) -> str:
    """What may be said of an error: its text if Papilio wrote it, else only where it is."""
    if isinstance(error, PapilioError):
        return str(error)
    if error is None or error.__traceback__ is None:
        return "a defect of Papilio; please report it"
    return str(told(error))


def tell(error: BaseException | None) -> None:
    """Say one line about a defect on standard error; what users did wrong is said on the page."""
    if isinstance(error, (PapilioError, asyncio.CancelledError)) or sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"papilio: {words_for(error)}\n")
        sys.stderr.flush()
