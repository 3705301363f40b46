"""``serve``: the workbench on this machine, for whoever has the printed address."""

from __future__ import annotations

import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from papilio.errors import OutputError
from papilio.web.project import Workspace, opened
from papilio.web.quiet import silence
from papilio.web.security.access import Access

#: The only address the server listens at: no other machine can reach it.
ADDRESS = "127.0.0.1"
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OPENING = ".open.html"


@dataclass(frozen=True)
class Settings:
    """How the workbench is served.

    Attributes
    ----------
    workspace
        The one folder everything is kept in.
    port
        Port to listen at; 0 takes any that is free.
    browser
        Whether to open the page in a browser.
    idle
        Seconds without use after which access ends.
    limit
        Largest upload in bytes.
    """

    workspace: Path
    port: int = 0
    browser: bool = True
    idle: float = 3600.0
    limit: int = 2 << 30


def serve(
    settings: Settings,
    tell: Callable[[str, Path], None],
    tell_leftover: Callable[[str], None],
) -> None:
    """Serve the workbench until it is interrupted.

    Listens at 127.0.0.1 only. Every request needs the token of the address that is told, or the
    cookie a browser got for it; see :mod:`papilio.web.security`. Nothing is logged.
    It does not protect against other programs of the same user.

    Parameters
    ----------
    settings
        How.
    tell
        Called with the address and the workspace once connections are taken.
    tell_leftover
        Called with a line about each thing that a killed server left in the workspace.

    Raises
    ------
    OutputError
        If the workspace or the port is taken or cannot be used.
    """
    with opened(settings.workspace) as workspace, _listening(settings.port) as listener:
        port = listener.getsockname()[1]
        access = Access(port, settings.idle)
        address = f"http://{ADDRESS}:{port}/?token={access.token}"
        _clear(workspace, tell_leftover)
        tell(address, workspace.folder)
        _run(workspace, settings, access, listener, address)


def _run(
    workspace: Workspace,
    settings: Settings,
    access: Access,
    listener: socket.socket,
    address: str,
) -> None:
    # Read when the library is imported; it must not leave anything where the user happens to be.
    os.environ["NICEGUI_STORAGE_PATH"] = str(workspace.folder / ".pages")
    import uvicorn

    from papilio.web.application import application
    from papilio.web.security.guard import Guard

    class Server(uvicorn.Server):
        """One that takes an interrupt for what it is here: the way to end it."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            with _until_told(self.handle_exit):
                yield

    silence()
    guard = Guard(application(workspace, settings.limit), access, settings.limit)
    config = uvicorn.Config(
        guard,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        ws_max_size=1 << 20,
        timeout_graceful_shutdown=1,
    )
    with _opening(workspace, address) as opening:
        if settings.browser:
            threading.Thread(target=webbrowser.open, args=(opening.as_uri(),), daemon=True).start()
        Server(config).run(sockets=[listener])


def _clear(workspace: Workspace, tell_leftover: Callable[[str], None]) -> None:
    """Remove what a server left behind that was killed."""
    from papilio.web.jobs.worker import remove_everything_left

    for project in workspace.projects():
        for leftover in remove_everything_left(project.folder):
            tell_leftover(str(leftover))


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
        except OSError as error:
            raise OutputError(
                f"port {port} cannot be used ({error.strerror}); leave --port out to take any",
                reason="port-taken",
            ) from None
        # From here on connections wait, so the address can be told before the pages are ready.
        listener.listen()
        yield listener


@contextmanager
def _until_told(stop: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {each: signal.signal(each, stop) for each in _STOPPING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _opening(workspace: Workspace, address: str) -> Iterator[Path]:
    """A private file that leads to the address.

    Handed to a browser as an argument, the token could be read by every user of the machine.
    """
    path = workspace.folder / _OPENING
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">')
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
