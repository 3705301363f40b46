"""The bitmap transformation, forth and back."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.several_values import bitmap, linked_sets, restore_sets, split_cells
from papilio.errors import DataError

values = st.sampled_from(["cough", "fever", "a=b", "é", "x y", ";", "true"])
sets = st.lists(st.frozensets(values, max_size=4), min_size=1, max_size=12)


@given(sets.filter(any))
def test_transformation_loses_nothing(people):
    lists = pl.Series([sorted(each) for each in people], dtype=pl.List(pl.String))
    flags = bitmap(lists, "symptoms")
    assert all(series.dtype == pl.Boolean and not series.null_count() for series in flags)
    back = restore_sets(pl.DataFrame(flags), "symptoms")
    assert [frozenset(each) for each in back.to_list()] == list(people)


def test_cells_are_sets():
    cells = pl.Series("s", ["b;a", " a ; a;;", None, "", "c"])
    lists = split_cells(cells, ";").to_list()
    assert [set(each) for each in lists] == [{"a", "b"}, {"a"}, set(), set(), {"c"}]


def test_categories_and_long_separators():
    cells = pl.Series(["a, b", "b"]).cast(pl.Enum(["a, b", "b"]))
    assert split_cells(cells, ", ").to_list() == [["a", "b"], ["b"]]


def test_columns_are_named_after_values_in_order():
    lists = pl.Series([["b"], ["a"]])
    assert [each.name for each in bitmap(lists, "s")] == ["s=a", "s=b"]
    flags = bitmap(lists, "s", ["z", "b", "a"])
    assert [each.name for each in flags] == ["s=z", "s=b", "s=a"]
    assert not flags[0].any()


def test_linked_rows_of_each_person():
    keys = pl.Series("person", [3, 1, 2])
    linked = linked_sets(keys, pl.Series(["1", "1", "3"]), pl.Series(["x", " y ", "x"]), "s")
    assert linked.to_list() == [["x"], ["x", "y"], []]


@pytest.mark.parametrize("keys", [[1, 1, 2], [1, None, 2]])
def test_a_key_must_tell_people_apart(keys):
    with pytest.raises(DataError) as caught:
        linked_sets(pl.Series("p", keys), pl.Series([1]), pl.Series(["x"]), "s")
    assert caught.value.reason == "key-not-unique"


@pytest.mark.parametrize("linked", [[7], [None]])
def test_linked_rows_of_nobody(linked):
    keys = pl.Series(linked, dtype=pl.Int64)
    with pytest.raises(DataError) as caught:
        linked_sets(pl.Series("p", [1, 2]), keys, pl.Series(["secret"]), "s")
    assert caught.value.reason == "unknown-key"
    assert "secret" not in str(caught.value)


def test_no_values_at_all():
    with pytest.raises(DataError) as caught:
        bitmap(pl.Series([[], []], dtype=pl.List(pl.String)), "s")
    assert caught.value.reason == "no-values"


def test_values_outside_the_domain_are_counted_not_told():
    with pytest.raises(DataError) as caught:
        bitmap(pl.Series([["secret", "a"]]), "s", ["a"])
    assert caught.value.reason == "outside-domain"
    assert "secret" not in str(caught.value)
