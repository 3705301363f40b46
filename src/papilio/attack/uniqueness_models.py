"""Models that say how many people of the population are alone with their values."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.attack.class_counts import ClassCounts


@dataclass(frozen=True)
class UniquenessEstimate:
    """One estimate of uniqueness in the population, or why there is none.

    Attributes
    ----------
    model
        Name of the model, ``"count"`` where nothing has to be estimated, or ``"none"`` where
        none is defined.
    population
        People it was estimated for.
    unique
        People of the population who are alone with their values; ``None`` if the model could not
        be fitted.
    in_table
        Rows of the table that are expected to be theirs, at most those that are alone in the table;
        ``None`` likewise.
    assumption
        What the model takes for granted, in a sentence.
    why_not
        Why there is no estimate; empty if there is.
    """

    model: str
    population: int
    unique: float | None
    in_table: float | None
    assumption: str
    why_not: str = ""


def estimate(
    model: str, unique: float | str, *, people: int, alone: int, population: int, assumption: str
) -> UniquenessEstimate:
    """Make an estimate from what a model found, a number or the reason why there is none.

    A number that cannot be true, below 0 or above the population, is not an estimate either.
    """
    if not isinstance(unique, str) and not 0 <= unique <= population * (1 + 1e-9):
        unique = "the fitted model contradicts the size of the population"
    if isinstance(unique, str):
        return UniquenessEstimate(model, population, None, None, assumption, unique)
    unique = min(unique, float(population))
    here = min(unique * people / population, float(alone))
    return UniquenessEstimate(model, population, unique, here, assumption)


_PITMAN = "Pitman"
_PITMAN_ASSUMES = (
    "The table is a random sample, and people fall into classes as in Pitman's model, in which new "
    "classes keep turning up; made for small samples."
)
#: Where α is looked for; at 0 the model is that of Ewens, and at 1 everybody is alone.
_LOWEST, _HIGHEST = 1e-4, 1 - 1e-9
#: Where θ + α is looked for; beyond, sums of logarithms lose the digits that matter.
_NEAREST, _FARTHEST = 1e-12, 1e12
#: From here on sums of inverses are those of a series: differences of digamma would cancel.
_FAR = 1e6


@dataclass(frozen=True, eq=False)
class _Score:
    """Derivatives of the logarithm of the likelihood."""

    counts: ClassCounts

    def of_theta(self, theta: float, alpha: float) -> float:
        return self._new(theta, alpha) - harmonic(theta + 1, self.counts.people - 1)

    def of_alpha(self, theta: float, alpha: float) -> float:
        from scipy.special import digamma

        sizes, classes = self.counts.sizes, self.counts.classes
        grown = float((classes * (digamma(sizes - alpha) - digamma(1 - alpha))).sum())
        return (self.counts.total - 1 - theta * self._new(theta, alpha)) / alpha - grown

    def _new(self, theta: float, alpha: float) -> float:
        r""":math:`\sum_{i=1}^{u-1} 1 / (\theta + i \alpha)` for u classes."""
        return harmonic((theta + alpha) / alpha, self.counts.total - 1) / alpha

    def best_theta(self, alpha: float) -> float:
        """θ at which the likelihood is largest for a given α; ValueError if there is none."""
        from scipy.optimize import brentq

        found = brentq(
            lambda log: self.of_theta(math.exp(log) - alpha, alpha),
            math.log(_NEAREST),
            math.log(_FARTHEST),
            xtol=1e-13,
        )
        return math.exp(found) - alpha

    def profile(self, alpha: float) -> float:
        """Derivative by α where θ is always the best."""
        return self.of_alpha(self.best_theta(alpha), alpha)


def pitman(counts: ClassCounts, population: int) -> UniquenessEstimate:
    r"""Fit the model by maximum likelihood and say how many it expects to be alone.

    The Pitman sampling formula has :math:`0 < \alpha < 1` and :math:`\theta > -\alpha`: the next
    person starts a class of their own with the chance :math:`(\theta + u \alpha) / (\theta + m)`
    after m people in u classes. Of N people

    .. math:: E[S_1] = N \frac{\Gamma(\theta + 1) \Gamma(\theta + \alpha + N - 1)}
                             {\Gamma(\theta + \alpha) \Gamma(\theta + N)}

    are alone, which is about :math:`N^\alpha \Gamma(\theta + 1) / \Gamma(\theta + \alpha)`. The
    maximum is found by two nested searches for a change of sign, which cannot run away; where θ has
    none, nothing is estimated. Class sizes too even for the model, for which the best α would be
    negative, get the nearest one, nearly 0 (Ewens' formula); the estimate is then too high.

    Source: Pitman, 1995; Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk
    assessment", Journal of Official Statistics 17, 2001. Cost: some thousand steps per size.
    """
    people, alone = counts.people, counts.of_size(1)
    return estimate(
        _PITMAN,
        _pitman_unique(counts, population),
        people=people,
        alone=alone,
        population=population,
        assumption=_PITMAN_ASSUMES,
    )


def _pitman_unique(counts: ClassCounts, population: int) -> float | str:
    fitted = fit(counts)
    return fitted if isinstance(fitted, str) else expected_alone(*fitted, population)


def fit(counts: ClassCounts) -> tuple[float, float] | str:
    """θ and α of largest likelihood, or why there are none."""
    from scipy.optimize import brentq

    if counts.total == counts.people:
        return "everybody is alone in the table, so that every size of population fits"
    if counts.total == 1:
        return "the table has one class"
    score = _Score(counts)
    try:
        if score.profile(_LOWEST) <= 0:
            return score.best_theta(_LOWEST), _LOWEST
        alpha = float(brentq(score.profile, _LOWEST, _HIGHEST, xtol=1e-13))
        return score.best_theta(alpha), alpha
    except ValueError:
        return "nearly everybody is alone in the table"


def harmonic(start: float, terms: int) -> float:
    r""":math:`\sum_{i=0}^{m-1} 1 / (x + i)` for any positive x, without adding up."""
    from scipy.special import digamma

    end = start + terms
    if start < _FAR:
        return float(digamma(end) - digamma(start))
    near = (1 / start - 1 / end) / 2 + (1 / start**2 - 1 / end**2) / 12
    return math.log1p(terms / start) + near


def expected_alone(theta: float, alpha: float, population: int) -> float:
    """How many of so many people are expected to be alone."""
    logs = _log_ratio(theta, 1, alpha) + _log_ratio(theta + population, alpha - 1, 0)
    return population * math.exp(logs)


def _log_ratio(x: float, a: float, b: float) -> float:
    r""":math:`\ln \Gamma(x + a) - \ln \Gamma(x + b)`, also where both are huge."""
    if x < _FAR:
        return math.lgamma(x + a) - math.lgamma(x + b)
    return (a - b) * (math.log(x) + (a + b - 1) / (2 * x))


_ZAYATZ = "Zayatz"
_ZAYATZ_ASSUMES = (
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
        _ZAYATZ,
        alone * chance / share,
        people=people,
        alone=alone,
        population=population,
        assumption=_ZAYATZ_ASSUMES,
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


_SLIDE = "slide negative binomial"
_SLIDE_ASSUMES = (
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
        _SLIDE,
        _slide_unique(counts, people / population),
        people=people,
        alone=alone,
        population=population,
        assumption=_SLIDE_ASSUMES,
    )


def _slide_unique(counts: ClassCounts, fraction: float) -> float | str:
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
