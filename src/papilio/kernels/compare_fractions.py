"""Compare two fractions exactly, whatever the size of their parts.

Cross-multiplying ``a / b <= c / d`` would overflow 64 bits; comparing whole parts and going on
with the reciprocals of what is left, as Euclid's algorithm does, never multiplies.
"""

from __future__ import annotations

from papilio.kernels.jit import kernel


@kernel
def at_most(numerator: int, denominator: int, over: int, under: int) -> bool:
    """Whether ``numerator / denominator <= over / under``.

    All four are at least 0, the denominators at least 1. Cost: O(log denominator).
    """
    a, b, c, d = numerator, denominator, over, under
    while True:
        left = a // b
        right = c // d
        if left != right:
            return left < right
        a -= left * b
        c -= right * d
        if a == 0:
            return True
        if c == 0:
            return False
        # a / b <= c / d, both between 0 and 1, says the same as d / c <= b / a.
        a, b, c, d = d, c, b, a
