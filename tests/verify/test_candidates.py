"""The join of points and boxes, and the matching, against all with all."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio.verify import fitting, truthfulness
from papilio.verify.fitting import inside_boxes, matched
from papilio.verify.verdict import Status
from sizes import usual


def joined(points, low, high):
    parts = [(np.empty(0, int), np.empty(0, int)), *inside_boxes(points, low, high)]
    some, boxes = (np.concatenate(side) for side in zip(*parts, strict=True))
    return sorted(zip(some.tolist(), boxes.tolist(), strict=True))


def all_with_all(points, low, high):
    return [
        (p, b)
        for p, b in product(range(len(points)), range(len(low)))
        if (low[b] <= points[p]).all() and (points[p] <= high[b]).all()
    ]


@pytest.mark.parametrize("block", [1, 40, 1 << 15])
@pytest.mark.parametrize("few", [1, 16])
def test_join_finds_each_pair_once(monkeypatch, block, few):
    monkeypatch.setattr(fitting, "_BLOCK", block)
    monkeypatch.setattr(fitting, "_FEW", few)
    monkeypatch.setattr(fitting, "_SAMPLE", 4)

    @settings(max_examples=usual(60), deadline=None)
    @given(
        st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 40), st.integers(1, 4),
        st.sampled_from([1, 3, 50]),
    )  # fmt: skip
    def check(seed, count, boxes, columns, values):
        random = np.random.default_rng(seed)
        points = random.integers(-1, values, (count, columns)).astype(np.int32)
        ends = random.integers(-1, values, (2, boxes, columns)).astype(np.int32)
        low, high = ends.min(axis=0), ends.max(axis=0)
        empty = random.random((boxes, columns)) < 0.1
        low, high = np.where(empty, 1, low), np.where(empty, 0, high)
        assert joined(points, low, high) == all_with_all(points, low, high)

    check()


def test_join_of_many_points_looks_at_few():
    """Disjoint boxes: far fewer comparisons than all with all, and every point once."""
    random = np.random.default_rng(1)
    points = random.integers(0, 1000, (50_000, 2)).astype(np.int32)
    corners = np.array(list(product(range(0, 1000, 10), repeat=2)), np.int32)
    blocks = list(inside_boxes(points, corners, corners + 9))
    found = np.concatenate([some for some, _ in blocks])
    assert np.array_equal(np.sort(found), np.arange(len(points)))
    assert len(blocks) * fitting._BLOCK < len(points) * len(corners) / 20


def best_matching(pairs, supply, demand):
    """Units one by one, by augmenting paths."""
    units = [s for s, count in enumerate(supply) for _ in range(count)]
    places = [d for d, count in enumerate(demand) for _ in range(count)]
    owner = {}

    def place(unit, tried):
        for at, wanted in enumerate(places):
            if (units[unit], wanted) in pairs and at not in tried:
                tried.add(at)
                if at not in owner or place(owner[at], tried):
                    owner[at] = unit
                    return True
        return False

    return sum(place(unit, set()) for unit in range(len(units)))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_matching_serves_as_many_as_possible(data):
    counts = st.lists(st.integers(1, 4), min_size=1, max_size=5)
    supply, demand = data.draw(counts), data.draw(counts)
    every = list(product(range(len(supply)), range(len(demand))))
    pairs = data.draw(st.lists(st.sampled_from(every), unique=True))
    served = matched(np.array(pairs, np.int64).reshape(-1, 2), np.array(supply), np.array(demand))
    assert served == best_matching(set(pairs), supply, demand)


@pytest.mark.parametrize("limit", ["_LIMIT", "_BLOCKS"])
def test_too_much_to_decide_is_not_checked(samples, monkeypatch, limit):
    monkeypatch.setattr(truthfulness, limit, -1)
    verdict = samples("numbers", "parquet", "bounds").verdict(original=True)
    (found,) = [f for f in verdict.findings if f.claim == "truthfulness"]
    assert found.status is Status.NOT_CHECKED
    assert not verdict.holds
