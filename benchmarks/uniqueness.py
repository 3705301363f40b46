"""How well people alone in a population are estimated from a sample of it.

Draws populations of known class sizes, samples from them, and prints the estimate divided by the
truth: the one the decision rule chooses, each model's, and the rows a marketer matches rightly.
Run from the root: ``python benchmarks/uniqueness.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.class_counts import counts_of
from papilio.attack.marketer import marketer
from papilio.attack.population_uniqueness import population_uniqueness

PEOPLE = 100_000
FRACTIONS = (0.01, 0.05, 0.1, 0.3, 0.5, 0.8)
Sizes = NDArray[np.int64]


def populations(rng: np.random.Generator) -> Iterator[tuple[str, Sizes]]:
    for cells, spread in ((5_000, 1.0), (20_000, 1.5), (200_000, 2.0), (1_000_000, 2.5)):
        weights = rng.lognormal(0, spread, cells)
        sizes = rng.multinomial(PEOPLE, weights / weights.sum())
        yield f"lognormal {spread}, {cells:,} cells", sizes[sizes > 0]
    yield "slid negative binomial", 1 + rng.negative_binomial(0.5, 0.1, 18_000)
    yield "geometric", rng.geometric(0.3, 30_000)
    for theta, alpha in ((1000.0, 0.3), (100.0, 0.6), (50.0, 0.8)):
        yield f"Pitman, alpha {alpha}", pitman(rng, theta, alpha)


def pitman(rng: np.random.Generator, theta: float, alpha: float) -> Sizes:
    """Class sizes of people who come one after the other."""
    classes, sizes = np.zeros(PEOPLE, np.int64), [1]
    for there in range(1, PEOPLE):
        if rng.random() < (theta + len(sizes) * alpha) / (theta + there):
            classes[there] = len(sizes)
            sizes.append(1)
            continue
        like = classes[rng.integers(there)]
        while rng.random() < alpha / sizes[like]:
            like = classes[rng.integers(there)]
        classes[there] = like
        sizes[like] += 1
    return np.array(sizes)


def main() -> None:
    rng = np.random.default_rng(7)
    print(f"{'population':<34}{'sample':>7}{'alone':>8}  chosen            ratio  marketer")
    for name, sizes in populations(rng):
        people = np.repeat(np.arange(len(sizes)), sizes)
        alone = int((sizes == 1).sum())
        for fraction in FRACTIONS:
            drawn = np.bincount(
                rng.choice(people, int(fraction * len(people)), replace=False),
                minlength=len(sizes),
            )
            counts = counts_of(pl.Series(drawn[drawn > 0]))
            chosen = population_uniqueness(counts, len(people)).chosen
            truth = float((drawn / sizes).sum())
            matched = marketer(counts, len(people)).expected / truth
            ratio = "unknown" if chosen.unique is None else f"{chosen.unique / alone:.2f}"
            print(
                f"{name:<34}{fraction:>7.0%}{alone:>8,}  {chosen.model[:16]:<16}"
                f"{ratio:>7}{matched:>10.2f}"
            )


if __name__ == "__main__":
    main()
