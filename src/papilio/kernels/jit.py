"""How every kernel is compiled.

``cache=True`` keeps the machine code between runs, ``nogil=True`` lets threads share the work, and
``error_model="numpy"`` spares a test for zero before every division; kernels never divide by zero.
``parallel=True`` is not used: it costs several seconds of compilation and the callers already
split their work into threads.

Numba keeps machine code until the file of its own function changes, not those of the functions it
calls. After an upgrade it would run old code against new, at best wrongly. So machine code is
marked with the state of all kernels, and compiled anew when any of them changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def _state() -> str:
    """Digest of the sources of all kernels. Cost: a millisecond, once per process."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


STATE = _state()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` on first use; with ``NUMBA_DISABLE_JIT=1`` it stays plain Python.

    Where no folder is writable for the cache, kernels are compiled anew in every process.
    """
    try:
        return cast(Callable[P, R], _compile(function, cache=True))
    except RuntimeError:
        return cast(Callable[P, R], _compile(function, cache=False))


def _compile(function: Callable[P, R], *, cache: bool) -> object:
    compiled: Any = numba.njit(cache=cache, nogil=True, error_model="numpy")(function)
    # Numba has no public way to say what else machine code depends on.
    index = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if index is not None:
        index._source_stamp = (index._source_stamp, STATE)
    return compiled
