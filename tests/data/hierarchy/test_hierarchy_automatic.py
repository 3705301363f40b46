import json
from datetime import date
from math import ceil, log2

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.shapes import automatic
from papilio.data.table import ColumnType
from papilio.errors import DataError


def labels_of(tree):
    return [[tree.labels[node] for node in level] for level in tree.levels]


def test_numbers_get_ranges():
    tree = automatic(pl.Series([17, 20, 25, 30, 90]), ColumnType.NUMERIC)
    assert labels_of(tree) == [
        ["17", "20", "25", "30", "90"],
        ["[17, 20]", "[17, 20]", "25", "30", "90"],
        ["[17, 25]", "[17, 25]", "[17, 25]", "[30, 90]", "[30, 90]"],
        ["*"] * 5,
    ]
    assert tree.reading == {"automatic": True}


def test_dates_get_ranges():
    days = pl.Series([date(2020, 1, 1), date(2020, 2, 1), date(2021, 1, 1)])
    assert "[2020-01-01, 2020-02-01]" in automatic(days, ColumnType.DATE).labels


def test_categories_get_lists_in_the_given_order():
    tree = automatic(pl.Series(["ä", 'a"b', "z"]), ColumnType.CATEGORY)
    assert tree.leaves == ("ä", 'a"b', "z")
    assert tree.labels == ("*", '["ä","a\\"b"]', "ä", 'a"b', "z")


def test_booleans():
    tree = automatic(pl.Series([False, True]), ColumnType.BOOLEAN)
    assert tree.labels == ("*", "false", "true")


def test_one_value_and_none():
    assert automatic(pl.Series(["a"]), ColumnType.CATEGORY).labels == ("*", "a")
    assert automatic(pl.Series([], dtype=pl.String), ColumnType.CATEGORY).leaves == ()


@given(st.integers(2, 70), st.booleans())
def test_the_tree_is_binary_balanced_and_labelled_by_what_it_covers(n, ordered):
    column_type = ColumnType.NUMERIC if ordered else ColumnType.CATEGORY
    tree = automatic(pl.Series(range(n)), column_type)
    assert tree.height == ceil(log2(n))
    for node in range(len(tree.labels)):
        run = tree.leaves[tree.first[node] : tree.last[node] + 1]
        children = [child for child in range(len(tree.labels)) if tree.parent[child] == node]
        sizes = [int(tree.last[child] - tree.first[child]) + 1 for child in children]
        assert sizes == ([] if len(run) == 1 else [-(-len(run) // 2), len(run) // 2])
        if node and len(run) > 1:
            expected = f"[{run[0]}, {run[-1]}]" if ordered else None
            assert tree.labels[node] == expected or json.loads(tree.labels[node]) == list(run)


@pytest.mark.parametrize("values", [["*"], ["*", "a"], ["a", "b", '["a","b"]']])
def test_values_that_read_like_labels_are_refused(values):
    with pytest.raises(DataError, match="column 'x': 1 distinct values") as caught:
        automatic(pl.Series("x", values), ColumnType.CATEGORY)
    assert caught.value.reason == "value-like-label"
