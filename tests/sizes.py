"""How much a test tries: less where kernels run as plain Python."""

import os

from hypothesis import settings

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def examples(count):
    """Settings for a property test with so many examples, a tenth of them without the JIT."""
    return settings(max_examples=count if COMPILED else max(count // 10, 5))
