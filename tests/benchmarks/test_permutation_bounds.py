"""The bounds that the benchmark measures are right."""

from __future__ import annotations

import random

import numpy as np
import polars as pl

from papilio.families.classes import Classes
from papilio.families.permutation.methods.value_counts import sort_values
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness
from permutation_bounds import generalised_average, groups_of, permuted_average, swapped_average
from rank_swap import rank_swap, swap_windows


def test_averages_of_a_permuted_table():
    groups = groups_of(
        Classes(np.arange(5, dtype=np.int32), np.array([0, 3, 5])), np.array([1.0, 5, 3, 10, 20])
    )
    chosen = np.array([True, False, True, True, False])
    assert permuted_average(groups, chosen) == ((1 + 3 + 10) / 3, (5 + 3 + 20) / 3)


def test_averages_of_a_generalised_table():
    assert generalised_average(np.empty(0), np.array([4.0, 1, 2])) == (1, 4)
    assert generalised_average(np.array([3.0]), np.array([1.0, 9])) == (2, 6)
    assert generalised_average(np.array([3.0]), np.empty(0)) == (3, 3)


def test_the_truth_is_within_the_bounds_of_a_swapped_table():
    draw = random.Random(1)
    for seed in range(40):
        values = np.array([draw.randint(0, 60) for _ in range(30)])
        column, requirement = sort_values(pl.Series(values)), KeAnonymity("x", 3, 4)
        source = rank_swap(column, requirement, Randomness(seed))
        shown = np.empty(30, np.int64)
        shown[column.rows] = source
        chosen = np.array([draw.random() < 0.4 for _ in range(30)])
        if chosen.any():
            windows = swap_windows(column, requirement)
            low, high = swapped_average(np.sort(values).astype(float), windows, shown[chosen])
            assert low <= values[chosen].mean() <= high
