"""Chen and Keller-McNulty's estimate of uniqueness: sizes are slid negative binomial."""

from __future__ import annotations

import math

import numpy as np

from papilio.attack.class_counts import ClassCounts
from papilio.attack.uniqueness_estimate import UniquenessEstimate, estimate

MODEL = "slide negative binomial"
ASSUMPTION = (
    "The table is a random sample, and class sizes in the population are one more than a negative "
    "binomial number; made for samples of more than a tenth."
)
#: Where q is looked for, on a logistic scale, and in how many steps.
_WIDEST, _STEPS = 14.0, 400


def slide_negative_binomial(counts: ClassCounts, population: int) -> UniquenessEstimate:
    r"""Choose the model that expects as many classes of one and of two rows as there are.

    A class of the population has :math:`1 + X` people, X negative binomial with α and success
    chance p = 1 - q. Drawn with chance :math:`\pi`, and with :math:`D = 1 - q (1 - \pi)`,

    .. math::
       E[s_1] &= K \pi (p / D)^\alpha (1 + \alpha q (1 - \pi) / D), \\
       E[s_2] &= K \pi^2 \tfrac{\alpha q}{2} p^\alpha D^{-\alpha - 2} (2 - (1-\alpha) q (1 - \pi)).

    K, the number of classes in the population, is estimated first (Haas and Stokes, JASA 1998,
    third variant of Shlosser's estimate). The ratio of the two equations is a quadratic one for α,
    with one positive solution, so that one equation for q remains. All its changes of sign are
    looked for; if there is none, or if several give different answers, nothing is estimated.
    Alone are :math:`K p^\alpha`.

    Source: Chen and Keller-McNulty, "Estimation of identification disclosure risk in microdata",
    Journal of Official Statistics 14, 1998. Cost: some hundred steps, and one per size.
    """
    people, alone = counts.people, counts.of_size(1)
    return estimate(
        MODEL,
        _unique(counts, people / population),
        people=people,
        alone=alone,
        population=population,
        assumption=ASSUMPTION,
    )


def _unique(counts: ClassCounts, fraction: float) -> float | str:
    if counts.of_size(2) == 0:
        return "the table has no class of two rows"
    classes = classes_of_population(counts, fraction)
    found = [
        classes * math.exp(_alpha(q, counts, fraction) * math.log1p(-q))
        for q in _solutions(counts, fraction, classes)
    ]
    if not found:
        return "no model of this family expects as many classes of one and of two rows"
    if max(found) > 1.01 * min(found):
        return "several models of this family fit equally well"
    return found[0]


def classes_of_population(counts: ClassCounts, fraction: float) -> float:
    """Estimate the number of classes that there are in the population."""
    sizes, classes = counts.sizes.astype(float), counts.classes
    missed = np.exp(sizes * math.log1p(-fraction))
    squared = math.log1p(-(fraction**2))
    once = sizes * fraction**2 * np.exp((sizes - 1) * squared)
    some = np.exp(sizes * squared) - missed
    one = sizes * fraction * missed / (1 - fraction)
    weight = float((classes * once).sum() / (classes * some).sum())
    ratio = float((classes * missed).sum() / (classes * one).sum())
    return counts.total + counts.of_size(1) * weight * ratio**2


def _alpha(q: float, counts: ClassCounts, fraction: float) -> float:
    """Solution for α of the ratio of both equations, written so that nothing cancels."""
    ratio, missed = counts.of_size(2) / counts.of_size(1), q * (1 - fraction)
    left = 1 - missed
    square, linear = fraction * q * missed / 2, fraction * q * (2 - missed) / 2
    linear -= ratio * left * missed
    constant = ratio * left * left
    root = math.sqrt(linear * linear + 4 * square * constant)
    return 2 * constant / (linear + root) if linear > 0 else (root - linear) / (2 * square)


def _solutions(counts: ClassCounts, fraction: float, classes: float) -> list[float]:
    """All q between which the first equation changes its sign."""
    from scipy.optimize import brentq

    def excess(q: float) -> float:
        alpha, left = _alpha(q, counts, fraction), 1 - q * (1 - fraction)
        return (
            math.log(classes * fraction / counts.of_size(1))
            + alpha * (math.log1p(-q) - math.log(left))
            + math.log1p(alpha * q * (1 - fraction) / left)
        )

    places = [1 / (1 + math.exp(-x)) for x in np.linspace(-_WIDEST, _WIDEST, _STEPS)]
    values = [excess(q) for q in places]
    return [
        float(brentq(excess, places[i], places[i + 1], xtol=1e-15, rtol=1e-12))
        for i in range(_STEPS - 1)
        if (values[i] > 0) != (values[i + 1] > 0)
    ]
