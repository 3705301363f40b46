"""A piece of work in a child process, as pages see it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from papilio.errors import PapilioError
from papilio.web.jobs.messages import Done, Failure, Step
from papilio.web.jobs.worker import Worker


class State(StrEnum):
    """How a job stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class JobError(PapilioError):
    """A job has no result; ``failure`` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message, reason=failure.reason)
        self.failure = failure


_CANCELLED = Failure("the run was cancelled; nothing was written", "cancelled")
_DIED = Failure(
    "the run was ended by the operating system, most likely because memory ran out; nothing was "
    "written; free memory, or take fewer rows or columns",
    "died",
)


class Job:
    """A piece of work; made by :func:`papilio.web.jobs.run.start`.

    All attributes may be read from any thread at any time.

    Attributes
    ----------
    verb
        What is done.
    arguments
        What it is done with.
    progress
        The stage, and the share done before it.
    state
        How it stands.
    failure
        Why there is no result, once that is so.
    """

    def __init__(
        self,
        verb: str,
        arguments: Mapping[str, Any],
        worker: Worker,
        clean: Callable[[], None],
    ) -> None:
        self.verb = verb
        self.arguments = arguments
        self.progress = Step("starting", 0.0)
        self.state = State.RUNNING
        self.failure: Failure | None = None
        self._result: Any = None
        self._worker = worker
        self._clean = clean
        self._lock = threading.Lock()
        self._asked_to_end = False
        self._concluded = False
        self._started = time.monotonic()
        self._seconds: float | None = None
        self._over = threading.Event()

    @property
    def running(self) -> bool:
        """Whether it is not over."""
        return not self._over.is_set()

    @property
    def seconds(self) -> float:
        """How long it has been running, or ran."""
        return time.monotonic() - self._started if self._seconds is None else self._seconds

    def cancel(self) -> None:
        """End it; returns at once, and within about half a second it is over.

        A job that is over stays as it is.
        """
        with self._lock:
            # Afterwards the child may work for somebody else.
            if not self._concluded:
                self._asked_to_end = True
                self._worker.end()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, at most so long; says whether it is. Not for the event loop."""
        return self._over.wait(seconds)

    async def over(self) -> Job:
        """Wait until it is over, without holding up the event loop."""
        while self.running:
            await asyncio.sleep(_LOOK)
        return self

    def result(self) -> Any:
        """What came out.

        Raises
        ------
        JobError
            If it failed, was cancelled, or is not over.
        """
        if self.failure is not None:
            raise JobError(self.failure)
        if self.running:
            raise JobError(Failure("the run is not over yet", "running"))
        return self._result

    def follow(self) -> bool:
        """Listen to the child until the job is over; says whether the child can be used again.

        Runs in a thread of its own.
        """
        message = self._worker.receive()
        while isinstance(message, Step):
            self.progress = message
            message = self._worker.receive()
        with self._lock:
            self._concluded = True
        usable = message is not None and not self._asked_to_end
        if not usable:
            self._worker.end()
            self._worker.bury()
        # Who cancelled expects nothing to be there, also if it was done a moment ago.
        self._conclude(_CANCELLED if self._asked_to_end else message)
        return usable

    def _conclude(self, message: Done | Failure | None) -> None:
        if isinstance(message, Done):
            self._result, self.state = message.result, State.DONE
        else:
            self._clean()
            self.failure = message or _DIED
            self.state = State.CANCELLED if self._asked_to_end else State.FAILED
        self._seconds = time.monotonic() - self._started
        self._over.set()


#: Seconds between two looks of somebody who waits.
_LOOK = 0.02
