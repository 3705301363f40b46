"""Distinct trees against a dictionary."""

import numpy as np
import pytest

from papilio.kernels.intern_trees import intern_trees


@pytest.mark.parametrize("seed", range(20))
def test_equal_rows_and_only_those_share_a_number(seed):
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, 3, 60)
    lists = [np.sort(generator.integers(0, 3, generator.integers(0, 4))) for _ in range(60)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    number, example = intern_trees(labels, starts, np.concatenate([*lists, []]).astype(np.int64))
    known = {}
    for row in range(60):
        key = (int(labels[row]), tuple(lists[row].tolist()))
        assert known.setdefault(key, number[row]) == number[row]
    assert len(known) == len(example) == len(set(number.tolist()))
    assert all(number[example[each]] == each for each in range(len(example)))


def test_no_children_is_not_one_child():
    number, _ = intern_trees(np.zeros(2, np.int64), np.array([0, 0, 1]), np.zeros(1, np.int64))
    assert number.tolist() == [0, 1]
