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
    """Compile ``function`` on first use; with ``NUMBA_DISABLE_JIT=1`` it stays plain Python."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True, error_model="numpy")(function))
