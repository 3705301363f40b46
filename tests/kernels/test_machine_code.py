"""Machine code that was compiled for other kernels is not run."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.compiled

#: Counts values with a kernel, and says how often Numba found its machine code.
PROGRAM = """
import json, sys
from papilio.kernels import jit
jit.STATE = sys.argv[1] or jit.STATE
import numpy as np
from papilio.kernels.compare_fractions import at_most
at_most(1, 2, 2, 3)
stats = at_most.stats
print(json.dumps([sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


def _found(folder, state: str) -> list[int]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, state],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


def test_it_is_compiled_anew_when_any_kernel_changed(tmp_path):
    assert _found(tmp_path, "") == [0, 1]
    assert _found(tmp_path, "") == [1, 0]
    assert _found(tmp_path, "other sources") == [0, 1]
