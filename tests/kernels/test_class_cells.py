"""Ranges and sets of classes, against plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from papilio.kernels.class_cells import class_ranges, class_sets


@st.composite
def grouped_codes(draw):
    classes = draw(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1))
    codes = np.array([[0, c, 0, 0] for each in classes for c in each], np.int16)
    starts = np.cumsum([0, *map(len, classes)])
    return classes, codes, starts


@given(grouped_codes(), st.integers(0, 1))
def test_ranges(drawn, first_value):
    classes, codes, starts = drawn
    low, high, below = class_ranges(codes, 1, starts, first_value)
    for number, each in enumerate(classes):
        known = [c for c in each if c >= first_value]
        assert (low[number], high[number]) == ((min(known), max(known)) if known else (0, 0))
        assert below[number] == (len(known) < len(each))


@given(grouped_codes())
def test_sets(drawn):
    classes, codes, starts = drawn
    first, members = class_sets(codes, 1, starts, 10)
    found = [members[a:b].tolist() for a, b in zip(first, first[1:], strict=False)]
    assert found == [sorted(set(each)) for each in classes]
