"""Verbs for tests of jobs."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

from papilio.errors import Fault, InfeasibleError, PolicyError

SECRET = "a cell nobody may see"


def add(folder, tell, a, b):
    tell("adding", 0.5)
    return {"sum": a + b, "folder": str(folder), "process": os.getpid()}


def stages(folder, tell):
    for stage, share in (("first", 0.1), ("second", 0.7)):
        tell(stage, share)
        while not (folder / f"after {stage}").exists():
            time.sleep(0.01)


def wait(folder, tell, ignore=False):
    if ignore:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    (folder / "releases" / ".papilio-0123").mkdir()
    (Path(tempfile.gettempdir()) / "spilt").write_text(SECRET)
    tell("waiting", 0.0)
    time.sleep(600)


def kernel(folder, tell):
    import numba

    @numba.njit
    def forever():
        total = 0
        while total >= 0:
            total = (total + 1) % 1000
        return total

    tell("in the kernel", 0.0)
    forever()


def die(folder, tell):
    (folder / "releases" / ".papilio-0123").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)


def infeasible(folder, tell):
    raise InfeasibleError("k cannot be met", reason="too-few", nearest="k: 3 can be met")


def bad_policy(folder, tell):
    raise PolicyError([Fault("k must be whole", "privacy.k", line=7)])


def defect(folder, tell):
    print(SECRET)  # noqa: T201
    raise ValueError(SECRET)


def spawn_and_wait(folder, tell):
    import subprocess
    import sys

    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    tell(str(child.pid), 0.0)
    child.wait()


def make_and_wait(folder, tell):
    (folder / "releases" / "1").mkdir()
    tell("made", 1.0)
    time.sleep(600)


def spill_and_die(folder, tell):
    from papilio.release.scratch import scratch_folder

    with scratch_folder() as scratch:
        (scratch.path / "spilt").write_text(SECRET)
        (folder / "spilt-to").write_text(str(scratch.path))
        os.kill(os.getpid(), signal.SIGKILL)
