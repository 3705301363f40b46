"""How likely chance alone would put lines into an order that says so much.

All bounds are proved, none is an approximation, so they hold for tables of every size. Lines of a
block are in an order that chance decided if all their orders are equally likely, independently of
other blocks. Two things are counted then:

- *trend*: pairs of lines of a block that stand the other way round than their keys. In a random
  order their number is the sum of independent uniform numbers, one per line: the i-th line of a
  block stands behind 0 to i - 1 larger ones. Ties take such sums away again. So the generating
  function is known; with few lines it is written out, with many Chernoff's bound is taken from it.
- *neighbours*: whether the second of two neighbouring lines has a key nearer to the first one's
  than a line far away has. The second and the far one could as well be exchanged, so this is the
  toss of a coin, and lines are used once, so tosses are independent.

Chances are given as natural logarithms.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

#: Up to so many lines the chance of a trend is exact.
EXACT_LINES = 40
#: Up to so many coins the chance of neighbours is exact.
EXACT_COINS = 64
#: Below so many standard deviations nothing is looked at more closely.
_NOTHING = 4.0
_SLOPES = np.geomspace(0.5, 16.0, 16)


def trend_chance(block: Ints, key: Ints) -> float:
    """Logarithm of a bound of the chance of as many, or as few, pairs in the order of their keys.

    Parameters
    ----------
    block
        Block of each line, in ascending order.
    key
        What the order may follow, line by line: ranks from 0.

    Notes
    -----
    Cost: O(n log n). Equal keys say nothing. Exact up to :data:`EXACT_LINES` lines.
    """
    sizes, ties = _sizes(block), _sizes(_together(block, key), ordered=False)
    pairs = _pairs(sizes) - _pairs(ties)
    if pairs == 0:
        return 0.0
    wrong = _inversions(_together(block, key))
    exponents = _exponents(sizes, ties)
    if len(key) <= EXACT_LINES:
        return _exact_trend(exponents, pairs, min(wrong, pairs - wrong))
    return _bounded_trend(exponents, abs(wrong - pairs / 2))


def neighbour_chance(block: Ints, key: Ints) -> float:
    """Logarithm of the chance that so many neighbouring lines, or so few, have keys that are near.

    Parameters
    ----------
    block, key
        As for :func:`trend_chance`.

    Notes
    -----
    Of m lines of a block, counted from 0, those with the numbers 2j, 2j + 1 and m - 1 - j are
    compared, j < m // 3. Cost: O(n).
    """
    sizes = _sizes(block)
    thirds = sizes // 3
    first = np.repeat(np.cumsum(sizes) - sizes, thirds)
    last = np.repeat(np.cumsum(sizes) - 1, thirds)
    number = np.arange(len(first)) - np.repeat(np.cumsum(thirds) - thirds, thirds)
    one, next_, far = key[first + 2 * number], key[first + 2 * number + 1], key[last - number]
    nearer = np.sign(np.abs(one - far) - np.abs(one - next_))
    heads, tails = int((nearer > 0).sum()), int((nearer < 0).sum())
    return _coins(max(heads, tails), heads + tails)


def least_chance(block: Ints, key: Ints) -> float:
    """Logarithm of the least chance that :func:`trend_chance` can find, whatever the order is."""
    sizes, ties = _sizes(block), _sizes(_together(block, key), ordered=False)
    orders = sum(map(math.lgamma, (sizes + 1).tolist())) - sum(
        map(math.lgamma, (ties + 1).tolist())
    )
    return min(0.0, math.log(2) - orders)


def _together(block: Ints, key: Ints) -> Ints:
    """One number per line that is larger in later blocks, and in a block by its key."""
    numbers: Ints = np.cumsum(np.diff(block, prepend=block[:1]) != 0).astype(np.int64)
    return numbers * (int(key.max(initial=0)) + 1) + key


def _sizes(numbers: Ints, *, ordered: bool = True) -> Ints:
    """How often each number occurs."""
    if not ordered:
        numbers = np.sort(numbers)
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
    return np.diff(starts, append=len(numbers)).astype(np.int64)


def _pairs(sizes: Ints) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(numbers: Ints) -> int:
    """Count pairs of which the first is larger, bit by bit of the places in ascending order."""
    place = np.empty(len(numbers), np.uint16)
    place[np.argsort(numbers, kind="stable")] = np.arange(len(numbers), dtype=np.uint16)
    total = 0
    for bit in reversed(range(max(1, (len(numbers) - 1).bit_length()))):
        # Lines with equal higher bits stand together, still in their order.
        upper = (place >> np.uint16(bit + 1)).astype(np.int64)
        ones = ((place >> np.uint16(bit)) & np.uint16(1)).astype(np.int64)
        before = np.cumsum(ones) - ones
        starts = np.flatnonzero(np.diff(upper, prepend=-1))
        inside = before - np.repeat(before[starts], np.diff(starts, append=len(upper)))
        total += int(inside[ones == 0].sum())
        place = place[np.argsort(place >> np.uint16(bit), kind="stable")]
    return total


def _exponents(sizes: Ints, ties: Ints) -> Ints:
    """Exponent of 1 - q^i in the generating function, for i = 0, 1, 2 and so on."""
    most = int(sizes.max())
    some = np.bincount(sizes, minlength=most + 1) - np.bincount(ties, minlength=most + 1)
    at_least: Ints = np.cumsum(some[::-1])[::-1].astype(np.int64)
    at_least[0] = 0
    return at_least


def _exact_trend(exponents: Ints, pairs: int, few: int) -> float:
    """Write the generating function out; coefficients are whole numbers of any length."""
    series = np.zeros(pairs + 1, object)
    series[0] = 1
    for i in np.flatnonzero(exponents).tolist():
        for _ in range(abs(int(exponents[i]))):
            if exponents[i] > 0:
                series[i:] = series[i:] - series[: len(series) - i]
            else:
                for start in range(min(i, len(series))):
                    series[start::i] = np.cumsum(series[start::i])
    some, every = 2 * int(series[: few + 1].sum()), int(series.sum())
    return min(0.0, math.log(some) - math.log(every))


def _bounded_trend(exponents: Ints, distance: float) -> float:
    """Chernoff's bound, 2 exp(K(s) - s d), for the best of some slopes s."""
    i = np.flatnonzero(exponents)
    weight, size = exponents[i].astype(float), i.astype(float)
    variance = float((weight * (size**2 - 1)).sum()) / 12
    if distance < _NOTHING * math.sqrt(variance):
        return 0.0
    # Every slope gives a bound; that of a normal distribution would be best at 1.
    slopes = _SLOPES * distance / variance
    logs = _log_sinh(np.outer(slopes / 2, size)) - np.log(size)
    grown = (logs - _log_sinh(slopes / 2)[:, None]) @ weight
    return min(0.0, math.log(2) + float((grown - slopes * distance).min()))


def _log_sinh(x: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = x + np.log(-np.expm1(-2 * x)) - math.log(2)
    return found


def _coins(heads: int, tosses: int) -> float:
    """Chance of at least so many equal sides; beyond a few tosses Chernoff's bound of it."""
    if 2 * heads <= tosses + 1:
        return 0.0
    if tosses <= EXACT_COINS:
        many = 2 * sum(math.comb(tosses, i) for i in range(heads, tosses + 1))
        return min(0.0, math.log(many) - tosses * math.log(2))
    share = heads / tosses
    spread = share * math.log(2 * share)
    spread += (1 - share) * math.log(2 * (1 - share)) if heads < tosses else 0.0
    return min(0.0, math.log(2) - tosses * spread)
