"""The attacker's belief against an enumeration of all values that could have been there."""

import math
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest

from disguise_cases import target_over
from oracles import disguise as oracle
from papilio import Policy, publish
from papilio.attack.minimality import TargetPosterior
from papilio.privacy.calibrated_push import push_chances
from papilio.workflow.risk import attack


def beliefs(weights, number, arity=2):
    """What is published -> expected share of each leaf, by enumeration of all values."""
    domain = list(range(1, len(weights) + 1))
    shares, tree = dict(zip(domain, weights, strict=False)), oracle.balanced(domain, arity)
    seen = {}
    for values in product(domain, repeat=number):
        mass = Fraction(1)
        for value in values:
            mass *= Fraction(shares[value], sum(weights))
        published = tuple(sorted(oracle.maximal(values, tree, shares).items()))
        total, counts = seen.setdefault(published, [Fraction(0), dict.fromkeys(domain, 0)])
        seen[published][0] = total + mass
        for value in values:
            counts[value] += mass / number
    return {
        published: {value: share / total for value, share in counts.items()}
        for published, (total, counts) in seen.items()
        if total
    }


def sizes_of(tree, published):
    values = tree.lows.to_list()
    size = np.zeros(tree.nodes, dtype=np.int64)
    for subdomain, many in published:
        for node in range(tree.nodes):
            covered = values[tree.first[node] : tree.last[node] + 1]
            size[node] += many * (set(subdomain) <= set(covered))
    return size


@pytest.mark.parametrize(
    ("weights", "number", "arity"),
    [
        ([2, 1], 4, 2),
        ([1, 1, 1, 1], 4, 2),
        ([3, 1, 2, 1], 5, 2),
        ([1, 2, 1], 5, 3),
        ([1, 0, 2], 4, 2),
    ],
)
def test_equals_the_enumeration_of_all_values(weights, number, arity):
    target = target_over(range(1, len(weights) + 1), weights, arity)
    tree = target.tree
    for published, expected in beliefs(weights, number, arity).items():
        posterior = TargetPosterior(target, sizes_of(tree, published))
        for node in posterior.nodes:
            below = tree.lows.to_list()[tree.first[node] : tree.last[node] + 1]
            wanted = float(sum(expected[value] for value in below))
            assert posterior.share(node) == pytest.approx(wanted, abs=1e-9)


def test_the_example_of_nine_fourteenths():
    target = target_over([1, 2], [2, 1])
    posterior = TargetPosterior(target, np.array([4, 2, 1]))
    assert posterior.share(1) == pytest.approx(9 / 14)


