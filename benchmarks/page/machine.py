"""The machine, described so that numbers of another can be understood; without names or paths."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import papilio

_LIBRARIES = ("polars", "duckdb", "numba", "numpy", "pyarrow")


def machine() -> dict[str, str]:
    """Describe processor, memory, system, versions, and how busy it is."""
    return {
        "processor": _value("/proc/cpuinfo", "model name") or platform.machine(),
        "processors used": str(len(os.sched_getaffinity(0))),
        "memory": f"{_kibibytes('MemTotal') / 2**20:.1f} GiB",
        "memory free": f"{_kibibytes('MemAvailable') / 2**20:.1f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "Papilio": papilio.__version__,
        "libraries": ", ".join(f"{name} {version(name)}" for name in _LIBRARIES),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def _value(file: str, key: str) -> str | None:
    for line in Path(file).read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return None


def _kibibytes(key: str) -> int:
    return int((_value("/proc/meminfo", key) or "0").split()[0])
