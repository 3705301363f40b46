from decimal import Decimal
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.shapes import by_intervals
from papilio.errors import DataError, PolicyError


def labels_of(tree):
    return [[tree.labels[node] for node in level] for level in tree.levels]


def ends(label):
    low, high = label.removeprefix("[").removesuffix(")").split(", ")
    return low, high


def test_ages():
    tree = by_intervals(pl.Series([39, 17, 20, 40, 99]), [5, 20])
    assert labels_of(tree) == [
        ["17", "20", "39", "40", "99"],
        ["[15, 20)", "[20, 25)", "[35, 40)", "[40, 45)", "[95, 100)"],
        ["[0, 20)", "[20, 40)", "[20, 40)", "[40, 60)", "[80, 100)"],
        ["*"] * 5,
    ]
    assert tree.reading == {"intervals": [5, 20], "origin": 0}


def test_negative_numbers_and_an_origin():
    tree = by_intervals(pl.Series([-11, -10, -1, 0]), [10, 20], origin=-1)
    assert labels_of(tree)[1] == ["[-11, -1)", "[-11, -1)", "[-1, 9)", "[-1, 9)"]
    assert labels_of(tree)[2] == ["[-21, -1)", "[-21, -1)", "[-1, 19)", "[-1, 19)"]
    assert tree.reading == {"intervals": [10, 20], "origin": -1}


def test_tenths_are_tenths():
    # Binary division puts 0.3 // 0.1 at 2, and 0.6 // 0.2 as well.
    tree = by_intervals(pl.Series([0.3, 0.6, 0.7, 1.1]), [0.1, 0.2])
    assert labels_of(tree)[1] == ["[0.3, 0.4)", "[0.6, 0.7)", "[0.7, 0.8)", "[1.1, 1.2)"]
    assert labels_of(tree)[2] == ["[0.2, 0.4)", "[0.6, 0.8)", "[0.6, 0.8)", "[1, 1.2)"]
    assert tree.leaves == ("0.3", "0.6", "0.7", "1.1")


def test_whole_ends_are_written_whole():
    tree = by_intervals(pl.Series([-0.25, 17.0, 17.75]), [0.5, 2.0, 1e3])
    assert labels_of(tree)[1] == ["[-0.5, 0)", "[17, 17.5)", "[17.5, 18)"]
    assert labels_of(tree)[2] == ["[-2, 0)", "[16, 18)", "[16, 18)"]
    assert labels_of(tree)[3] == ["[-1000, 0)", "[0, 1000)", "[0, 1000)"]


def test_ends_have_no_zeros_behind():
    tree = by_intervals(pl.Series([0.3, 0.6]), [0.25])
    assert labels_of(tree)[1] == ["[0.25, 0.5)", "[0.5, 0.75)"]


def test_width_one_is_not_the_leaf():
    tree = by_intervals(pl.Series([7]), [1])
    assert tree.labels == ("*", "[7, 8)", "7")


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([0, 2**64 - 1], dtype=pl.UInt64),
        pl.Series([-(2**63), 2**63 - 1]),
        pl.Series([10**37 + 17], dtype=pl.Int128),
    ],
)
def test_the_largest_whole_numbers(values):
    tree = by_intervals(values, [10, 10**6], origin=3)
    for leaf, *labels in zip(tree.leaves, *labels_of(tree)[1:-1], strict=True):
        for label in labels:
            low, high = map(int, ends(label))
            assert low <= int(leaf) < high
            assert (low - 3) % (high - low) == 0


def test_decimal_columns():
    tree = by_intervals(pl.Series([Decimal("0.30"), Decimal("1.00")]), [0.1])
    assert labels_of(tree)[:2] == [["0.3", "1"], ["[0.3, 0.4)", "[1, 1.1)"]]


numbers = st.integers(-(10**6), 10**6) | st.floats(-1e9, 1e9)
tenths = st.integers(-300, 300).map(lambda n: n / 10)


@given(
    st.lists(tenths | numbers.map(float), min_size=1),
    st.sampled_from([(0.1, 0.3), (0.5,), (1, 7, 70), (2.5, 100), (0.001, 0.01, 10)]),
    st.sampled_from([0, 1, -0.3, 1234.5]),
)
def test_every_label_is_right_about_its_numbers(values, widths, origin):
    tree = by_intervals(pl.Series(values).unique(), widths, origin)
    assert sorted(map(float, tree.leaves)) == sorted(set(values))
    for level, width in zip(labels_of(tree)[1:], widths, strict=False):
        for leaf, label in zip(tree.leaves, level, strict=True):
            low, high = ends(label)
            assert Decimal(low) <= Decimal(leaf) < Decimal(high)
            assert float(low) <= float(leaf) < float(high)
            assert Fraction(high) - Fraction(low) == Fraction(str(width))
            assert (Fraction(low) - Fraction(str(origin))) % Fraction(str(width)) == 0


@given(st.sets(st.integers(-500, 500), min_size=1))
def test_leaves_keep_the_order_of_the_numbers(values):
    tree = by_intervals(pl.Series(list(values)), [3, 12])
    assert [int(leaf) for leaf in tree.leaves] == sorted(values)


def test_intervals_too_narrow_for_floating_numbers_are_refused():
    with pytest.raises(DataError, match="column 'x': 1 distinct numbers") as caught:
        by_intervals(pl.Series("x", [1.0, 1e17]), [0.1])
    assert caught.value.reason == "interval-too-narrow"


def test_bad_widths_are_refused():
    with pytest.raises(PolicyError):
        by_intervals(pl.Series([1]), [5, 7])
