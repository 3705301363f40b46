"""Sums modulo 2**64 as numbers that an engine has."""

from __future__ import annotations


def signed(total: int) -> int:
    """A sum as a number that the engine has."""
    return total - (1 << 64) if total >= 1 << 63 else total


def unsigned(total: int) -> int:
    """A sum back from the engine."""
    return total % (1 << 64)
