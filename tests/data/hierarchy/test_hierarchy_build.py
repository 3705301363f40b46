import time
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.build import build, leaf_codes
from papilio.data.hierarchy.rules import (
    AutomaticRule,
    DatesRule,
    IntervalsRule,
    PathsRule,
    PrefixRule,
)
from papilio.data.hierarchy.tree import from_leaf_paths
from papilio.data.table import ColumnType
from papilio.errors import DataError

CATEGORY, NUMERIC, DATE = ColumnType.CATEGORY, ColumnType.NUMERIC, ColumnType.DATE


@pytest.fixture
def job(tmp_path):
    file = tmp_path / "job.csv"
    file.write_text("nurse;health;*\ndoctor;health;*\nsmith;metal;*\n")
    return PathsRule(file)


def plus_null(series):
    return pl.concat([series, pl.Series([None], dtype=series.dtype)])


def tree_over(*leaves):
    return from_leaf_paths([[leaf, "*"] for leaf in leaves], {"paths": True})


def test_a_file_brings_all_its_leaves(job):
    tree = build(job, pl.Series(["smith", "smith", "nurse"]), CATEGORY, "job")
    assert tree.leaves == ("nurse", "doctor", "smith")
    assert not tree.has_null


def test_null_in_the_column_gives_a_null_leaf(job):
    values = pl.Series(["smith", None, "nurse"])
    tree = build(job, values, CATEGORY, "job")
    assert tree.leaves == (None, "nurse", "doctor", "smith")
    assert leaf_codes(tree, values).tolist() == [3, 0, 1]


def test_values_a_file_lacks_are_counted_and_not_shown(job):
    values = pl.Series(["king", "smith", "queen", "king", None])
    with pytest.raises(DataError) as caught:
        build(job, values, CATEGORY, "job")
    message = "column 'job': 2 values (in 3 rows) are not in the hierarchy file job.csv"
    assert str(caught.value) == message
    assert caught.value.reason == "value-not-in-hierarchy"
    with pytest.raises(DataError, match=r"1 value \(in 1 row\) is not in"):
        build(job, pl.Series(["king"]), CATEGORY, "job")


@pytest.mark.parametrize(
    ("rule", "values", "column_type", "leaves"),
    [
        (PrefixRule((1,)), pl.Series(["b1", "a1", "b1"]), CATEGORY, ("a1", "b1")),
        (PrefixRule((1,)), pl.Series([120, 13, 13]), NUMERIC, ("120", "13")),
        (IntervalsRule((10,)), pl.Series([20, 3, 3]), NUMERIC, ("3", "20")),
        (IntervalsRule((10,)), pl.Series([20.5, 3.0]), NUMERIC, ("3.0", "20.5")),
        (DatesRule(("year",)), pl.Series([date(2020, 1, 2)]), DATE, ("2020-01-02",)),
        (DatesRule(("year",)), pl.Series([datetime(2020, 1, 2, 3)]), DATE, ("2020-01-02",)),
        (AutomaticRule(), pl.Series([20, 3, 3]), NUMERIC, ("3", "20")),
        (AutomaticRule(), pl.Series([20, 3, 3]), CATEGORY, ("3", "20")),
        (AutomaticRule(), pl.Series(["b", "a"]), CATEGORY, ("a", "b")),
        (AutomaticRule(), pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), CATEGORY, ("b", "a")),
        (AutomaticRule(), pl.Series(["b", "a"], dtype=pl.Categorical), CATEGORY, ("a", "b")),
        (AutomaticRule(), pl.Series([True, False]), ColumnType.BOOLEAN, ("false", "true")),
    ],
)
def test_rules_build_over_the_distinct_values(rule, values, column_type, leaves):
    tree = build(rule, values, column_type, "x")
    assert tree.leaves == leaves
    with_null = plus_null(values)
    null_tree = build(rule, with_null, column_type, "x")
    assert null_tree.leaves == (None, *leaves)
    texts = [null_tree.leaves[code] for code in leaf_codes(null_tree, with_null)]
    assert texts[-1] is None
    assert set(texts[:-1]) == set(leaves)


def test_automatic_labels_follow_the_column_type():
    values = pl.Series([1, 2, 3])
    assert "[1, 2]" in build(AutomaticRule(), values, NUMERIC, "x").labels
    assert '["1","2"]' in build(AutomaticRule(), values, CATEGORY, "x").labels


def test_nan_is_null():
    values = pl.Series([1.0, float("nan"), 2.0])
    tree = build(IntervalsRule((5,)), values, NUMERIC, "x")
    assert tree.leaves == (None, "1.0", "2.0")
    assert leaf_codes(tree, values).tolist() == [1, 0, 2]


