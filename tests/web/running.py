"""A workbench in a process of its own, as users have it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heeded_signals import heed_signals

SOURCES = Path(__file__).parents[2] / "src"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")


@dataclass(frozen=True)
class Running:
    """A running workbench."""

    process: subprocess.Popen[str]
    port: int
    token: str
    workspace: Path
    #: Where its standard error goes.
    errors: Path

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.base}/?token={self.token}"

    def stop(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """End it; gives its exit code and what it printed."""
        self.process.send_signal(how)
        said, _ = self.process.communicate(timeout=120)
        return self.process.returncode, said + self.errors.read_text()


#: What is started, before its arguments.
PROGRAM = ("-m", "papilio.cli.app")


def launch(
    folder: Path, *options: str, program: tuple[str, ...] = PROGRAM, **environment: str
) -> subprocess.Popen[str]:
    """Start ``papilio serve`` in an empty folder, so that stray files show."""
    here = folder / "cwd"
    here.mkdir(exist_ok=True)
    command = [sys.executable, *program, "serve", "--no-browser", *options]
    with (folder / "errors").open("w") as errors:
        return subprocess.Popen(
            command,
            cwd=here,
            env={**os.environ, "PYTHONPATH": str(SOURCES), "HOME": str(here), **environment},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            preexec_fn=heed_signals,
        )


@contextmanager
def running(
    folder: Path, *options: str, program: tuple[str, ...] = PROGRAM, **environment: str
) -> Iterator[Running]:
    """A workbench with a workspace in a folder, ended afterwards."""
    workspace = folder / "workspace"
    process = launch(
        folder, "--workspace", str(workspace), *options, program=program, **environment
    )
    try:
        line = process.stdout.readline()
        match = _ADDRESS.search(line)
        assert match, line + (folder / "errors").read_text()
        process.stdout.readline()
        yield Running(process, int(match[1]), match[2], workspace, folder / "errors")
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
