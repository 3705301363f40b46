"""Random numbers in workers."""

from __future__ import annotations

import numpy as np

from papilio.randomness import Randomness


def worker_seed(randomness: Randomness) -> int | None:
    """Draw the seed of the workers of one job, so that no two jobs of a run draw alike.

    ``None`` unless the run is seeded, which is for tests only.
    """
    return int(randomness.keys(1)[0]) if randomness.seeded else None


def worker_randomness(seed: int | None, *numbers: int) -> Randomness:
    """Make the source of random numbers for one piece of work.

    Parameters
    ----------
    seed
        ``None`` draws from the operating system of the worker. A number, for tests only, gives
        each piece of work its own stream, whichever worker does it.
    numbers
        What tells this piece of work from others.
    """
    if seed is None:
        return Randomness()
    state = np.random.SeedSequence([seed, *numbers]).generate_state(1, np.uint64)
    return Randomness(int(state[0]))
