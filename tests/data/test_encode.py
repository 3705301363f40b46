"""Codes stand for values, in the order in which values can be cut."""

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.encode import attributes_of, encode, encode_column
from papilio.data.hierarchy.paths import canonical_text
from papilio.data.table import ColumnType, Role
from papilio.errors import DataError
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from tables import column, quasi_tables, table


@given(quasi_tables())
def test_codes_read_back_as_the_values(made):
    encoded = encode(made, made.with_role(Role.QUASI))
    for place, each in enumerate(encoded.columns):
        read = each.values.gather(encoded.codes[:, place])
        source = made.frame.get_column(each.column.name)
        expected = source if read.dtype == source.dtype else canonical_text(source)
        assert read.equals(expected.alias(read.name), null_equal=True)
        assert each.values.null_count() == int(each.has_null)
        assert not each.has_null or each.values[0] is None


@given(st.lists(st.one_of(st.none(), st.integers(-(2**62), 2**62)), min_size=1))
def test_numbers_are_coded_in_ascending_order(numbers):
    series = pl.Series("n", numbers, dtype=pl.Int64)
    meaning, codes = encode_column(series, column("n", ColumnType.NUMERIC))
    assert meaning.values.gather(codes).equals(series, null_equal=True)
    known = meaning.values.drop_nulls().to_list()
    assert known == sorted(set(known))


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([datetime.date(2020, 1, 2), None, datetime.date(1999, 1, 1)], pl.Date),
        ([datetime.datetime(2020, 1, 2, 3, 4), datetime.datetime(1999, 1, 1)], pl.Datetime("us")),
        ([1.5, -2.0, None], pl.Float64),
        ([3, 1, 2], pl.UInt8),
    ],
)
def test_ordered_types_keep_their_type(values, dtype):
    series = pl.Series("x", values, dtype=dtype)
    kind = ColumnType.DATE if dtype in (pl.Date, pl.Datetime) else ColumnType.NUMERIC
    meaning, codes = encode_column(series, column("x", kind))
    assert meaning.values.dtype == dtype
    assert meaning.values.gather(codes).equals(series, null_equal=True)


def test_positions_lie_between_0_and_1_and_null_far_below():
    made = table(
        age=(pl.Series([20, None, 40, 30]), column("age", ColumnType.NUMERIC)),
        one=(pl.Series([7, 7, None, 7]), column("one", ColumnType.NUMERIC)),
        none=(pl.Series([None] * 4, dtype=pl.Int64), column("none", ColumnType.NUMERIC)),
    )
    attributes = attributes_of(encode(made, made.columns))
    assert attributes.position.tolist() == [-1.0, 0.0, 0.5, 1.0, -1.0, 0.0, -1.0]
    assert attributes.position_start.tolist() == [0, 4, 6]


def test_a_domain_gives_order_and_size():
    described = column("size", domain=("small", "middle", "large"))
    meaning, codes = encode_column(pl.Series("size", ["large", None, "small"]), described)
    assert meaning.values.to_list() == [None, "small", "middle", "large"]
    assert codes.tolist() == [3, 0, 1]


def test_values_outside_a_domain_are_counted_not_shown():
    described = column("size", domain=("small",))
    with pytest.raises(DataError, match="2 values are not in the domain") as caught:
        encode_column(pl.Series("size", ["marker-x", "marker-y", "small"]), described)
    assert "marker" not in str(caught.value)


def test_rows_are_padded_to_whole_words():
    made = table(job=(pl.Series(["a", "b"]), column("job")))
    codes = encode(made, made.columns).codes
    assert codes.shape == (2, 4)
    assert codes.dtype == np.int16
    assert codes[:, 1:].sum() == 0
    wide = table(n=(pl.Series(np.arange(40_000)), column("n", ColumnType.NUMERIC)))
    assert encode(wide, wide.columns).codes.dtype == np.int32


def test_a_role_may_be_called_by_its_name():
    policy = Policy(columns={"age": "quasi", "pay": "sensitive"}, privacy={"k": 1})
    order, _ = order_of(pl.DataFrame({"age": [1, 2], "pay": [3, 4]}), policy, "table")
    assert [column.name for column in order.table.with_role("quasi")] == ["age"]
    assert policy.with_role("sensitive") == ("pay",)
    with pytest.raises(ValueError, match="quassi"):
        policy.with_role("quassi")
