"""How every kernel is compiled.

``cache=True`` keeps the machine code between runs, ``nogil=True`` lets threads share the work, and
``error_model="numpy"`` spares a test for zero before every division; kernels never divide by zero.
``parallel=True`` is not used: it costs several seconds of compilation and the callers already
split their work into threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` on first use; with ``NUMBA_DISABLE_JIT=1`` it stays plain Python.

    Where no folder is writable for the cache, kernels are compiled anew in every process.
    """
    try:
        return cast(Callable[P, R], _compile(function, cache=True))
    except RuntimeError:
        return cast(Callable[P, R], _compile(function, cache=False))


def _compile(function: Callable[P, R], *, cache: bool) -> object:
    return numba.njit(cache=cache, nogil=True, error_model="numpy")(function)
