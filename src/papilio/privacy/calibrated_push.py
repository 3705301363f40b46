"""How much to push down so that the amount pushed says nothing about the split of the values."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

#: Most values for which chances are computed.
MOST_VALUES = 2000


def push_chances(values: int, most: int, left: int, right: int) -> NDArray[np.float64]:
    """Chance of each push, for each number of values that are below the left child.

    An attacker who takes values for independent draws from the target and knows that as many lots
    as possible are pushed learns from the number of lots (papers D3.18). Here the number of lots j
    is random, and given any j the expected number of values on the left is what the target says:
    sum over n of P(n) q(j | n) (n - values * p) = 0. From the largest j down, as much probability
    as is left goes to j on the side, left-heavy or right-heavy, that has less of it in terms of
    deviation, and as much deviation on the other side, nearest splits first. What remains pushes
    nothing, and balances because the whole does.

    Parameters
    ----------
    values
        Number of values below the node.
    most
        Most lots that may be pushed.
    left, right
        Weights of the two children, both above 0.

    Returns
    -------
    numpy.ndarray
        Array of shape (values + 1, most + 1): row n holds the chances of 0, 1, … lots if n values
        are on the left; no chance where n or values - n is not enough. Rows sum to 1.

    Notes
    -----
    Cost: O(values * most).
    """
    counts = np.arange(values + 1)
    mass = _binomial(values, left / (left + right))
    apart = counts * (left + right) - values * left
    feasible = np.minimum(np.minimum(counts // left, (values - counts) // right), most)
    chances = np.zeros((values + 1, most + 1))
    rest = mass.copy()
    near = np.argsort(np.abs(apart), kind="stable")
    for lots in range(most, 0, -1):
        able = near[feasible[near] >= lots]
        taken = _balanced(able, apart, rest)
        chances[:, lots] = np.divide(taken, mass, out=np.zeros_like(mass), where=mass > 0)
        rest = np.maximum(rest - taken, 0.0)
    # Splits too unlikely for a double to hold: any choice is as good.
    impossible = np.flatnonzero(mass == 0)
    chances[impossible] = 0.0
    chances[:, 0] = np.maximum(1 - chances[:, 1:].sum(axis=1), 0.0)
    return chances


def _binomial(values: int, share: float) -> NDArray[np.float64]:
    logs = [
        math.lgamma(values + 1) - math.lgamma(n + 1) - math.lgamma(values - n + 1)
        for n in range(values + 1)
    ]
    counts = np.arange(values + 1)
    exponents = np.array(logs) + counts * math.log(share) + counts[::-1] * math.log1p(-share)
    mass: NDArray[np.float64] = np.exp(exponents)
    return mass


def _balanced(
    able: NDArray[np.int64], apart: NDArray[np.int64], rest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Most probability that can be taken from these splits without a deviation, nearest first."""
    taken = np.zeros_like(rest)
    exact = able[apart[able] == 0]
    taken[exact] = rest[exact]
    sides = [able[apart[able] < 0], able[apart[able] > 0]]
    amounts = [float((rest[side] * np.abs(apart[side])).sum()) for side in sides]
    wanted = min(amounts)
    for side in sides:
        weight = rest[side] * np.abs(apart[side])
        before = np.concatenate([[0.0], np.cumsum(weight)[:-1]])
        used = np.clip(wanted - before, 0.0, weight)
        taken[side] = used / np.abs(apart[side])
    return taken
