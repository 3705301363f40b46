"""Chances of being missed, and their dependence, against counting subsets."""

from __future__ import annotations

import numpy as np
import pytest

from oracles.covered_pairs import missed
from papilio.kernels.covered_pairs import miss_all, sum_dependence, sum_safe_dependence
from sizes import COMPILED

CASES = range(200 if COMPILED else 30)


def lists(pairs, count):
    starts = np.zeros(count + 1, np.int64)
    for node, _ in pairs:
        starts[node + 1 :] += 1
    return starts, np.array([other for _, other in sorted(pairs)], np.int64)


def test_dependence_equals_counting():
    for seed in CASES:
        random = np.random.default_rng(seed)
        groups = np.sort(random.integers(0, 3, 6))
        groups = np.unique(groups, return_inverse=True)[1]
        size = np.bincount(groups)
        chosen = np.array([random.integers(0, n + 1) for n in size])
        near = [sorted(random.permutation(6)[: random.integers(0, 4)].tolist()) for _ in range(4)]
        starts, links = lists([(y, x) for y in range(4) for x in near[y]], 4)
        back = lists([(x, y) for y in range(4) for x in near[y]], 6)
        members = lists([(int(g), x) for x, g in enumerate(groups)], len(size))
        own = np.array([0, 0, 1, 1])
        single, both = np.array([0.5, 0.25]), np.array([0.2, 0.1])
        miss = miss_all(starts, links, groups, size, chosen)
        slow = [missed(groups, chosen, each) for each in near]
        assert miss == pytest.approx(slow)
        total = 0.0
        for y in range(4):
            for z in range(4):
                if y != z:
                    weight = both[own[y]] if own[y] == own[z] else single[own[y]] * single[own[z]]
                    union = missed(groups, chosen, near[y] + near[z])
                    total += weight * (union - slow[y] * slow[z])
        fast = sum_dependence(
            starts, links, *back, *members, groups, size, chosen, miss, own, single, both
        )
        assert fast == pytest.approx(total, abs=1e-12)


def test_the_short_way_equals_the_long_one_where_it_may_be_taken():
    compared = 0
    for seed in CASES:
        random = np.random.default_rng(seed)
        groups = np.repeat(np.arange(3), [2, 3, 4])
        size = np.bincount(groups)
        places = [np.flatnonzero(groups == g) for g in range(3)]
        chosen = np.array([random.integers(0, n + 1) for n in size])
        near = [
            [int(random.choice(places[g])) for g in range(3) if random.random() < 0.7]
            for _ in range(6)
        ]
        starts, links = lists([(y, x) for y in range(6) for x in near[y]], 6)
        back = lists([(x, y) for y in range(6) for x in near[y]], 9)
        members = lists([(int(g), x) for x, g in enumerate(groups)], 3)
        miss = miss_all(starts, links, groups, size, chosen)
        own = np.array([0, 0, 0, 1, 1, 1])
        rest = (groups, size, chosen, miss, own, np.array([0.5, 0.25]), np.array([0.2, 0.1]))
        long = sum_dependence(starts, links, *back, *members, *rest)
        assert sum_safe_dependence(starts, links, *back, *members, *rest) == pytest.approx(
            long, abs=1e-12
        )
        compared += long != 0
    assert compared
