"""How generalised cells are written."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.release.cell_text import range_text, set_json, set_text

members = st.lists(st.none() | st.text(max_size=6), min_size=1, max_size=5, unique=True)


def ranges(smallest, largest, null=None):
    null = [False] * len(smallest) if null is None else null
    made = range_text(pl.Series("age", smallest), pl.Series(largest), pl.Series(null))
    assert made.name == "age"
    return made.to_list()


def test_ranges():
    assert ranges([30, 30], [30, 40]) == ["30", "[30, 40]"]
    assert ranges([-1.5, 0.25], [-1.5, 1e9]) == ["-1.5", "[0.25, 1000000000.0]"]


def test_ranges_that_may_be_null():
    found = ranges([30, 30, None], [30, 40, None], [True, True, True])
    assert found == ["30 or NULL", "[30, 40] or NULL", None]


def test_ranges_of_dates():
    days = pl.Series(["2020-01-31", "2020-02-29"]).str.to_date()
    assert ranges(days, days.reverse().sort(descending=False)) == ["2020-01-31", "2020-02-29"]
    assert ranges(days.head(1), days.tail(1)) == ["[2020-01-31, 2020-02-29]"]


@pytest.mark.parametrize(
    ("values", "as_json", "as_text"),
    [
        (["b", "a"], '["a","b"]', "{a, b}"),
        (["a", None], '[null,"a"]', "{NULL, a}"),
        ([None], "[null]", "{NULL}"),
        (["b, c", "a"], '["a","b, c"]', '{a, "b, c"}'),
        (["NULL", None], '[null,"NULL"]', '{NULL, "NULL"}'),
        ([""], '[""]', '{""}'),
        ([" a"], '[" a"]', '{" a"}'),
        (["größe", "Z"], '["Z","größe"]', "{Z, größe}"),
        ([True, False], "[false,true]", "{false, true}"),
        ([False, None], "[null,false]", "{NULL, false}"),
        (['say "hi"'], '["say \\"hi\\""]', '{"say \\"hi\\""}'),
    ],
)
def test_sets(values, as_json, as_text):
    assert set_json(values) == as_json
    assert set_text(values) == as_text


@given(members)
def test_json_can_be_read_again(values):
    assert set(json.loads(set_json(values))) == set(values)


@given(members)
def test_order_does_not_matter(values):
    assert set_json(values) == set_json(values[::-1])
    assert set_text(values) == set_text(values[::-1])


@given(members, members)
def test_different_sets_are_written_differently(one, other):
    if set(one) != set(other):
        assert set_json(one) != set_json(other)
        assert set_text(one) != set_text(other)
