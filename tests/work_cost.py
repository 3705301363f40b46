"""What a piece of work costs, whatever this process and its children did before.

``getrusage`` tells the peak of a whole life: in a suite that of the hungriest test before, and of
the largest child that ever ended, such as a server of Apache Spark. And whoever runs a kernel
first on a new machine waits for its compilation, which is not the work's.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numba.core.event import TimingListener, install_listener

_KIB = 1024


class Cost:
    """Memory and processor time that were taken since the beginning."""

    def __init__(self, compiling: TimingListener) -> None:
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew: proc(5)
        self._compiling = compiling
        self._held, self._largest = _kibibytes("VmRSS"), _largest_child()
        self._began = sum(os.times()[:4])

    def seconds(self) -> float:
        """Processor time of this process and of children that ended, without compilation."""
        compiled = self._compiling.duration if self._compiling.done else 0.0
        return sum(os.times()[:4]) - self._began - compiled

    def memory(self) -> int:
        """Bytes that this process held at most, beyond what it held at the beginning."""
        return (_kibibytes("VmHWM") - self._held) * _KIB

    def memory_of_children(self) -> int:
        """Bytes of the largest child, if it is larger than all that ended before; otherwise 0."""
        largest = _largest_child()
        return largest * _KIB if largest > self._largest else 0


@contextmanager
def measured() -> Iterator[Cost]:
    """Measure what happens inside."""
    with install_listener("numba:compile", TimingListener()) as compiling:
        yield Cost(compiling)


def _kibibytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def _largest_child() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
