"""Where the tests keep machine code: once per state of the kernels, for all clones of a machine.

Numba notices that a kernel's own file changed, but not that of a kernel it calls: a folder per
state of all kernels keeps tests from running machine code of yesterday. It lies with the user's
caches, so that a fresh clone need not compile again what another one has compiled. Below it, Numba
wants a folder per path of sources; links from there lead all clones to the same files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src/papilio"
#: Days after which machine code that no run asked for is deleted.
KEPT = 30


def share_machine_code() -> None:
    """Tell Numba, here and in children, where machine code is; must come before its import."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    folders = [path for path in sorted(SOURCES.rglob("kernels")) if path.is_dir()]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "papilio-tests"
    state = home / _state(folders)
    try:
        for folder in folders:
            _lead(folder, state)
        os.utime(state)
        _forget(home)
    except OSError:
        # A cache that cannot be written is none: each clone then has its own.
        state = SOURCES.parent.parent / ".numba_cache" / state.name
    os.environ["NUMBA_CACHE_DIR"] = str(state)


def _state(folders: list[Path]) -> str:
    """A name for the text of all kernels."""
    digest = hashlib.sha256()
    for path in (file for folder in folders for file in sorted(folder.glob("*.py"))):
        digest.update(f"{path.relative_to(SOURCES)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _lead(folder: Path, state: Path) -> None:
    """Let the folder that Numba uses for these sources be one that all clones use."""
    common = state / "-".join(folder.relative_to(SOURCES).parts)
    common.mkdir(parents=True, exist_ok=True)
    # As numba.core.caching names it; were that to change, clones would merely not share.
    link = state / f"{folder.name}_{hashlib.sha1(str(folder.absolute()).encode()).hexdigest()}"
    if not link.exists():
        link.unlink(missing_ok=True)
        with contextlib.suppress(FileExistsError):  # by another worker, just now
            link.symlink_to(common.name)


def _forget(home: Path) -> None:
    """Delete what was not used for long."""
    for state in home.iterdir():
        if state.stat().st_mtime < time.time() - KEPT * 24 * 3600:
            shutil.rmtree(state, ignore_errors=True)
