"""Work in child processes, as pages see it; one run that writes at a time per project."""

from __future__ import annotations

import asyncio
import atexit
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from papilio.errors import PapilioError
from papilio.web.jobs.worker import (
    Done,
    Failure,
    Order,
    Step,
    Worker,
    remove,
    remove_leftovers,
    scratch_of,
)
from papilio.web.project import Project
from papilio.web.security.access import environment


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


@dataclass(frozen=True)
class Verb:
    """A piece of work.

    Attributes
    ----------
    path
        Its function, as ``module:name``. It is called with the folder of the project, a function
        to be told of each stage, and the arguments of the order, and returns plain data.
    alone
        Whether only one such piece of work may be under way per project, because it writes or
        takes all the machine has.
    """

    path: str
    alone: bool = False


def _verbs(module: str, *names: str, alone: bool = False) -> dict[str, Verb]:
    return {name: Verb(f"papilio.web.verbs.{module}:{name}", alone) for name in names}


VERBS = {
    **_verbs("previews", "profile"),
    **_verbs("publish", "publish", alone=True),
    **_verbs("previews", "value_counts", "hierarchy_preview", "target_preview", "examples"),
    **_verbs("documents", "document", "risk"),
    **_verbs("documents", "report", "compare", alone=True),
    **_verbs("ask", "ask"),
}
#: Most children that work at the same time.
MOST = 8
#: Children that wait for their first order.
_SPARE = 1


class Desk:
    """Keeps children ready, and knows which are at work for whom."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._idle: list[Worker] = []
        self._jobs: dict[Job, Path] = {}
        self._latest: dict[tuple[Path, str], Job] = {}
        self._alone: dict[Path, Job] = {}
        self._closed = False

    def start(
        self,
        project: Project,
        verb: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        makes: Path | None = None,
    ) -> Job:
        """See :func:`start`."""
        wanted, folder = VERBS[verb], project.folder.absolute()
        with self._lock:
            self._check(wanted, folder)
            if wanted.alone:
                remove_leftovers(folder)
            said = dict(arguments or {})
            order = Order(wanted.path, folder, scratch_of(folder), said, environment(project))
            worker = self._employ(order)
            job = Job(verb, said, worker, _cleaner(wanted, order, makes))
            self._jobs[job] = folder
            self._latest[folder, verb] = job
            if wanted.alone:
                self._alone[folder] = job
        threading.Thread(target=self._follow, args=(job, worker), daemon=True).start()
        return job

    def running(self, project: Project) -> Job | None:
        """See :func:`running`."""
        job = self._alone.get(project.folder.absolute())
        return job if job is not None and job.running else None

    def latest(self, project: Project, verb: str) -> Job | None:
        """See :func:`latest`."""
        return self._latest.get((project.folder.absolute(), verb))

    def prepare(self) -> None:
        """See :func:`prepare`."""
        with self._lock:
            while not self._closed and len(self._idle) < _SPARE:
                self._idle.append(Worker())

    def cancel_all(self, project: Project) -> None:
        """See :func:`cancel_all`."""
        folder = project.folder.absolute()
        with self._lock:
            jobs = [job for job, place in self._jobs.items() if place == folder]
            self._latest = {key: job for key, job in self._latest.items() if key[0] != folder}
        for job in jobs:
            job.cancel()
        for job in jobs:
            job.wait()

    def close(self) -> None:
        """See :func:`close`."""
        with self._lock:
            self._closed = True
            jobs, idle = list(self._jobs), self._idle
            self._idle = []
        for job in jobs:
            job.cancel()
        for worker in idle:
            worker.end()
        for worker in idle:
            worker.bury()
        for job in jobs:
            job.wait()

    def _check(self, verb: Verb, folder: Path) -> None:
        if self._closed:
            raise PapilioError("the workbench is closing", reason="closing")
        busy = self._alone.get(folder)
        if verb.alone and busy is not None and busy.running:
            raise PapilioError(
                f"this project is busy with another run ({busy.verb}); wait for its end, or cancel "
                "it first",
                reason="busy",
            )
        if len(self._jobs) >= MOST:
            raise PapilioError(
                f"{MOST} pieces of work are under way already; wait for one of them to end",
                reason="too-many",
            )

    def _employ(self, order: Order) -> Worker:
        """Give an order to a child that waits, or to a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive and worker.send(order):
                return worker
            worker.bury()
        worker = Worker()
        worker.send(order)
        return worker

    def _follow(self, job: Job, worker: Worker) -> None:
        usable = job.follow()
        with self._lock:
            del self._jobs[job]
            keep = usable and not self._closed and not VERBS[job.verb].alone
            keep = keep and len(self._idle) <= _SPARE
            if keep:
                self._idle.append(worker)
        if usable and not keep:
            # What big tables took is given back with the process.
            worker.end()
            worker.bury()
        self.prepare()


def _cleaner(verb: Verb, order: Order, makes: Path | None) -> Callable[[], None]:
    """Make the function that removes what a job leaves behind that has no result."""
    there = makes is not None and makes.exists()

    def clean() -> None:
        remove(order.scratch)
        if verb.alone:
            remove_leftovers(order.folder)
        if makes is not None and not there:
            remove(makes)

    return clean


_desk = Desk()


def start(
    project: Project,
    verb: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    makes: Path | None = None,
) -> Job:
    """Start work in a child process; returns at once.

    Parameters
    ----------
    project
        For whom.
    verb
        One of :data:`papilio.web.jobs.run.VERBS`.
    arguments
        Keyword arguments of the verb; plain data.
    makes
        File or folder that the work makes; if it fails or is cancelled, it is not there.

    Raises
    ------
    PapilioError
        If the verb works alone and another one is under way for the project (reason ``busy``), or
        if too much is under way altogether (``too-many``).
    """
    return _desk.start(project, verb, arguments, makes=makes)


def start_or_join(project: Project, verb: str, arguments: Mapping[str, Any]) -> Job:
    """Start work unless the last of its kind did, or does, exactly this; then give that one."""
    last = latest(project, verb)
    if last is not None and last.arguments == arguments and last.failure is None:
        return last
    return start(project, verb, arguments)


def running(project: Project) -> Job | None:
    """Tell which job that works alone is under way for a project."""
    return _desk.running(project)


def latest(project: Project, verb: str) -> Job | None:
    """Tell the job that was started last for a project and a verb, over or not."""
    return _desk.latest(project, verb)


def cancel_all(project: Project) -> None:
    """End everything that is under way for a project and forget it; waits, so not for the loop.

    To be called before a project is deleted: another one may get its name.
    """
    _desk.cancel_all(project)


def prepare() -> None:
    """Keep a child ready, so that the first start costs nothing; to be called by the server."""
    _desk.prepare()


def close() -> None:
    """End all children and wait for it; nothing can be started afterwards."""
    _desk.close()


atexit.register(close)
