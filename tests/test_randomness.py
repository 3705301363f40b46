"""The one source of randomness."""

import numpy as np

from papilio.randomness import Randomness


def test_unseeded_draws_differ_and_come_from_the_operating_system(monkeypatch):
    assert not np.array_equal(Randomness().keys(8), Randomness().keys(8))
    asked = []
    monkeypatch.setattr("os.urandom", lambda count: asked.append(count) or bytes(count))
    Randomness().keys(5)
    assert asked == [40]


def test_seeded_draws_repeat():
    assert np.array_equal(Randomness(3).keys(8), Randomness(3).keys(8))
    assert not np.array_equal(Randomness(3).keys(8), Randomness(4).keys(8))
    assert Randomness(0).seeded
    assert not Randomness().seeded


def test_permutations_are_permutations():
    assert sorted(Randomness(1).permutation(100).tolist()) == list(range(100))
    assert Randomness().permutation(0).tolist() == []
