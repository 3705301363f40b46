"""How much memory there is, how much a run may use, and what it would need."""

from __future__ import annotations

import os
from pathlib import Path

from papilio.data.io.csv_faults import count_lines
from papilio.data.io.kinds import FileKind, kind_of
from papilio.data.io.stream import Stream
from papilio.data.wording import bytes_of
from papilio.errors import PapilioError

#: Papilio and the libraries it stands on need this much before they hold any row.
_BASE = 400 << 20


#: Least limit that a run keeps.
LEAST = 512 << 20


#: What a batch may take is the memory divided by this.
BATCH_SHARE = 16


#: Share of the machine's memory that is used if nothing is said.
_SHARE = 0.6


#: Bytes per row, and per row and column, that publishing in memory takes at its highest; per row
#: once more if people are counted.
_PER_ROW, _PER_CELL, _PER_PERSON = 90, 30, 300


#: Estimates are too high rather than too low, but hardly by more than this.
_FAR = 2


_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def parse_size(text: str) -> int:
    """Read a size such as ``8GiB``, ``500MB`` or ``1.5 GiB``, in bytes.

    Raises
    ------
    PapilioError
        If it is not one, or too small for anything.
    """
    size = bytes_of(text)
    if size is None:
        raise PapilioError("memory is a size such as 8GiB, 500MB or 1.5GiB", reason="bad-size")
    return check_memory(size)


def check_memory(size: int) -> int:
    """Refuse a limit that the program itself does not keep.

    Raises
    ------
    PapilioError
        With the least that is accepted.
    """
    if size < LEAST:
        raise PapilioError(
            f"memory is too small; at least {LEAST >> 20}MiB are accepted",
            reason="too-little-memory",
        )
    return size


def usual_memory() -> int:
    """Memory that a run may use if nothing is said: a share of what the machine has."""
    return max(LEAST, int(_SHARE * _machine()))


def needed_memory(stream: Stream, *, people: bool = False) -> int:
    """Estimate the memory that publishing a source in one piece, over people or not, would take."""
    row = _PER_ROW + _PER_CELL * len(stream.columns) + (_PER_PERSON if people else 0)
    return _BASE + estimated_rows(stream) * row


def estimated_rows(stream: Stream) -> int:
    """Tell the rows of a source, or estimate them from the size of its files."""
    rows = stream.rows()
    return sum(_lines(file) for file in stream.files) if rows is None else rows


def held_memory() -> int:
    """Bytes that this process holds now; 0 where the system does not tell."""
    file = Path("/proc/self/statm")
    if not file.exists():
        return 0
    return int(file.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def beyond_machine(needed: int) -> bool:
    """Whether a run would take far more memory than the machine has, however wrong an estimate."""
    return needed > _FAR * _machine()


def _machine() -> int:
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in _LIMITS:
        try:
            text = Path(file).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            found.append(int(text))
    return min(found)


def _lines(file: Path) -> int:
    """Lines of a packed text file, or an estimate for another from its first megabyte."""
    size = file.stat().st_size
    if kind_of(file) is FileKind.PARQUET:
        return size // 40
    if file.suffix.lower() == ".gz":
        # How much it holds shows only when it is unpacked.
        return count_lines(file)
    with file.open("rb") as stream:
        begin = stream.read(1 << 20)
    return size * max(begin.count(b"\n"), 1) // max(len(begin), 1)
