"""Journalist: somebody who looks for anyone at all, without knowing who is in the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.attack.class_counts import (
    THRESHOLD,
    Chances,
    ClassCounts,
    chances_of,
    chances_over_people,
)
from papilio.attack.holdings import Holdings, people_counts
from papilio.attack.uniqueness_models import fit

NAME = "journalist"


def journalist(
    counts: ClassCounts, population: int | None = None, threshold: float = THRESHOLD
) -> Chances:
    r"""Chance that the person whom the attacker takes for a row's is the right one.

    The attacker looks the row up in a register of the whole population and finds :math:`F_j \geq
    f_j` people who fit, one of whom is right: :math:`1 / F_j`. How many there are in the
    population is not known from the table; :func:`expected_chances` gives what to expect. Without
    a population the table is taken for all of it, and the chances are the prosecutor's.

    What it assumes: a register without errors, and a random sample. What it does not say: the
    chances are expectations over classes of a size, so that of people who are alone in the
    population, and are found for certain, they are too low; uniqueness in the population says how
    many these are.

    Source: El Emam and Dankar, JAMIA 2008.
    """
    return chances_of(counts, expected_chances(counts, population), threshold)


def journalist_over_people(
    held: Holdings, population: int | None = None, threshold: float = THRESHOLD
) -> Chances:
    r"""Chance that the person whom the attacker takes for a row's is right, at their worst class.

    :math:`\max_j (o_j / f_j) \, g_j \, E[1 / G_j]` over the classes j of a person who has
    :math:`o_j` of their :math:`f_j` rows, with :math:`g_j` people of the table and :math:`G_j`
    of the population in the class: the prosecutor's chance, thinned out by people who are not in
    the table as if they had as many rows as those who are. With one row a person it is
    :func:`journalist`.

    What to expect of :math:`1 / G_j` is known only if each person is in one class, as the model
    divides people; otherwise, and without a population, the chances are the prosecutor's, which
    are never too low.
    """
    counts = people_counts(held)
    if population is None or counts is None or not counts.total:
        return chances_over_people(held.chances, threshold)
    by_size = dict(zip(counts.sizes, expected_chances(counts, population), strict=True))
    inside = held.people_of_classes
    thinned = np.array([each * by_size[each] for each in inside])
    return chances_over_people(held.worst(held.shares * thinned[held.group]), threshold)


def expected_chances(counts: ClassCounts, population: int | None) -> NDArray[np.float64]:
    r"""Expected :math:`1 / F` of the classes of each size.

    .. math:: E[1/F \mid f] = \frac{\pi}{f} \, {}_2F_1(1, 1 + \alpha; f + 1; 1 - \pi),
              \quad \pi = \frac{\theta + n}{\theta + N}

    for n people of N, with Pitman's α and θ fitted to the table: by that model the people of a
    class who are not in the table, :math:`F - f`, are negative binomial with :math:`f - \alpha`
    successes and chance :math:`\pi` (large n). With :math:`\alpha = \theta = 0` this is the
    individual risk of Benedetti and Franconi (1998), as in mu-Argus, which is far too low where
    many people are alone. If nearly everybody is alone, nothing can be told from the table, and
    the chance is 1/f, the largest that is possible.
    """
    largest: NDArray[np.float64] = 1 / counts.sizes
    if population is None or population <= counts.people or not counts.total:
        return largest
    fitted = fit(counts)
    if isinstance(fitted, str):
        return largest
    theta, alpha = fitted
    share = (theta + counts.people) / (theta + population)
    return np.minimum(largest, inverse_mean(counts.sizes, share, alpha))


def inverse_mean(sizes: NDArray[np.int64], share: float, alpha: float = 0.0) -> NDArray[np.float64]:
    """Mean of 1/F if F - f is negative binomial with f - α successes of chance ``share``."""
    # SciPy takes a while to load.
    from scipy.special import hyp2f1

    found: NDArray[np.float64] = share / sizes * hyp2f1(1.0, 1 + alpha, sizes + 1.0, 1 - share)
    return found
