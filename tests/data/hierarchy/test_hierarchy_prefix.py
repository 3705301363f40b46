import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.shapes import by_prefix
from papilio.errors import DataError, PolicyError


def labels_of(tree):
    return [[tree.labels[node] for node in level] for level in tree.levels]


def test_postcodes():
    tree = by_prefix(pl.Series(["12345", "12399", "12999", "80331"]), [3, 2])
    assert labels_of(tree) == [
        ["12345", "12399", "12999", "80331"],
        ["123*", "123*", "129*", "803*"],
        ["12*", "12*", "12*", "80*"],
        ["*"] * 4,
    ]
    assert tree.reading == {"prefix": [3, 2]}


def test_short_values_stay_themselves_beside_their_prefix():
    tree = by_prefix(pl.Series(["123", "12", "124", "1"]), [2])
    assert tree.leaves == ("1", "12", "123", "124")
    assert labels_of(tree)[1] == ["1", "12", "12*", "12*"]
    assert tree.labels[tree.common_ancestor(2, 3)] == "12*"
    assert tree.labels[tree.common_ancestor(1, 2)] == "*"


def test_levels_stay_aligned_for_values_shorter_than_the_first_level():
    tree = by_prefix(pl.Series(["1234", "12345", "123456"]), [5, 3])
    assert labels_of(tree) == [
        ["1234", "12345", "123456"],
        ["1234", "12345", "12345*"],
        ["123*"] * 3,
        ["*"] * 3,
    ]


def test_a_first_level_as_long_as_the_values_repeats_the_leaves():
    tree = by_prefix(pl.Series(["ab", "ac"]), [5, 1])
    assert labels_of(tree) == [["ab", "ac"], ["ab", "ac"], ["a*", "a*"], ["*", "*"]]
    assert len(tree.labels) == 4


def test_characters_are_counted_not_bytes():
    tree = by_prefix(pl.Series(["äöü", "äöx"]), [2])
    assert labels_of(tree)[1] == ["äö*", "äö*"]


def test_empty_text_is_a_value():
    assert by_prefix(pl.Series(["", "a"]), [1]).leaves == ("", "a")


@given(st.sets(st.text("ab0", max_size=5), min_size=1), st.sets(st.integers(1, 6), min_size=1))
def test_labels_say_what_they_cover(values, lengths):
    keep = sorted(lengths, reverse=True)
    tree = by_prefix(pl.Series(sorted(values), dtype=pl.String), keep)
    assert set(tree.leaves) == values
    for level, length in zip(labels_of(tree)[1:], keep, strict=False):
        for leaf, label in zip(tree.leaves, level, strict=True):
            assert label == (leaf if len(leaf) <= length else leaf[:length] + "*")
    for node, label in enumerate(tree.labels):
        if label.endswith("*"):
            run = tree.leaves[tree.first[node] : tree.last[node] + 1]
            prefix = label[:-1]
            longer = {value for value in values if value.startswith(prefix) and value != prefix}
            assert set(run) == (longer if prefix else values)


def test_values_with_a_star_are_refused_without_showing_them():
    with pytest.raises(DataError, match="column 'zip': 2 distinct values") as caught:
        by_prefix(pl.Series("zip", ["12*", "*", "129"]), [2])
    assert caught.value.reason == "star-in-value"
    assert "12*" not in str(caught.value)


def test_bad_lengths_are_refused():
    with pytest.raises(PolicyError):
        by_prefix(pl.Series(["a"]), [2, 3])
