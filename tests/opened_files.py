"""Which files of a folder are opened or written, by any process, as the kernel tells it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterator
from pathlib import Path

_EVENTS = {
    0x2: "modified", 0x20: "opened", 0x100: "created", 0x200: "deleted",
    0x40: "moved", 0x80: "moved", 0x4: "changed",
}  # fmt: skip
_HEAD = struct.Struct("iIII")


class Watch:
    """Events of some folders since the last call."""

    def __init__(self, descriptor: int, folders: dict[int, Path]) -> None:
        self._descriptor = descriptor
        self._folders = folders

    def events(self) -> list[tuple[str, Path]]:
        told = []
        with contextlib.suppress(BlockingIOError):
            while content := os.read(self._descriptor, 1 << 16):
                while content:
                    watch, mask, _, length = _HEAD.unpack(content[: _HEAD.size])
                    name = content[_HEAD.size : _HEAD.size + length].rstrip(b"\x00").decode()
                    content = content[_HEAD.size + length :]
                    kinds = [kind for bit, kind in _EVENTS.items() if mask & bit]
                    told += [(kind, self._folders[watch] / name) for kind in kinds]
        return told


@contextlib.contextmanager
def watched(*folders: Path) -> Iterator[Watch]:
    """Watch folders with Linux' inotify; not what is below them."""
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert descriptor >= 0
    try:
        mask = sum(_EVENTS)
        numbers = {
            library.inotify_add_watch(descriptor, os.fsencode(folder), mask): folder
            for folder in folders
        }
        yield Watch(descriptor, numbers)
    finally:
        os.close(descriptor)
