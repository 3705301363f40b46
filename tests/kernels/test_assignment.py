"""Pairing at least cost against trying everything; the greedy pairing against its definition."""

from itertools import permutations

import numpy as np
import pytest

from papilio.kernels.assignment import assign, assign_greedily


def cheapest(cost):
    lines, columns = cost.shape
    return min(
        sum(cost[i, chosen[i]] for i in range(lines))
        for chosen in permutations(range(columns), lines)
    )


@pytest.mark.parametrize("seed", range(40))
def test_no_pairing_is_cheaper(seed):
    generator = np.random.default_rng(seed)
    lines = int(generator.integers(1, 5))
    columns = int(generator.integers(lines, 6))
    for values in (
        generator.normal(size=(lines, columns)),
        generator.integers(-3, 3, (lines, columns)),
    ):
        cost = values.astype(float)
        chosen = assign(cost)
        assert len(set(chosen.tolist())) == lines
        assert cost[np.arange(lines), chosen].sum() == pytest.approx(cheapest(cost))


@pytest.mark.parametrize("seed", range(20))
def test_greedy_takes_the_cheapest_pair_that_is_left(seed):
    cost = np.random.default_rng(seed).normal(size=(3, 4))
    chosen = assign_greedily(cost)
    left = {(i, j) for i in range(3) for j in range(4)}
    while left:
        i, j = min(left, key=lambda pair: cost[pair])
        assert chosen[i] == j
        left = {pair for pair in left if pair[0] != i and pair[1] != j}


def test_greedy_can_be_dearer():
    cost = np.array([[0.0, 1.0], [1.0, 10.0]])
    assert assign_greedily(cost).tolist() == [0, 1]
    assert assign(cost).tolist() == [1, 0]
