"""The baseline swaps values of rows whose ranks are close, and nothing else."""

from __future__ import annotations

import polars as pl
import pytest

from oracles import ke_partition as oracle
from papilio.errors import PolicyError
from papilio.families.permutation.methods.value_counts import sort_values
from papilio.policy.policy import Policy
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness
from rank_swap import rank_swap, swap_windows

VALUES = [1, 1, 2, 3, 5, 8, 8, 8, 13, 21, 34, 55]


def test_windows_are_the_least_that_satisfy_the_requirement():
    for k, e in ((1, 0), (2, 0), (3, 4), (5, 20), (2, 54)):
        windows = swap_windows(sort_values(pl.Series(VALUES)), KeAnonymity("x", k, e))
        for rank, width in enumerate(windows.tolist()):

            def part(reach, rank=rank):
                return VALUES[max(rank - reach, 0) : rank + reach + 1]

            assert oracle.is_ke_anonymous(part(width), k, e)
            assert width == 0 or not oracle.is_ke_anonymous(part(width - 1), k, e)


def test_each_value_is_swapped_once_within_its_window():
    column = sort_values(pl.Series(VALUES))
    requirement = KeAnonymity("x", 3, 4)
    windows = swap_windows(column, requirement)
    for seed in range(20):
        source = rank_swap(column, requirement, Randomness(seed))
        assert source[source].tolist() == list(range(len(VALUES)))
        for rank, other in enumerate(source.tolist()):
            assert abs(rank - other) <= windows[min(rank, other)]


def test_chance_decides_with_whom():
    column, requirement = sort_values(pl.Series(VALUES)), KeAnonymity("x", 3, 4)
    assert len({tuple(rank_swap(column, requirement, Randomness(seed))) for seed in range(9)}) > 5


def test_a_policy_cannot_ask_for_it():
    with pytest.raises(PolicyError, match="minimise"):
        Policy(
            columns={"age": "quasi", "pay": "sensitive"},
            privacy={"k": 2, "e": 1},
            minimise="rank-swap",
        )
