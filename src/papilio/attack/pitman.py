"""Pitman's estimate of uniqueness in the population: the richer a class, the more it grows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from papilio.attack.class_counts import ClassCounts
from papilio.attack.uniqueness_estimate import UniquenessEstimate, estimate

MODEL = "Pitman"
ASSUMPTION = (
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
        MODEL,
        _unique(counts, population),
        people=people,
        alone=alone,
        population=population,
        assumption=ASSUMPTION,
    )


def _unique(counts: ClassCounts, population: int) -> float | str:
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
