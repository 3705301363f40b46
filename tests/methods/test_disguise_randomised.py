"""The randomised allocation: what was pushed says nothing about the split at the root."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from disguise_cases import counts_of, named, target_over
from oracles import disguise as oracle
from papilio.errors import InfeasibleError
from papilio.families.disguise.methods.disguise import push_by_chance
from papilio.families.disguise.methods.domain_of import from_sizes
from papilio.privacy.calibrated_push import push_chances
from papilio.randomness import Randomness


def posteriors(chances, values, share):
    """Pushed lots -> expected share on the left, for values drawn with this share."""
    mass = np.array(
        [comb(values, n) * share**n * (1 - share) ** (values - n) for n in range(values + 1)]
    )
    joint = chances * mass[:, None]
    total = joint.sum(axis=0)
    counts = np.arange(values + 1)
    return {
        lots: float(joint[:, lots] @ counts / total[lots] / values)
        for lots in range(chances.shape[1])
        if total[lots] > 1e-12
    }


@pytest.mark.parametrize("values", [1, 2, 4, 7, 12, 30])
@pytest.mark.parametrize("weights", [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_the_split_is_what_the_target_says_whatever_was_pushed(values, weights):
    left, right = weights
    most = values // (left + right)
    chances = push_chances(values, most, left, right)
    assert np.allclose(chances.sum(axis=1), 1)
    for split in range(values + 1):
        able = min(split // left, (values - split) // right, most)
        assert not chances[split, able + 1 :].any()
    share = left / (left + right)
    for found in posteriors(chances, values, share).values():
        assert found == pytest.approx(share, abs=1e-6)


def test_the_maximal_allocation_moves_the_posterior_to_nine_fourteenths():
    # papers D3.18: P = (2/3, 1/3), four values, output {a}, {a}, {b}, {a, b}.
    chances = np.zeros((5, 2))
    for split in range(5):
        chances[split, min(split // 2, 4 - split, 1)] = 1
    assert posteriors(chances, 4, 2 / 3)[1] == pytest.approx(9 / 14)


def test_results_are_private_and_values_fit():
    shares = {1: 1, 2: 2, 3: 1, 4: 4}
    target = target_over([1, 2, 3, 4], list(shares.values()))
    for seed in range(60):
        values = np.random.default_rng(seed).integers(1, 5, 12).tolist()
        count = target.tree.sums(counts_of(values, target.tree))
        size = push_by_chance(count, target, Randomness(seed))
        multiset = named(target.tree, from_sizes(target.tree, size))
        assert oracle.is_private(multiset, shares, (1, 2, 3, 4))
        assert oracle.has_matching(values, multiset)


def test_it_costs_more_than_the_maximal_allocation_on_average():
    shares = {1: 1, 2: 3, 3: 2, 4: 5, 5: 1, 6: 1, 7: 2, 8: 1}
    target = target_over(range(1, 9), list(shares.values()))
    chance, cost, best = np.random.default_rng(1), 0.0, 0.0
    for seed in range(40):
        values = chance.choice(range(1, 9), 30, p=np.array([*shares.values()]) / 16).tolist()
        count = target.tree.sums(counts_of(values, target.tree))
        size = push_by_chance(count, target, Randomness(seed))
        cost += oracle.cost(named(target.tree, from_sizes(target.tree, size)))
        tree = oracle.balanced(list(range(1, 9)))
        best += oracle.cost(oracle.maximal(values, tree, shares))
    assert best < cost < 7 * 30 * 40


def test_too_many_values_are_refused():
    target = target_over(range(2))
    with pytest.raises(InfeasibleError, match="at most 2000 rows"):
        push_by_chance(np.array([3000, 1500, 1500]), target, Randomness(1))


def test_exactness_of_the_share_in_the_oracle():
    assert oracle.mean_share({(1, 2): 1, (1,): 1}, {1: 1, 2: 1})[1] == Fraction(3, 4)
