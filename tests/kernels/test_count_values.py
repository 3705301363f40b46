"""Values of a class are counted the same, densely or by sorting."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from papilio.kernels.count_values import count_values, sort_numbers


@given(st.lists(st.integers(-5, 5)), st.booleans())
def test_sorting(numbers, wide):
    array = np.array(numbers, np.int64) * (2**60 if wide else 1)
    expected = sorted(array.tolist())
    sort_numbers(array)
    assert array.tolist() == expected


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30),
    st.sampled_from([10, 16, 10_000]),
    st.randoms(),
)
def test_counts(cells, size, random):
    sensitive = np.array(cells, np.int32)
    rows = [row for row in range(len(cells)) if random.random() < 0.7] or [0]
    random.shuffle(rows)
    for column in range(2):
        values, counts = count_values(sensitive, np.array(rows, np.int32), column, size)
        expected = sorted(Counter(cells[row][column] for row in rows).items())
        assert list(zip(values.tolist(), counts.tolist(), strict=True)) == expected