def test_both_zeros_are_one_leaf():
    values = pl.Series([0.0, -0.0, 1.0])
    tree = build(AutomaticRule(), values, NUMERIC, "x")
    assert tree.leaves == ("0.0", "1.0")
    assert leaf_codes(tree, values).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "rule",
    [PrefixRule((1,)), IntervalsRule((5,)), DatesRule(("year",)), AutomaticRule()],
)
@pytest.mark.parametrize("dtype", [pl.Null, pl.String, pl.Int64, pl.Float64, pl.Date])
def test_columns_without_values_fit_every_rule(rule, dtype):
    empty, nulls = pl.Series([], dtype=dtype), pl.Series([None, None], dtype=dtype)
    assert build(rule, empty, NUMERIC, "x").leaves == ()
    tree = build(rule, nulls, NUMERIC, "x")
    assert tree.leaves == (None,)
    assert leaf_codes(tree, nulls).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("rule", "values", "column_type"),
    [
        (PrefixRule((1,)), pl.Series([1.5]), NUMERIC),
        (PrefixRule((1,)), pl.Series([date(2020, 1, 1)]), DATE),
        (PrefixRule((1,)), pl.Series([True]), ColumnType.BOOLEAN),
        (IntervalsRule((5,)), pl.Series(["5"]), CATEGORY),
        (IntervalsRule((5,)), pl.Series([True]), ColumnType.BOOLEAN),
        (IntervalsRule((5,)), pl.Series([date(2020, 1, 1)]), DATE),
        (DatesRule(("year",)), pl.Series(["2020-01-01"]), CATEGORY),
        (DatesRule(("year",)), pl.Series([2020]), NUMERIC),
        (AutomaticRule(), pl.Series(["10", "9"]), NUMERIC),
    ],
)
def test_a_rule_must_fit_the_values(rule, values, column_type):
    with pytest.raises(DataError, match=r"^column 'x': .* need") as caught:
        build(rule, values, column_type, "x")
    assert caught.value.reason == "hierarchy-type"


@pytest.mark.parametrize(
    ("leaves", "series", "codes"),
    [
        (("b", "a"), pl.Series(["a", "b", "a"]), [1, 0, 1]),
        (("b", "a"), pl.Series(["a", "b"], dtype=pl.Categorical), [1, 0]),
        (("b", "a"), pl.Series(["a", "b"], dtype=pl.Enum(["a", "b", "c"])), [1, 0]),
        (("17", "-3"), pl.Series([-3, 17, -3]), [1, 0, 1]),
        (("17", "-3"), pl.Series([-3, 17], dtype=pl.Int8), [1, 0]),
        (("true", "false"), pl.Series([False, True]), [1, 0]),
        (("17", "0.5"), pl.Series([0.5, 17.0]), [1, 0]),
        (("17", "17.0"), pl.Series([17.0]), [1]),
        (("x", "nan", "1e2", "-0"), pl.Series([100.0, 0.0, -0.0]), [2, 3, 3]),
        (("17", "0.50"), pl.Series([Decimal("0.5"), Decimal("17.0")]), [1, 0]),
        (("2020-03-01", "2020-03-02"), pl.Series([date(2020, 3, 2)]), [1]),
        (("2020-03-01", "2020-03-02"), pl.Series([datetime(2020, 3, 2, 9)]), [1]),
    ],
)
def test_values_are_matched_by_their_text(leaves, series, codes):
    found = leaf_codes(tree_over(*leaves), series)
    assert found.tolist() == codes
    assert found.dtype == np.int32
    with_null = plus_null(series)
    shifted = leaf_codes(tree_over(*leaves).with_null_leaf(), with_null)
    assert shifted.tolist() == [code + 1 for code in codes] + [0]


@pytest.mark.parametrize(
    ("leaves", "series"),
    [
        (("a",), pl.Series("x", ["a", "A", "a "])),
        (("17",), pl.Series("x", [17, 18, 19])),
        (("17",), pl.Series("x", [17.0, 18.5, -17.0])),
        (("17", "17.00", "1"), pl.Series("x", [1.0, 17.0, 17.0])),
        (("017",), pl.Series("x", [17, 17])),
    ],
)
def test_other_values_are_counted_and_not_shown(leaves, series):
    with pytest.raises(DataError) as caught:
        leaf_codes(tree_over(*leaves), series)
    message = "column 'x': 2 rows with a value that is not in its hierarchy"
    assert str(caught.value) == message
    assert caught.value.reason == "value-not-in-hierarchy"


def test_null_needs_a_leaf():
    with pytest.raises(DataError, match="2 missing values") as caught:
        leaf_codes(tree_over("a"), pl.Series("x", ["a", None, None]))
    assert caught.value.reason == "null-not-in-hierarchy"


@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), max_size=20))
def test_every_row_finds_its_own_number(values):
    column = pl.Series(values, dtype=pl.Float64)
    tree = build(AutomaticRule(), column, NUMERIC, "x")
    found = [tree.leaves[code] for code in leaf_codes(tree, column)]
    assert [None if text is None else float(text) for text in found] == values


def test_the_column_handed_in_is_left_alone(job):
    values = pl.Series("mine", ["smith", None])
    build(job, values, CATEGORY, "job")
    assert values.name == "mine"
    assert values.to_list() == ["smith", None]


def test_a_million_rows_of_text_are_quick():
    leaves = [f"value {number}" for number in range(1000)]
    tree = tree_over(*leaves)
    codes = np.random.default_rng(1).integers(0, 1000, 1_000_000)
    column = pl.Series(leaves).gather(codes)
    start = time.process_time()
    found = leaf_codes(tree, column)
    elapsed = time.process_time() - start
    assert np.array_equal(found, codes)
    assert elapsed < 1  # about 0.02 s on one core; a loop over rows takes longer


def test_relative_files_count_from_the_working_directory(job, monkeypatch):
    monkeypatch.chdir(job.file.parent)
    tree = build(PathsRule(Path("job.csv")), pl.Series(["smith"]), CATEGORY, "job")
    assert "smith" in tree.leaves
