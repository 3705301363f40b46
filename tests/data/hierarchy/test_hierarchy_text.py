from datetime import date, datetime, time
from decimal import Decimal

import polars as pl
import pytest

from papilio.data.hierarchy.paths import canonical_text, comparable
from papilio.errors import DataError


@pytest.mark.parametrize(
    ("series", "texts"),
    [
        (pl.Series(["a", None, ""]), ["a", None, ""]),
        (pl.Series([17, -3, None]), ["17", "-3", None]),
        (pl.Series([17], dtype=pl.UInt8), ["17"]),
        (pl.Series([True, False, None]), ["true", "false", None]),
        (pl.Series([17.0, 0.1, -2.5, None]), ["17.0", "0.1", "-2.5", None]),
        (pl.Series([0.0, -0.0]), ["0.0", "0.0"]),
        (pl.Series([0.1], dtype=pl.Float32), ["0.1"]),
        (pl.Series([1.0, float("nan")]), ["1.0", None]),
        (
            pl.Series([Decimal("17.50"), Decimal("100.00"), Decimal("-0.05")]),
            ["17.5", "100", "-0.05"],
        ),
        (pl.Series([Decimal("100")], dtype=pl.Decimal(9, 0)), ["100"]),
        (pl.Series([date(2020, 3, 1), None]), ["2020-03-01", None]),
        (pl.Series([datetime(2020, 3, 1, 23, 59)]), ["2020-03-01"]),
        (pl.Series(["b", None], dtype=pl.Categorical), ["b", None]),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), ["b", "a"]),
        (pl.Series([None, None]), [None, None]),
    ],
)
def test_each_type_has_one_text(series, texts):
    assert canonical_text(comparable(series)).to_list() == texts


def test_a_moment_counts_by_the_date_of_its_own_clock():
    moment = pl.Series([datetime(2020, 3, 1, 23)]).dt.replace_time_zone("America/New_York")
    assert canonical_text(comparable(moment)).to_list() == ["2020-03-01"]


@pytest.mark.parametrize("series", [pl.Series("x", [[1]]), pl.Series("x", [time(1)])])
def test_other_types_are_refused(series):
    with pytest.raises(DataError, match="column 'x'") as caught:
        comparable(series)
    assert caught.value.reason == "no-hierarchy-for-type"


def test_infinite_numbers_are_refused():
    with pytest.raises(DataError) as caught:
        comparable(pl.Series([float("inf")]))
    assert caught.value.reason == "infinite-number"
