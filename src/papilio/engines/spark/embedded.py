"""A Spark Connect server of our own, in a child process, without Java.

The server (Sail) runs Python functions in its own process. That process is a child, so that its
memory is not ours and its end, wanted or not, is nothing worse than a lost connection.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from papilio.errors import EngineError
from papilio.release.locked_folder import LockedFolder
from papilio.release.scratch import scratch_folder

#: Seconds a server that was told to end may take.
_PATIENCE = 5.0


@contextmanager
def embedded_server() -> Iterator[str]:
    """Start a server and yield its address, ``sc://127.0.0.1:port``.

    It listens on this machine alone, on a free port. What it spills goes to a private folder, see
    :mod:`papilio.release.scratch`. It ends with the block, and by itself when this process does,
    however that happens. It is deaf to Ctrl-C, which reaches all processes of a
    terminal: this process hears it and ends the server.

    Raises
    ------
    EngineError
        If it does not start.
    """
    with scratch_folder() as scratch:
        process = _started(scratch)
        try:
            yield f"sc://127.0.0.1:{_port(process)}"
        except BaseException:
            # What it still does is of no use to anybody.
            process.kill()
            raise
        finally:
            _end(process)


def _started(scratch: LockedFolder) -> subprocess.Popen[bytes]:
    """Start the process; it holds the lock of its folder as long as it lives."""
    return subprocess.Popen(
        [sys.executable, "-m", "papilio.engines.spark.embedded_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(scratch.path),
        pass_fds=(scratch.lock,),
        start_new_session=True,
    )


def check_installed(*, embedded: bool) -> None:
    """Refuse to begin where a library is missing.

    Parameters
    ----------
    embedded
        Whether the embedded server is wanted besides the client.

    Raises
    ------
    EngineError
        With the command that installs what is missing.
    """
    needed = {"pyspark": "pyspark-client"} | ({"pysail": "pysail"} if embedded else {})
    for module, package in needed.items():
        if find_spec(module) is None:
            raise EngineError(
                f"the Spark engine needs {package}, which is not installed; install it with: "
                "pip install 'papilio[spark]'",
                reason="missing-extra",
            )


def _environment(scratch: Path) -> dict[str, str]:
    # Functions are looked up by name there, so what can be imported here must be there too.
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - '' is the current folder
    own = {"PYTHONPATH": os.pathsep.join(paths), "RUST_LOG": "off", "TMPDIR": str(scratch)}
    return {**os.environ, **own}


def _port(process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    said = process.stdout.readline().strip()
    if not said.isdigit():
        raise EngineError(
            "the embedded Spark server did not start; try again, or name a server with --remote",
            reason="server-not-started",
        )
    return int(said)


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            # The pipe of a server that has gone already is broken.
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(_PATIENCE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as error:
        process.kill()
        process.wait()
        if isinstance(error, KeyboardInterrupt):
            raise
