from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio.document.class_parts import size_bars
from papilio.measure.published_classes import PublishedClasses, class_sizes


def sizes_of(numbers):
    return class_sizes(PublishedClasses(np.array(numbers, np.int64), {}, {}))


@given(
    st.lists(st.integers(1, 10_000), min_size=1),
    st.one_of(st.none(), st.integers(1, 200)),
)
@settings(deadline=None)
def test_bars_hold_every_class_once(numbers, k):
    bars = size_bars(sizes_of(numbers), k)
    for bar in bars:
        top = max(numbers) if bar.largest is None else bar.largest
        assert bar.classes == sum(bar.smallest <= n <= top for n in numbers)
    assert sum(bar.classes for bar in bars) == len(numbers)
    assert all(bar.largest is not None for bar in bars[:-1])
    assert max(Counter(bar.label for bar in bars).values()) == 1
    if k is not None:
        assert len(bars) <= 32
        assert any(bar.smallest == k for bar in bars) or max(numbers) < k


def test_few_huge_classes_share_the_last_bar():
    bars = size_bars(sizes_of([5] * 300 + [6] * 200 + [4000, 9000]), 5)
    assert [bar.label for bar in bars] == ["5", "6", "≥ 7"]
    assert [bar.classes for bar in bars] == [300, 200, 2]


def test_k_starts_a_bar_also_when_it_is_violated():
    bars = size_bars(sizes_of([3, 50, 51, 52, 100] * 20), 10)
    assert 10 in [bar.smallest for bar in bars]
    assert bars[0].smallest <= 3
