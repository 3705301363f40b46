from datetime import date, datetime

import numpy as np
import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st

from papilio.document.bins import MOST, bins_over

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def place(bins, values):
    return np.searchsorted(bins.edges, bins.positions(values), side="right") - 1


def check(bins, values):
    """At most 40 ascending bins, and every value in one of them."""
    assert len(bins.labels) == len(bins.edges) - 1 == len(bins.axis) - 1 <= MOST
    assert len(set(bins.labels)) == len(bins.labels)
    assert (np.diff(bins.edges) > 0).all()
    where = place(bins, values)
    assert where.min() == 0
    assert where.max() == len(bins.labels) - 1


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
@example([-(2**63), 2**63 - 1])
@example([2**53 + 1, 2**53 + 2])
@settings(deadline=None)
def test_whole_numbers(numbers):
    values = pl.Series(numbers, dtype=pl.Int64)
    bins = bins_over(values)
    check(bins, values)
    if max(numbers) - min(numbers) < MOST:
        assert bins.labels == tuple(map(str, range(min(numbers), max(numbers) + 1)))


@given(st.lists(FLOATS, min_size=1))
@example([-1.7e308, 1.7e308])
@example([0.0, 5e-324])
@example([1e16, 1e16 + 2])
@example([0.1, 0.1])
@settings(deadline=None)
def test_floats(numbers):
    values = pl.Series(numbers, dtype=pl.Float64)
    bins = bins_over(values)
    assert len(bins.labels) == len(bins.edges) - 1 <= MOST
    assert (np.diff(bins.edges) > 0).all()
    where = place(bins, values)
    assert where.min() == 0
    assert where.max() == len(bins.labels) - 1


def test_floats_have_round_edges():
    bins = bins_over(pl.Series([0.13, 2.2]))
    assert bins.edges[:3].tolist() == [0.1, 0.2, 0.3]
    assert bins.labels[0] == "0.1 to 0.2"
    assert len(bins.labels) == 22


@given(st.lists(st.dates(), min_size=1))
@example([date(1, 1, 1), date(9999, 12, 31)])
@settings(deadline=None)
def test_dates(days):
    values = pl.Series(days)
    check(bins_over(values), values)


@given(st.lists(st.datetimes(datetime(1850, 1, 1), datetime(2100, 1, 1)), min_size=1))
@settings(deadline=None)
def test_moments(moments):
    values = pl.Series(moments, dtype=pl.Datetime("us"))
    check(bins_over(values), values)


def test_moments_of_all_times():
    bins = bins_over(pl.Series([datetime.min, datetime.max], dtype=pl.Datetime("us")))
    assert (bins.labels[0], bins.labels[-1]) == ("from 0000", "from 9750")


def test_dates_keep_to_the_calendar():
    months = bins_over(pl.Series([date(2020, 1, 31), date(2022, 3, 1)]))
    assert months.labels[:2] == ("2020-01", "2020-02")
    assert months.labels[-1] == "2022-03"
    assert place(months, pl.Series([date(2020, 2, 29), date(2020, 3, 1)])).tolist() == [1, 2]
    weeks = bins_over(pl.Series([date(2024, 5, 1), date(2024, 9, 1)]))
    assert weeks.labels[0] == "from 2024-04-29", "weeks start on Mondays"
    decades = bins_over(pl.Series([date(1723, 5, 1), date(2024, 9, 1)]))
    assert decades.labels[0] == "from 1720"
    assert decades.axis[-2] == datetime(2020, 1, 1).timestamp() * 1000


def test_a_number_that_rounds_up_to_the_end_of_the_last_bin_stays_in_it():
    values = pl.Series([0, 40 * 2**57 - 1], dtype=pl.Int64)
    check(bins_over(values), values)
