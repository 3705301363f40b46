"""Risks of being found, from their definitions: row by row, or with every sum written out."""

from collections import Counter
from fractions import Fraction
from math import comb, lgamma, log


def class_of_each(rows):
    """For each row the number of rows like it."""
    alike = Counter(rows)
    return [alike[row] for row in rows]


def prosecutor(rows, threshold):
    """Largest and average chance, and rows above a threshold."""
    chances = [Fraction(1, size) for size in class_of_each(rows)]
    above = sum(each > Fraction(threshold).limit_denominator(10**6) for each in chances)
    return max(chances), sum(chances) / len(chances), above


def matched(sample, population):
    """Rows of a sample that are matched rightly, in expectation, if the population is known."""
    people = Counter(population)
    return sum(Fraction(1, people[row]) for row in sample)


def zayatz(histogram, population):
    """Size -> classes, to people alone in the population, with exact binomial coefficients."""
    drawn = sum(size * count for size, count in histogram.items())

    def one_of(size):
        return Fraction(size * comb(population - size, drawn - 1), comb(population, drawn))

    alone = histogram.get(1, 0)
    below = sum(count * one_of(size) for size, count in histogram.items())
    return alone * (alone * one_of(1) / below) * Fraction(population, drawn)


def pitman_log_likelihood(histogram, theta, alpha):
    """Logarithm of the Pitman sampling formula, but for what does not depend on θ and α."""
    people = sum(size * count for size, count in histogram.items())
    classes = sum(histogram.values())
    return (
        sum(log(theta + i * alpha) for i in range(1, classes))
        - sum(log(theta + i) for i in range(1, people))
        + sum(
            count * log(i - alpha)
            for size, count in histogram.items()
            for i in range(1, size)
        )
    )  # fmt: skip


def pitman_alone(theta, alpha, population):
    """Expected number of people alone: each is if nobody who comes after joins them."""
    chance = 1.0
    for there in range(1, population):
        chance *= (theta + alpha + there - 1) / (theta + there)
    return population * chance


def slid_sizes(alpha, q, most):
    """Chances that a class of the population has 1, 2, … people, negative binomial but for one."""
    return [
        2.718281828459045
        ** (lgamma(alpha + j) - lgamma(alpha) - lgamma(j + 1) + alpha * log(1 - q) + j * log(q))
        for j in range(most)
    ]


def sampled(sizes, fraction, wanted):
    """Chance that a class with such sizes has so many people in a sample, person by person."""
    return sum(
        chance * comb(size, wanted) * fraction**wanted * (1 - fraction) ** (size - wanted)
        for size, chance in enumerate(sizes, start=1)
        if size >= wanted
    )


def inverse_mean(size, share, alpha, most=20_000):
    """Mean of 1/F if F - size is negative binomial with size - alpha successes."""
    r = size - alpha
    total = 0.0
    for more in range(most):
        logs = lgamma(more + r) - lgamma(r) - lgamma(more + 1) + r * log(share)
        total += 2.718281828459045 ** (logs + more * log(1 - share)) / (size + more)
    return total


def inverse_mean_of_urn(size, people, theta, alpha, population):
    """Mean of 1/F of a class with ``size`` of ``people``, when the rest of the population has come.

    In Pitman's urn the number who join the class is beta-binomial.
    """
    rest, a, b = population - people, size - alpha, theta + people - size + alpha

    def chance(more):
        return (
            lgamma(rest + 1) - lgamma(more + 1) - lgamma(rest - more + 1)
            + lgamma(more + a) + lgamma(rest - more + b) - lgamma(rest + a + b)
            - lgamma(a) - lgamma(b) + lgamma(a + b)
        )  # fmt: skip

    return sum(2.718281828459045 ** chance(more) / (size + more) for more in range(rest + 1))
