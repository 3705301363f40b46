"""Slow and obvious twin of the help table: look at every choice of cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations


def every_choice(cells, hits):
    """Known values of every choice of ``hits`` cells; NULL is ``None``."""
    for chosen in combinations(cells, hits):
        yield [Fraction(value) for value in chosen if value is not None]


def help_row(cells, hits):
    """Bounds, mean and variance over all choices, as the release format says."""
    choices = list(every_choice(cells, hits))
    counts = [len(choice) for choice in choices]
    sums = [sum(choice) for choice in choices]
    known = [choice for choice in choices if choice]
    mean = Fraction(sum(sums), len(sums))
    row = {"count_lo": min(counts), "count_hi": max(counts)}
    row |= {"sum_lo": min(sums), "sum_hi": max(sums), "sum_mean": mean}
    row["sum_var"] = Fraction(sum((each - mean) ** 2 for each in sums), len(sums))
    for name, aggregate in (("min", min), ("max", max), ("avg", _average)):
        found = [aggregate(choice) for choice in known]
        row |= {f"{name}_lo": min(found), f"{name}_hi": max(found)}
    return row


def _average(values):
    return Fraction(sum(values), len(values))


def help_row_of_intervals(intervals, hits):
    """The same for cells that are intervals; every value of each is possible."""
    choices = list(combinations(intervals, hits))
    row = {}
    for name, aggregate in (("sum", sum), ("min", min), ("max", max)):
        row[f"{name}_lo"] = min(aggregate(low for low, _ in chosen) for chosen in choices)
        row[f"{name}_hi"] = max(aggregate(high for _, high in chosen) for chosen in choices)
    return row


def mean_and_variance_of_intervals(domains, hits):
    """Mean and variance of the sum if each cell is uniform over a list of values.

    ``domains`` lists the values of each cell; all choices of cells are equally likely.
    """
    choices = list(combinations(domains, hits))
    means, squares = [], []
    for chosen in choices:
        mean = sum(_average(domain) for domain in chosen)
        inside = sum(
            _average([(value - _average(domain)) ** 2 for value in domain]) for domain in chosen
        )
        means.append(mean)
        squares.append(mean**2 + inside)
    mean = Fraction(sum(means), len(means))
    return mean, Fraction(sum(squares), len(squares)) - mean**2
