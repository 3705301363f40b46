"""Classes are shuffled uniformly, and nothing else changes."""

from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from papilio.families.classes import Classes, shuffle
from papilio.kernels.draw_groups import shuffle_classes
from papilio.randomness import Randomness


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8), st.integers(0, 2**32))
def test_classes_stay_together(sizes, seed):
    starts = np.cumsum([0, *sizes])
    rows = np.random.default_rng(seed).permutation(starts[-1]).astype(np.int32)
    shuffled = shuffle(Classes(rows, starts), Randomness(seed))
    before = {frozenset(rows[a:b].tolist()) for a, b in zip(starts, starts[1:], strict=False)}
    ends = zip(shuffled.starts, shuffled.starts[1:], strict=False)
    assert {frozenset(shuffled.rows[a:b].tolist()) for a, b in ends} == before


def test_every_order_of_a_class_is_reached_by_some_keys():
    """The inside-out shuffle maps the 1 x 2 x 3 choices of places to the 6 orders, one to one."""
    orders = Counter()
    for second in range(2):
        for third in range(3):
            keys = np.array([0, second, third], np.uint64)
            rows, _ = shuffle_classes(
                np.arange(3, dtype=np.int32), np.array([0, 3]), np.array([0]), keys
            )
            orders[tuple(rows.tolist())] += 1
    assert orders == Counter(permutations(range(3)))


def test_all_orders_are_about_equally_likely():
    """A chi-square test that a biased shuffle fails: 6 orders, 6000 draws, 5 degrees of freedom."""
    randomness = Randomness(11)
    classes = Classes(np.arange(3, dtype=np.int32), np.array([0, 3]))
    counts = Counter(tuple(shuffle(classes, randomness).rows.tolist()) for _ in range(6000))
    assert sum((counts[order] - 1000) ** 2 / 1000 for order in permutations(range(3))) < 25
