from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.rules import DATE_LEVELS
from papilio.data.hierarchy.shapes import by_dates
from papilio.errors import PolicyError


def labels_of(tree):
    return [[tree.labels[node] for node in level] for level in tree.levels]


def test_all_levels():
    tree = by_dates(
        pl.Series([date(2020, 3, 31), date(1999, 12, 31), date(2000, 1, 1)]), DATE_LEVELS
    )
    assert labels_of(tree) == [
        ["1999-12-31", "2000-01-01", "2020-03-31"],
        ["1999-12-31", "2000-01-01", "2020-03-31"],
        ["1999-12", "2000-01", "2020-03"],
        ["1999-Q4", "2000-Q1", "2020-Q1"],
        ["1999", "2000", "2020"],
        ["1990s", "2000s", "2020s"],
        ["1900-1999", "2000-2099", "2000-2099"],
        ["*"] * 3,
    ]
    assert tree.reading == {"dates": list(DATE_LEVELS)}


@pytest.mark.parametrize(
    ("month", "quarter"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4)]
)
def test_quarters(month, quarter):
    assert f"2021-Q{quarter}" in by_dates(pl.Series([date(2021, month, 1)]), ["quarter"]).labels


def test_moments_of_one_day_are_one_leaf():
    moments = pl.Series([datetime(2020, 1, 1, 5), datetime(2020, 1, 1, 6), datetime(2020, 2, 1)])
    tree = by_dates(moments, ["year"])
    assert tree.leaves == ("2020-01-01", "2020-02-01")


def test_early_years_have_four_digits():
    tree = by_dates(pl.Series([date(33, 4, 3)]), ["month", "year", "decade", "century"])
    assert tree.labels == ("*", "0000-0099", "0030s", "0033", "0033-04", "0033-04-03")


@given(
    st.sets(st.dates(), min_size=1),
    st.sets(st.sampled_from(DATE_LEVELS), min_size=1),
)
def test_every_choice_of_levels_is_a_tree_in_the_order_of_time(days, chosen):
    levels = [level for level in DATE_LEVELS if level in chosen]
    tree = by_dates(pl.Series(list(days)), levels)
    assert list(tree.leaves) == [day.isoformat() for day in sorted(days)]
    if "year" in chosen:
        years = labels_of(tree)[levels.index("year") + 1]
        assert years == [leaf[:4] for leaf in tree.leaves]


def test_bad_levels_are_refused():
    with pytest.raises(PolicyError):
        by_dates(pl.Series([date(2020, 1, 1)]), ["year", "day"])