@pytest.mark.parametrize("lots", [0, 1, 50])
def test_what_hardly_ever_happens_is_computed_as_well(lots):
    """Nothing was pushed in a group of 200, which has a chance of about 10^-35."""
    posterior = TargetPosterior(target_over([1, 2], [2, 1]), np.array([200, 2 * lots, lots]))
    chances = {
        left: math.comb(200, left) * Fraction(2) ** left
        for left in range(201)
        if min(left // 2, 200 - left) == lots
    }
    wanted = sum(left * chance for left, chance in chances.items()) / sum(chances.values()) / 200
    assert posterior.share(1) == pytest.approx(float(wanted), rel=1e-9)


def test_what_hardly_ever_happens_below_the_root_is_computed_as_well():
    """One half of the tree pushed nothing: 10^-37, which is no difference of numbers near 1."""
    target = target_over([1, 2, 3, 4], [2, 1, 1, 1])
    posterior = TargetPosterior(target, np.array([400, 210, 0, 0, 140, 70, 70]))
    total = of_first = 0
    for left in range(401):
        if min(left // 3, (400 - left) // 2) != 70:
            continue
        splits = [first for first in range(left + 1) if min(first // 2, left - first) == 0]
        right = sum(math.comb(400 - left, third) for third in range(70, 400 - left - 70 + 1))
        for first in splits:
            ways = math.comb(400, left) * math.comb(left, first) * 2**first * right
            total += ways
            of_first += first * ways
    assert posterior.share(2) == pytest.approx(float(Fraction(of_first, total * 400)), rel=1e-9)


def test_what_no_number_can_tell_is_left_out():
    """All of 9000 values on one side of an even target: less likely than any double is small."""
    size = np.array([9000, 0, 0])
    assert TargetPosterior(target_over([1, 2], [1, 1]), size).share(1) is None
    pay = [1] * 3600 + [2]
    frame = pl.DataFrame({"town": ["a"] * 3601, "pay": pay})
    policy = Policy(
        columns={"town": "quasi", "pay": "sensitive"}, privacy={"target": {"pay": "uniform"}}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        found = [*attack(publish(frame, policy, name="people"), original=policy, data=frame)]
    [result] = [each for each in found if each.attack == "minimality"]
    assert result.figures == {}
    assert "too unlike its target" in result.sentence


def test_a_randomised_allocation_leaves_the_root_as_the_target_says():
    target = target_over([1, 2], [2, 1])
    for lots in (0, 1):
        size = np.array([4, 2 * lots, lots])
        posterior = TargetPosterior(target, size, randomised=True)
        shares = {node: posterior.share(node) for node in posterior.nodes}
        assert shares.get(1, 2 / 3) == pytest.approx(2 / 3)
    assert push_chances(4, 1, 2, 1)[2, 1] < 1


def test_below_the_root_chance_leaves_less_than_the_maximal_allocation():
    target = target_over([1, 2, 3, 4], [3, 1, 1, 2])
    shifts = {}
    for randomised in (False, True):
        size = np.array([14, 8, 3, 1, 6, 2, 4])
        posterior = TargetPosterior(target, size, randomised=randomised)
        shifts[randomised] = abs(posterior.share(1) - 4 / 7)
    assert shifts[True] <= shifts[False] + 1e-9


def release_of(**privacy):
    chance = np.random.default_rng(4)
    frame = pl.DataFrame(
        {"town": chance.choice(["a", "b"], 40), "pay": chance.integers(1, 5, 40) * 10}
    )
    policy = Policy(columns={"town": "quasi", "pay": "sensitive"}, privacy=privacy)
    return publish(frame, policy, name="people"), policy, frame


def test_the_attack_on_a_release_measures_every_group():
    release, policy, frame = release_of(target={"pay": {"distribution": "zipf", "by": ["town"]}})
    _, result, *_ = attack(release, original=policy, data=frame)
    assert result.attack == "minimality"
    assert result.figures["groups"] == 2
    assert 0 < result.figures["mean_shift"] <= result.figures["largest_shift"] < 0.5


def mean_shift(allocation):
    """Average of the largest shift over releases made with different seeds."""
    said = {"distribution": "zipf", "largest_weight": 3, "allocation": allocation}
    policy = Policy(
        columns={"town": "quasi", "pay": "sensitive"}, privacy={"target": {"pay": said}}
    )
    shifts = []
    for seed in range(6):
        chance = np.random.default_rng(seed)
        values = chance.choice([1, 2, 3, 4], 30, p=[0.5, 0.25, 0.15, 0.1])
        frame = pl.DataFrame({"town": ["a"] * 30, "pay": values})
        release = publish(frame, policy, name="people", seed=seed)
        _, result, *_ = attack(release, original=policy, data=frame)
        shifts.append(result.figures["largest_shift"])
    return sum(shifts) / len(shifts)


def test_chance_moves_the_belief_less():
    assert mean_shift("randomised") < 0.7 * mean_shift("maximal")


def test_what_is_not_measured_is_said():
    release, policy, frame = release_of(target={"pay": "uniform"}, fakes="10%")
    _, result, *_ = attack(release, original=policy, data=frame)
    assert "Not tried" in result.sentence
