"""Zayatz's estimate of uniqueness in the population: classes of the table stand for all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.attack.class_counts import ClassCounts
from papilio.attack.uniqueness_estimate import UniquenessEstimate, estimate

MODEL = "Zayatz"
ASSUMPTION = (
    "The table is a random sample, and its class sizes are spread like those of the population; "
    "small samples make the estimate too high."
)


def zayatz(counts: ClassCounts, population: int) -> UniquenessEstimate:
    r"""Apply Bayes' rule to a class of one row.

    With :math:`s_j` classes of j rows, and the chance :math:`h_j` that a sample of n out of N has
    one of j people (hypergeometric), a class of one row comes from one person with the chance
    :math:`p = s_1 h_1 / \sum_j s_j h_j`. Alone in the population are :math:`s_1 p N / n`.

    Source: Zayatz, "Estimation of the percent of unique population elements on a microdata file
    using the sample", US Bureau of the Census, 1991. Cost: one step per size.
    """
    people, alone = counts.people, counts.of_size(1)
    one = _one_of(counts.sizes, people, population)
    share = people / population
    chance = alone * share / float((counts.classes * one).sum())
    return estimate(
        MODEL,
        alone * chance / share,
        people=people,
        alone=alone,
        population=population,
        assumption=ASSUMPTION,
    )


def _one_of(sizes: NDArray[np.int64], drawn: int, population: int) -> NDArray[np.float64]:
    """Chance that exactly one of some people is among those drawn."""
    from scipy.special import gammaln

    missed = population - sizes - drawn + 1
    # Fewer people are missed than a class would have to lose: impossible.
    possible = missed >= 0
    sizes, missed = sizes[possible], missed[possible]
    logs = (
        np.log(sizes)
        + gammaln(population - sizes + 1.0)
        - gammaln(float(drawn))
        - gammaln(missed + 1.0)
        - gammaln(population + 1.0)
        + gammaln(drawn + 1.0)
        + gammaln(population - drawn + 1.0)
    )
    found = np.zeros(len(possible))
    found[possible] = np.exp(logs)
    return found
