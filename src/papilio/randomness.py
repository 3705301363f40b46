"""The one place where Papilio draws random numbers.

By default every bit comes from the operating system's generator. A seed makes a run repeatable
for tests; a seeded release says so in its manifest, because whoever knows or guesses the seed
could undo a shuffle.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Randomness:
    """A source of random keys and permutations.

    Parameters
    ----------
    seed
        ``None`` (the default) draws from the operating system. A number draws from a
        counter-based generator keyed with it, for tests and for :func:`sampling`.
    """

    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seed is not None and self.seed < 0:
            raise ValueError("a seed is a whole number of at least 0")
        generator = None if self.seed is None else np.random.Generator(np.random.Philox(self.seed))
        object.__setattr__(self, "_generator", generator)

    @property
    def seeded(self) -> bool:
        """Whether the draws can be repeated, which makes a release unfit for publication."""
        return self.seed is not None

    def keys(self, count: int) -> NDArray[np.uint64]:
        """Draw ``count`` independent uniform 64-bit keys."""
        generator: np.random.Generator | None = self.__dict__["_generator"]
        if generator is None:
            return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)
        return generator.integers(0, 2**64, size=count, dtype=np.uint64)

    def permutation(self, count: int) -> NDArray[np.int64]:
        """Draw a permutation of ``0 .. count - 1`` by sorting random keys.

        Two equal 64-bit keys would favour one order; for ten million rows the chance that any
        pair is equal is below 3e-6, and only that pair would be affected.
        """
        return np.argsort(self.keys(count), kind="stable").astype(np.int64, copy=False)


def sampling() -> Randomness:
    """Chance for samples that measure something: the same in every run, so that figures are, too.

    Nothing that is published may depend on it.
    """
    return Randomness(0)
